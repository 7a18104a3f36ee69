import type { Feature, Platform } from "../feature.js";
import { logFailure } from "../jobs.js";

/** When the keys could not be read: long before a new one is used, and soon after the database is back. */
const AGAIN_MS = 1_000;

/** Reads the server's own keys again and again, for another server may have rotated one. */
export function serverKeys({ keys, schedule, log }: Pick<Platform, "keys" | "schedule" | "log">): Feature {
  let timer: NodeJS.Timeout;
  let isClosed = false;
  const next = (milliseconds: number) => {
    if (isClosed) return;
    timer = setTimeout(read, milliseconds);
    timer.unref();
  };
  const read = () =>
    keys.reload().then(
      () => next(schedule.serverKeys),
      (error: unknown) => {
        logFailure(log, error, "the server's own keys could not be read again; it is tried again in a second");
        next(Math.min(AGAIN_MS, schedule.serverKeys));
      },
    );
  next(schedule.serverKeys);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
