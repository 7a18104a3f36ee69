import type { Refreshes } from "@org/core";
import type { Logger } from "./log.js";

/**
 * Refreshes what is due, `parallel` connections at once, and looks for more every `everyMs`. What it leases it begins at once.
 * Stopping takes no more; `Refreshes.close` waits for what is under way.
 */
export function startRefreshJobs(deps: { refreshes: Refreshes; log: Logger; everyMs: number; parallel: number }): {
  stop: () => Promise<void>;
} {
  const { refreshes, log, parallel } = deps;
  let running = 0;
  let stopped = false;
  let looking: Promise<void> | undefined;
  const look = () => {
    if (stopped) return;
    looking ??= takeDue()
      .catch((error: unknown) => log.error({ err: error }, "no refreshes were begun; it is tried again shortly"))
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(look, deps.everyMs);
  timer.unref();
  look();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
    },
  };

  async function takeDue(): Promise<void> {
    if (running >= parallel) return;
    const leases = await refreshes.claim(parallel - running);
    for (const lease of leases) {
      running += 1;
      void refreshes.run(lease).finally(() => {
        running -= 1;
        // Half empty: one question to the database for several connections.
        if (running <= parallel / 2) look();
      });
    }
  }
}
