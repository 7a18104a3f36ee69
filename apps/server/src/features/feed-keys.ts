import type { Connectors } from "@org/core";
import { createFeedKeys, type FeedKeyRecord, keyState, type SourceOperations } from "@org/feed-sources";
import { type Finding, ok, warn } from "@org/installation";
import type { FeedKeyOperations } from "@org/rest-api";
import type { OpenedStorage } from "@org/storage-postgres";
import { Gauge } from "prom-client";
import type { Feature, Platform } from "../feature.js";

/** Keys that expire within this many days cause a warning, because a custodian needs time to replace one. */
const EXPIRY_WARNING_DAYS = 30;
const DAY_MS = 86_400_000;
const NAMED = 10;

/** PGP keys: the installation's, which decrypt custodians' files, and custodians', which verify their signatures. */
export function feedKeys({
  sourceStores,
  runtime,
  clock,
  connectors,
  held,
}: Pick<Platform, "runtime" | "clock"> &
  Pick<OpenedStorage, "sourceStores"> & {
    connectors: Pick<Connectors, "find">;
    held: Pick<SourceOperations, "retryLacking" | "countLacking">;
  }) {
  const store = sourceStores.keys;
  const service: FeedKeyOperations = createFeedKeys({
    store,
    runtime,
    exists: async ({ kind, owner }) =>
      (kind === "connector" ? await connectors.find(owner) : await sourceStores.sources.find(owner)) !== null,
    async onOpened() {
      const { retried, taken } = await held.retryLacking(["key", "valid_key", "signature"]);
      return { retried, taken };
    },
  });
  const expiry = new Gauge({
    name: "wealth_connect_feed_key_expiry_timestamp_seconds",
    help: "When a PGP key that is in force expires; keys that never do are left out",
    labelNames: ["fingerprint", "kind"],
    registers: [],
    async collect() {
      const keys = await store.list().catch(() => []);
      this.reset();
      for (const { fingerprint, kind, expires_at, revoked_at } of keys)
        if (expires_at && !revoked_at)
          this.set({ fingerprint, kind: kind === "own" ? kind : "custodian" }, Math.floor(expires_at.getTime() / 1000));
    },
  });
  const feature: Feature = { metrics: [expiry], check };
  return { ...feature, feedKeys: service };

  async function check(): Promise<readonly Finding[]> {
    const [keys, rules] = [await store.list(), await store.rules()];
    const unopened = await held.countLacking(["key"]);
    const required = rules.filter((rule) => rule.must_be_signed);
    if (keys.length === 0 && unopened === 0 && required.length === 0) return [];
    const now = clock();
    const live = keys.filter((key) => keyState(key, now) === "live");
    const faults = [
      ...(unopened > 0 ? [`${unopened} files wait that are encrypted for keys that are not here`] : []),
      ...(keys.some(isOwn) && !live.some(isOwn) ? ["no key that opens files is in force any more"] : []),
      ...required.flatMap(({ kind, owner }) =>
        live.some((key) => key.kind === kind && key.owner === owner)
          ? []
          : [`files of ${owner} have to be signed, and no key of this custodian is in force: all are refused`],
      ),
      ...live.flatMap((key) => {
        const days = key.expires_at === null ? null : Math.ceil((key.expires_at.getTime() - now.getTime()) / DAY_MS);
        const whose = isOwn(key) ? "our key" : `a key of ${key.owner},`;
        return days !== null && days <= EXPIRY_WARNING_DAYS
          ? [`${whose} ${key.fingerprint} expires in ${days} days`]
          : [];
      }),
    ];
    if (faults.length === 0) {
      const own = live.filter(isOwn).length;
      return [ok("feed keys", `${own} open files, ${live.length - own} of custodians verify signatures`)];
    }
    const named = faults.slice(0, NAMED).join("; ");
    return [
      warn(
        "feed keys",
        faults.length > NAMED ? `${named}; …` : named,
        "wealth-connect feed-keys list, then feed-keys generate, import or trust",
      ),
    ];
  }
}

function isOwn({ kind }: FeedKeyRecord): boolean {
  return kind === "own";
}
