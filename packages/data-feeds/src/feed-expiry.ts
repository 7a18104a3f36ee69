import type { Storage } from "@org/core";
import { systemActor } from "@org/core";
import type { FeedReport } from "./data-feeds.js";
import { emitRefused } from "./feed-events.js";
import { type FeedTarget, locateFeed } from "./feed-target.js";

/**
 * Reports a file that failed repeatedly for a reason other than a refusal, and tells its tenant. Operators handle it from then on.
 * @throws CoreError NOT_FOUND, and what the storage throws; nothing was reported then
 */
export type GiveUp = (target: FeedTarget, file: { readonly name: string; readonly reason: string }) => Promise<void>;

export function createGiveUp(deps: {
  storage: Storage;
  bankOf: (connectorId: string) => Promise<string | null>;
  onFile?: (report: FeedReport) => void;
}): GiveUp {
  return async (target, { name, reason }) => {
    const { tenant_id, ...place } = await locateFeed(deps, target);
    await deps.storage.inTenant(tenant_id, (stores) => emitRefused(stores, place, "unreadable"));
    deps.onFile?.({
      outcome: "refused",
      name,
      format: null,
      connection_id: place.connection_id ?? null,
      warnings: 0,
      differences: 0,
      gap_days: 0,
      reason,
      trace_id: systemActor.trace_id,
    });
  };
}
