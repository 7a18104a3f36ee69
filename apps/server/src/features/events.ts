import { createEventReading, type NumberedEvents } from "@org/events";
import { type Finding, ok, warn } from "@org/installation";
import type { OpenedStorage } from "@org/storage-postgres";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { createAlarm } from "../jobs.js";
import { gauges } from "../measures.js";

/** Calls that may wait for events at the same time. Each costs no more than an open request. */
const WAITING = { perTenant: 10, overall: 200 };
/** Pages of the console, whose number the console bounds. */
const FOLLOWING = { perTenant: 200, overall: 400 };
/** Commits within this many milliseconds are numbered together; otherwise a busy server would query the database for each commit. */
const GATHERED_MS = 50;
/** Events that wait this long for a number show that no server numbers them. */
const LATE_MS = 60_000;

/** The event log: numbers committed events, and lets tenants and operators read it and wait for more. */
export function events({
  eventStore: store,
  onEvents,
  runtime,
  clock,
  schedule,
}: Pick<Platform, "runtime" | "clock" | "schedule"> & Pick<OpenedStorage, "eventStore" | "onEvents">) {
  const counted = new Counter({
    name: "wealth_connect_events_total",
    help: "Events that were numbered by this server, by type",
    labelNames: ["type"],
    registers: [],
  });
  const committed = createAlarm();
  const queued = createAlarm();
  onEvents(committed.ring);
  const readingFor = (waiting: typeof WAITING) =>
    createEventReading({
      store,
      mac: runtime.mac,
      everyMs: schedule.eventNews,
      waiting,
      onNumbered(numbered: readonly NumberedEvents[]) {
        for (const { type, events } of numbered) counted.inc({ type }, events);
        queued.ring();
      },
    });
  const reading = readingFor(WAITING);
  /** For console pages that follow events; they take no places from other waiting calls. */
  const following = readingFor(FOLLOWING);
  const backlog = gauges(store.backlog, [
    {
      name: "wealth_connect_events_unnumbered",
      help: "Events that wait for their number, and are shown to nobody before, counted up to 10000",
      set: (gauge, { events }) => gauge.set(events),
    },
    {
      name: "wealth_connect_events_unnumbered_age_seconds",
      help: "For how long the oldest of them waits",
      set: (gauge, { oldest }) => gauge.set(ageOf(oldest) / 1000),
    },
  ]);

  const feature: Feature = {
    metrics: [counted, ...backlog],
    jobs: [
      {
        name: "events",
        failure: "events were not numbered; will be retried shortly",
        run: (signal) => reading.number(signal),
        wakes: (listener) => committed.onRing(gathered(listener)),
      },
    ],
    check,
    reap: async (now, limit) => ({ events: await reading.reap(now, limit) }),
    stopping() {
      reading.close();
      following.close();
    },
  };
  return {
    ...feature,
    events: reading,
    following,
    /** Fires when this server has numbered events or queued some again: they are ready for delivery. */
    onQueued: queued.onRing,
    /** Called when this server has written events or deliveries elsewhere. */
    written(): void {
      committed.ring();
      queued.ring();
    },
  };

  async function check(): Promise<readonly Finding[]> {
    const { events: waiting, oldest } = await store.backlog();
    if (ageOf(oldest) < LATE_MS) return [ok("events", "numbered, and shown to those who read them")];
    const since = oldest?.toISOString();
    return [
      warn("events", `${waiting} wait for their number since ${since}`, "run a server with JOBS=true, and see its log"),
    ];
  }

  function ageOf(oldest: Date | null): number {
    return oldest === null ? 0 : Math.max(0, clock().getTime() - oldest.getTime());
  }
}

/** Debounces `listener`: it is called a moment after the first call, once for all calls in between. */
function gathered(listener: () => void): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      listener();
    }, GATHERED_MS).unref();
  };
}
