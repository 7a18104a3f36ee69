import { createTenantLimits, type Storage } from "@org/core";
import type { Feature, Platform } from "../feature.js";
import { gauges } from "../measures.js";

/** How long a count across all tenants is cached, in milliseconds, because it reads every tenant. */
const FRESH_MS = 60_000;

/** The limits of tenants, see docs/reference/limits.md. */
export async function tenantLimits({
  storage,
  runtime,
  clock,
  schedule,
  historyDays,
}: Pick<Platform, "runtime" | "clock" | "schedule"> & { storage: Storage; historyDays: number }) {
  const limits = createTenantLimits({ storage, runtime, defaults: { history_days: historyDays } });
  await limits.load();
  // Overrides apply once they are read: without this timer, an idle server would answer its first requests by the old limits.
  const timer = setInterval(() => void limits.load().catch(() => undefined), schedule.limits).unref();
  let counted: { readonly at: number; readonly pressure: ReturnType<typeof limits.pressure> } | null = null;
  const metrics = gauges(() => {
    const at = clock().getTime();
    if (counted === null || at - counted.at > FRESH_MS) {
      const pressure = limits.pressure();
      counted = { at, pressure };
      pressure.catch(() => {
        counted = null;
      });
    }
    return counted.pressure;
  }, [
    {
      name: "wealth_connect_tenants_near_limit",
      help: "Tenants that have four fifths or more of what they may have, by limit",
      labelNames: ["limit"],
      set(gauge, found) {
        for (const [limit, { near }] of Object.entries(found)) gauge.set({ limit }, near);
      },
    },
    {
      name: "wealth_connect_limit_used_ratio",
      help: "What the tenant that is nearest to a limit has of it, by limit; 1 is all of it",
      labelNames: ["limit"],
      set(gauge, found) {
        for (const [limit, { highest }] of Object.entries(found)) gauge.set({ limit }, highest);
      },
    },
  ]);
  const feature: Feature = {
    metrics,
    close: async () => clearInterval(timer),
  };
  return { ...feature, limits };
}
