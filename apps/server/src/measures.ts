import type { SemaphoreLoad } from "@org/admission";
import { Gauge, Histogram, type Metric } from "prom-client";

/** Histogram buckets in seconds for work on this machine. */
const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Histogram buckets in seconds for banks and mail servers. */
const SLOW = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Measures how often and how long something happened; not yet registered. */
export function durations<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  pace: "quick" | "slow",
) {
  const histogram = new Histogram<Label>({
    name,
    help,
    labelNames: [...labelNames],
    buckets: pace === "quick" ? QUICK : SLOW,
    registers: [],
  });
  return {
    metric: histogram as Metric,
    observe: (labels: Record<Label, string>, milliseconds: number) => histogram.observe(labels, milliseconds / 1000),
  };
}

/** A gauge of how many are running and how many wait. @param help what they are, in the plural */
export function loadGauge(name: string, help: string, load: SemaphoreLoad): Metric {
  return new Gauge({
    name,
    help: `${help} that have their turn (running) and that wait for it (waiting)`,
    labelNames: ["state"],
    registers: [],
    collect() {
      this.set({ state: "running" }, load.running);
      this.set({ state: "waiting" }, load.waiting);
    },
  });
}

/** Gauges that one callback fills whenever the metrics are read. A callback that fails leaves them unchanged. */
export function gauges<Found>(
  read: () => Promise<Found>,
  table: readonly {
    readonly name: string;
    readonly help: string;
    readonly labelNames?: string[];
    readonly set: (gauge: Gauge, found: Found) => void;
  }[],
): Metric[] {
  let reading: Promise<Found | null> | null = null;
  const readOnce = () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  return table.map(
    ({ set, ...facts }) =>
      new Gauge({
        ...facts,
        registers: [],
        async collect() {
          const found = await readOnce();
          if (found !== null) set(this, found);
        },
      }),
  );
}
