import { cleanUp, type Storage } from "@org/core";
import type { Logger } from "./log.js";
import { type Job, repeat } from "./repeat.js";

/** Rows of each kind that have run out, by kind. */
type Counts = Readonly<Record<string, number>>;

/**
 * Runs the clean-up every `everyMs`, never two at a time. Answers how to stop it; stopping waits for the batch under way. What the
 * core keeps and what the authorization server keeps go one after the other, and neither waits for a fault of the other.
 */
export function startCleanUp(deps: {
  storage: Storage;
  /** Deletes at most `limit` rows of each kind. */
  reapOAuth: (now: Date, limit: number) => Promise<Counts>;
  clock: () => Date;
  log: Logger;
  everyMs: number;
  /** Told what each run has removed. */
  onRun?: (counts: Counts) => void;
}): Job {
  return repeat(deps.everyMs, run);

  async function run(stopping: AbortSignal): Promise<void> {
    const counts: Record<string, number> = {};
    await logged(async () => add(counts, await cleanUp(deps.storage, deps.clock())));
    await logged(() => inBatches(counts, stopping, (now) => deps.reapOAuth(now, BATCH)));
    deps.onRun?.(counts);
    if (Object.values(counts).some((count) => count > 0)) deps.log.info({ counts }, "clean-up");
  }

  /** One batch after the other while any of them is full: rows may come faster than one batch in every interval. */
  async function inBatches(
    sums: Record<string, number>,
    stopping: AbortSignal,
    batch: (now: Date) => Promise<Counts>,
  ): Promise<void> {
    const until = deps.clock().getTime() + BUDGET_MS;
    let found: Counts;
    do {
      found = await batch(deps.clock());
      add(sums, found);
    } while (
      !stopping.aborted &&
      Object.values(found).some((count) => count >= BATCH) &&
      deps.clock().getTime() < until
    );
  }

  async function logged(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      deps.log.error({ err: error }, "clean-up failed; it is tried again at the next interval");
    }
  }
}

function add(sums: Record<string, number>, counts: Counts): void {
  for (const [kind, count] of Object.entries(counts)) sums[kind] = (sums[kind] ?? 0) + count;
}

/** Small, so that no transaction is long. */
const BATCH = 500;
/** For how long one run begins new batches of what the authorization server keeps; the core counts its batches itself. */
const BUDGET_MS = 10_000;
