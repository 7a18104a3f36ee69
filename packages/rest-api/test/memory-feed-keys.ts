import type { FeedKeyOperations } from "../src/index.js";
import { sampleIds } from "../src/testing/index.js";

const at = "2026-01-01T00:00:00.000Z";

/** One of the installation's own keys, returned for every request. */
export function memoryFeedKeys(): FeedKeyOperations {
  const stated = {
    fingerprint: sampleIds.fingerprint,
    user_ids: ["Wealth Connect"],
    algorithm: "RSA 4096",
    created_at: at,
    expires_at: null,
  };
  const key = {
    ...stated,
    kind: "own" as const,
    state: "live" as const,
    connector_id: null,
    source: null,
    revoked_at: null,
    added_at: at,
    version: 1,
  };
  const tried = { retried: 0, taken: 0 };
  return {
    list: async () => ({
      items: [key],
      signing: [{ source: "custodian", must_be_signed: true, changed_at: at, version: 1 }],
    }),
    show: async () => ({ ...key, public_key: "armoured" }),
    read: async () => stated,
    generate: async () => key,
    importOwn: async () => ({ key, ...tried }),
    trust: async () => ({ key, ...tried }),
    expire: async () => key,
    revoke: async () => key,
    remove: async () => undefined,
    require: async (_operator, rule) => ({ signing: { ...rule, changed_at: at, version: 2 }, ...tried }),
  };
}
