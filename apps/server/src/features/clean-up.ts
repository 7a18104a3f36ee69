import { deleteExpired as cleanUpCore, keepMonths, type Storage } from "@org/core";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { logFailure } from "../jobs.js";

/** Expired rows, counted by kind. */
type Counts = Readonly<Record<string, number>>;

/** Rows per batch: small, so that no transaction takes long. */
const BATCH = 500;
/** For how long one run starts new batches of the features' rows; core counts its own batches. */
const BUDGET_MS = 10_000;
const FAILURE = "clean-up failed; will be retried at the next interval";

/**
 * Deletes expired data: core's rows, objects in a bucket, and the features' rows; then keeps the months that are over. The steps run one after the other, and a failure of one does
 * not stop the next.
 */
export function cleanUp(deps: {
  storage: Storage;
  features: readonly Pick<Feature, "reap">[];
  /** Removes letters' objects that are no longer referenced from their bucket; returns how many. */
  reapObjects: (stopping: AbortSignal) => Promise<number>;
  clock: () => Date;
  /** For how many days it is kept what accounts were worth, where no limit says otherwise. */
  historyDays: number;
  log: Pick<Platform["log"], "info" | "debug" | "error">;
}) {
  const { clock, historyDays, log } = deps;
  const reaped = new Counter({
    name: "wealth_connect_reaped_rows_total",
    help: "Rows and objects removed by the clean-up, by kind",
    labelNames: ["kind"],
    registers: [],
  });
  return {
    metrics: [reaped],
    jobs: [{ name: "cleanUp", run, failure: FAILURE }],
  } as const satisfies Feature;

  /** Returns the counts of what it deleted. */
  async function run(stopping: AbortSignal): Promise<Counts> {
    const counts: Record<string, number> = {};
    await logged(async () => add(counts, await cleanUpCore(deps.storage, clock(), { historyDays })));
    await logged(async () => {
      const objects = await deps.reapObjects(stopping);
      if (objects > 0) add(counts, { objects });
    });
    await logged(() => inBatches(counts, stopping));
    await logged(() => keepMonths(deps.storage, clock()));
    for (const [kind, count] of Object.entries(counts)) reaped.inc({ kind }, count);
    if (Object.values(counts).some((count) => count > 0)) log.info({ counts }, "clean-up");
    return counts;
  }

  /** Repeats batches while any of them is full, because rows may arrive faster than one batch for each interval. */
  async function inBatches(sums: Record<string, number>, stopping: AbortSignal): Promise<void> {
    const until = clock().getTime() + BUDGET_MS;
    let found: Record<string, number>;
    do {
      found = {};
      const now = clock();
      for (const { reap } of deps.features) Object.assign(found, await reap?.(now, BATCH));
      add(sums, found);
    } while (!stopping.aborted && Object.values(found).some((count) => count >= BATCH) && clock().getTime() < until);
  }

  async function logged(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      logFailure(log, error, FAILURE);
    }
  }
}

function add(sums: Record<string, number>, counts: Counts): void {
  for (const [kind, count] of Object.entries(counts)) sums[kind] = (sums[kind] ?? 0) + count;
}
