import type { Logger } from "./log.js";
import { type Job, repeat } from "./repeat.js";

/**
 * Works through what is due in a queue of leases, `parallel` at once, and looks for more every `everyMs`. What it leases it begins
 * at once. Stopping takes no more; whoever runs the leases waits for what is under way.
 */
export function startLeaseJobs<Lease>(deps: {
  /** What is worked on, for the log: "refreshes". */
  what: string;
  claim: (limit: number) => Promise<readonly Lease[]>;
  /** Never throws. */
  run: (lease: Lease) => Promise<unknown>;
  log: Logger;
  everyMs: number;
  parallel: number;
}): Job {
  const { log, parallel } = deps;
  let running = 0;
  const job = repeat(deps.everyMs, async ({ aborted }) => {
    if (aborted) return;
    try {
      await takeDue();
    } catch (error) {
      log.error({ err: error }, `no ${deps.what} were begun; it is tried again shortly`);
    }
  });
  return job;

  async function takeDue(): Promise<void> {
    if (running >= parallel) return;
    for (const lease of await deps.claim(parallel - running)) {
      running += 1;
      void deps.run(lease).finally(() => {
        running -= 1;
        // Half empty: one question to the database for several leases.
        if (running <= parallel / 2) job.again();
      });
    }
  }
}
