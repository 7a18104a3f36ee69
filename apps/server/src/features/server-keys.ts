import type { Feature, Platform } from "../feature.js";

/** Reads the server's own keys again and again, for another server may have rotated one. */
export function serverKeys({ keys, schedule, log }: Pick<Platform, "keys" | "schedule" | "log">): Feature {
  const timer = setInterval(() => {
    keys.reload().catch((err: unknown) => log.error({ err }, "the server's own keys could not be read again"));
  }, schedule.serverKeys);
  timer.unref();
  return {
    close: async () => clearInterval(timer),
  };
}
