import { cleanUp, type Storage } from "@org/core";
import type { Logger } from "./log.js";

/** Runs the clean-up every `everyMs`, never two at a time. Answers how to stop it; stopping waits for a run under way. */
export function startCleanUp(deps: {
  storage: Storage;
  reapOAuth: (now: Date) => Promise<Readonly<Record<string, number>>>;
  clock: () => Date;
  log: Logger;
  everyMs: number;
  onRun?: (counts: Readonly<Record<string, number>>) => void;
}): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const tick = () => {
    running ??= run().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(tick, deps.everyMs);
  timer.unref();
  tick();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };

  async function run(): Promise<void> {
    try {
      const now = deps.clock();
      const counts = { ...(await cleanUp(deps.storage, now)), ...(await deps.reapOAuth(now)) };
      deps.onRun?.(counts);
      if (Object.values(counts).some((count) => count > 0)) deps.log.info({ counts }, "clean-up");
    } catch (error) {
      deps.log.error({ err: error }, "clean-up failed; it is tried again at the next interval");
    }
  }
}
