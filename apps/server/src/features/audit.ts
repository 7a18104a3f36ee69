import { createAuditReading } from "@org/core";
import { createAuditTrail } from "@org/installation";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";

/** The audit trail: what the authorization server reports is written a moment later, and operators read all of it. */
export function audit({
  database: { storage, oauthStore },
  runtime,
  schedule,
  log,
}: Pick<Platform, "database" | "runtime" | "schedule" | "log">) {
  const lost = new Counter({
    name: "wealth_connect_audit_events_lost_total",
    help: "Events that the audit trail could not keep; they are in the log only",
    registers: [],
  });
  const trail = createAuditTrail({
    trail: storage.auditTrail,
    applications: oauthStore.applications,
    newId: runtime.newId,
    clock: runtime.clock,
    log,
    everyMs: schedule.auditTrail,
    countMs: schedule.refusalCounts,
    onLost: (events) => lost.inc(events),
  });
  const feature: Feature = { metrics: [lost], close: trail.close };
  return { feature, record: trail.audit, reading: createAuditReading({ storage, mac: runtime.mac }) };
}
