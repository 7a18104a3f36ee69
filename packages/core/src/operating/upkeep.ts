import { utcDay } from "@org/provider-kit";
import type { LetterStorage } from "../letters/storage.js";

/** How long data is kept after it is no longer needed. */
export interface Retention {
  /** A replaced snapshot stays readable for clients that are still paging. */
  readonly replacedSnapshotsMs: number;
  /** What a transaction said before it was replaced or withdrawn. */
  readonly formerVersionsMs: number;
  /** What accounts were worth, in days, where no limit `history_days` is set. */
  readonly historyDays: number;
  /** A finished session stays visible to its creator. */
  readonly finishedSessionsMs: number;
  /** A mail that was sent or withdrawn stays visible to operators, without its address. */
  readonly settledMailsMs: number;
}

/**
 * A day would be too short for sessions: a support case needs them in svc-session-status. A month is enough. Former versions outlive a year, so that
 * the papers of a year can be compared with what was stated in it.
 */
const defaultRetention: Retention = {
  replacedSnapshotsMs: 60 * 60 * 1000,
  formerVersionsMs: 400 * 24 * 60 * 60 * 1000,
  historyDays: 3_660,
  finishedSessionsMs: 30 * 24 * 60 * 60 * 1000,
  settledMailsMs: 90 * 24 * 60 * 60 * 1000,
};

const BATCH = 500;
/** Accounts of which months are kept at a time: what is published for their tenant waits meanwhile. */
const KEEP_BATCH = 100;
const MAX_BATCHES = 200;

/** Expires open sessions and deletes expired data, in small batches so that no transaction is long. Returns counts per kind. */
export async function deleteExpired(
  storage: LetterStorage,
  now: Date,
  changed: Partial<Retention> = {},
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const retention = { ...defaultRetention, ...changed };
  const historyLimits = (await storage.limits.overrides()).filter(({ name }) => name === "history_days");
  const ofAll = historyLimits.find(({ tenant_id }) => tenant_id === null);
  const dayBefore = (days: number) => utcDay(new Date(now.getTime() - days * 24 * 60 * 60 * 1000));
  const cutoffs = {
    now,
    finished_sessions_before: new Date(now.getTime() - retention.finishedSessionsMs),
    replaced_snapshots_before: new Date(now.getTime() - retention.replacedSnapshotsMs),
    former_versions_before: new Date(now.getTime() - retention.formerVersionsMs),
    valuations_before: dayBefore(ofAll?.value ?? retention.historyDays),
    tenant_valuations_before: Object.fromEntries(
      historyLimits.flatMap(({ tenant_id, value }) => (tenant_id === null ? [] : [[tenant_id, dayBefore(value)]])),
    ),
    settled_mails_before: new Date(now.getTime() - retention.settledMailsMs),
  };
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const expired = await storage.upkeep.expireSessions(now, BATCH);
    const reaped = await storage.upkeep.reap(cutoffs, BATCH);
    const round = { sessions_expired: expired, ...reaped };
    for (const [kind, count] of Object.entries(round)) counts[kind] = (counts[kind] ?? 0) + count;
    if (Object.values(round).every((count) => count < BATCH)) break;
  }
  return counts;
}

/** Keeps what accounts were worth at the ends of past months ({@link Upkeep.keepMonths}), in small batches. */
export async function keepMonths({ upkeep }: Pick<LetterStorage, "upkeep">, now: Date): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1)
    if ((await upkeep.keepMonths(utcDay(now), KEEP_BATCH)) === 0) return;
}
