import { createRevocations } from "@org/core";
import { Counter } from "prom-client";
import { type Feature, GRACE_MS, type Platform } from "../feature.js";

/** Revokes the access of removed connections, and of logins that became none, at their institutions. */
export function revocations({
  runtime,
  log,
  providers,
  connectors,
}: Pick<Platform, "runtime" | "log"> & Pick<Parameters<typeof createRevocations>[0], "providers" | "connectors">) {
  const counted = new Counter({
    name: "wealth_connect_revocations_total",
    help: "Accesses of removed connections and of logins that became none that were given back to their institutions, or were not, by outcome",
    labelNames: ["outcome"],
    registers: [],
  });
  const revocations = createRevocations({
    runtime,
    providers,
    connectors,
    onRevocation({ error, ...facts }) {
      counted.inc({ outcome: facts.outcome });
      const isDone = facts.outcome === "revoked" || facts.outcome === "kept";
      if (isDone) log.info(facts, "access that no connection has any more");
      else log.warn({ err: error, ...facts }, "access that no connection has any more");
    },
  });
  const feature: Feature = { metrics: [counted], drain: () => revocations.close(GRACE_MS) };
  return { ...feature, revocations };
}
