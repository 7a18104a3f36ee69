import type { OpenedStorage, StorageOptions } from "@org/storage-postgres";
import { Counter, Gauge, type Metric } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { durations } from "../measures.js";

/** How often a full disk is logged. */
const LOG_INTERVAL_MS = 60_000;

/**
 * What the server reports about its database: two log lines for each outage, and metrics of the connections.
 * @param isMeasured whether metrics are enabled
 */
export function databaseWatch(log: Platform["log"], isMeasured: boolean) {
  const waits = durations(
    "wealth_connect_database_wait_seconds",
    "How long work waited for a database connection, by use; what waited not at all is not counted",
    ["use"],
    "quick",
  );
  const noRoom = new Counter({
    name: "wealth_connect_database_full_total",
    help: "Changes that were refused because the database has no room on its disk",
    registers: [],
  });
  let saidNoRoomAt = Number.NEGATIVE_INFINITY;
  const options = {
    onNoRoom(error) {
      noRoom.inc();
      if (performance.now() - saidNoRoomAt < LOG_INTERVAL_MS) return;
      saidNoRoomAt = performance.now();
      log.error({ err: error }, "the database has no room left on its disk: changes are answered 503, reading goes on");
    },
    onAvailabilityChange(news) {
      if ("away" in news)
        log.error(
          { err: news.away },
          "the database is away: requests wait two seconds for it, then they are answered 503",
        );
      else log.warn({ away_ms: Math.round(news.backAfterMs) }, "the database is back");
    },
    ...(isMeasured && { onWaited: (use, ms) => waits.observe({ use }, ms) }),
  } satisfies StorageOptions;

  return {
    /** The options with which the database is opened. */
    options,
    feature: (database: Pick<OpenedStorage, "load">): Feature => ({
      metrics: [waits.metric, noRoom, ...metricsOf(database)],
    }),
  };
}

function metricsOf({ load }: Pick<OpenedStorage, "load">): Metric[] {
  return [
    new Gauge({
      name: "wealth_connect_database_connections",
      help: "Database connections by use: in use (running), and how much work waits for one (waiting)",
      labelNames: ["use", "state"],
      registers: [],
      collect() {
        for (const [use, { running, waiting }] of Object.entries(load().workloads)) {
          this.set({ use, state: "running" }, running);
          this.set({ use, state: "waiting" }, waiting);
        }
      },
    }),
    new Gauge({
      name: "wealth_connect_database_tenants_waiting",
      help: "Tenants that wait for a database connection",
      registers: [],
      collect() {
        this.set(load().tenantsWaiting);
      },
    }),
    new Gauge({
      name: "wealth_connect_database_unavailable",
      help: "1 while the database does not answer",
      registers: [],
      collect() {
        this.set(load().isUnavailable ? 1 : 0);
      },
    }),
    sinceStart("wealth_connect_database_absences_total", "How often the database was away", () => load().absences),
    sinceStart(
      "wealth_connect_database_unavailable_seconds_total",
      "For how long the database was away",
      () => load().awayMs / 1000,
    ),
  ];
}

/** A counter whose value is counted elsewhere. */
function sinceStart(name: string, help: string, count: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(count());
    },
  });
}
