import type { OpenedStorage } from "@org/storage-postgres";
import type { Feature, Platform } from "../feature.js";
import { gauges } from "../measures.js";

/** From this difference on, the machine's clock needs attention: timestamps in logs are wrong, and TLS will fail at some point. */
const CLOCK_SKEW_WARNING_SECONDS = 5;

/** Keeps the server's time in step with the database's. */
export function databaseClock({
  databaseClock: { measure, offsetSeconds },
  schedule,
  log,
}: Pick<Platform, "schedule" | "log"> & { databaseClock: OpenedStorage["clock"] }): Feature {
  let wasMuch = false;
  const tell = () => {
    const isMuch = Math.abs(offsetSeconds()) > CLOCK_SKEW_WARNING_SECONDS;
    if (isMuch && !wasMuch)
      log.warn(
        { offset_seconds: offsetSeconds() },
        "this machine's clock differs from the database's, which the server goes by: let both keep their time by NTP",
      );
    wasMuch = isMuch;
  };
  tell();
  // An unavailable database is logged elsewhere; the clock keeps running meanwhile.
  const timer = setInterval(() => void measure().then(tell, () => undefined), schedule.clock);
  timer.unref();
  return {
    metrics: gauges(
      async () => offsetSeconds(),
      [
        {
          name: "wealth_connect_clock_offset_seconds",
          help: "How far this machine's clock is ahead of the database's",
          set: (gauge, seconds) => gauge.set(seconds),
        },
      ],
    ),
    close: async () => clearInterval(timer),
  };
}
