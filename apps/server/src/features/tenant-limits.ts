import { createTenantLimits } from "@org/core";
import type { Feature, Platform } from "../feature.js";
import { gauges } from "../measures.js";

/** How long a count of what all tenants have is shown, in milliseconds: it looks at every tenant. */
const FRESH_MS = 60_000;

/** What tenants may have at most, see docs/limits.md. */
export async function tenantLimits({
  database: { storage },
  runtime,
  clock,
}: Pick<Platform, "database" | "runtime" | "clock">) {
  const limits = createTenantLimits({ storage, runtime });
  await limits.load();
  let counted: { readonly at: number; readonly near: ReturnType<typeof limits.nearLimits> } | null = null;
  const near = gauges(() => {
    const at = clock().getTime();
    if (counted === null || at - counted.at > FRESH_MS) {
      const near = limits.nearLimits();
      counted = { at, near };
      near.catch(() => {
        counted = null;
      });
    }
    return counted.near;
  }, [
    {
      name: "wealth_connect_tenants_near_limit",
      help: "Tenants that have four fifths or more of what they may have, by limit",
      labelNames: ["limit"],
      set(gauge, found) {
        for (const [limit, tenants] of Object.entries(found)) gauge.set({ limit }, tenants);
      },
    },
  ]);
  const feature: Feature = { metrics: near };
  return { feature, limits };
}
