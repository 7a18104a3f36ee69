import { CoreError, invalid, invalidValue } from "@org/core";
import type { Keys } from "../src/index.js";

/** Keys in memory: two for signing, two for encryption, and three batches of values to re-encrypt. */
export function memoryKeys(): Keys {
  const created_at = "2026-01-01T00:00:00.000Z";
  const signing_keys = [
    { kid: "one", algorithm: "ES256", state: "active", created_at, signs_from: created_at },
    { kid: "two", algorithm: "ES256", state: "next", created_at, signs_from: null },
  ] as const;
  return {
    list: async () => ({
      signing_keys,
      encryption_keys: [
        { key_id: "k2", active: true, available: true, values: 3 },
        { key_id: "k1", active: false, available: true, values: 4 },
        { key_id: null, active: false, available: false, values: 1 },
      ],
      server_keys: [{ name: "secret-hash", version: 1, active: true, active_from: null }],
      webhook_keys: [{ kid: "kid", public_key: "whpk_AA==", since: null, until: null }],
    }),
    rotateServerKey: async (_operator, name) => [
      { name, version: 1, active: true, active_from: null },
      { name, version: 2, active: false, active_from: created_at },
    ],
    rotate: async () => signing_keys.map((key) => ({ ...key, state: "active", signs_from: created_at })),
    async revoke(_operator, kid) {
      if (kid !== "one") throw new CoreError("NOT_FOUND", "there is no signing key with this id");
      return [{ ...signing_keys[1], state: "active", signs_from: created_at }];
    },
    async rewrap(_operator, pageToken) {
      const page = Number(pageToken ?? 1);
      if (!(page >= 1 && page <= 3)) throw invalid(invalidValue("page_token", "must be a next_page_token"));
      const unreadable = page === 3 ? [{ place: "sessions.sealed_link", key_id: "k0", values: 1 }] : [];
      return { rewrapped: 2, unreadable, next_page_token: page === 3 ? null : String(page + 1) };
    },
  };
}
