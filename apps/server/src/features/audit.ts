import { createAuditReading } from "@org/core";
import { type Config, createAuditTrail } from "@org/installation";
import type { OpenedStorage } from "@org/storage-postgres";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import type { Job } from "../jobs.js";

/** Lines that one run adds to the chain. More arrive only when tokens are issued by the thousand, and those wait. */
const SEALING_BATCH = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * The audit trail: the authorization server's events are written a moment later, a job chains the written lines, and operators read all of
 * it.
 */
export function audit({
  config,
  storage,
  oauthStore,
  runtime,
  schedule,
  log,
}: Pick<Platform, "runtime" | "schedule" | "log"> &
  Pick<OpenedStorage, "storage" | "oauthStore"> & { config: Pick<Config, "auditRefusalDays"> }) {
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
  const reading = createAuditReading({ storage, mac: runtime.mac });
  const feature: Feature = { metrics: [lost], jobs: [chaining(), heads()], reap, close: trail.close };
  return {
    ...feature,
    record: trail.audit,
    recordRead: trail.read,
    requestAnswered: trail.requestAnswered,
    auditTrail: reading,
  };

  function chaining(): Job {
    let isFailing = false;
    return {
      name: "auditChain",
      failure: "the audit trail's chain was not continued; will be retried shortly",
      async run() {
        try {
          await storage.auditChain.seal(SEALING_BATCH);
          isFailing = false;
        } catch (error) {
          // The job runs every second; one log line for a failure is enough.
          if (isFailing) return;
          isFailing = true;
          throw error;
        }
      },
    };
  }

  /** Logs the chain's head, so that the log holds heads that someone with access to only the database cannot change. */
  function heads(): Job {
    let before = { sequence: 0, waiting: 0 };
    return {
      name: "auditHead",
      failure: "the head of the audit trail's chain could not be read",
      async run() {
        const { waiting, ...head } = await reading.head();
        const isStuck = waiting > 0 && before.waiting > 0 && head.sequence === before.sequence;
        if (isStuck) log.error({ audit_head: head, waiting }, "audit trail: lines wait for their place in the chain");
        else if (head.sequence > before.sequence) log.info({ audit_head: head }, "audit trail: head of the chain");
        before = { sequence: head.sequence, waiting };
      },
    };
  }

  /** Deletes expired refusals. */
  async function reap(now: Date, limit: number) {
    if (config.auditRefusalDays === 0) return { refusals: 0 };
    const before = new Date(now.getTime() - config.auditRefusalDays * DAY_MS);
    return { refusals: await storage.auditChain.eraseRefusals(before, limit) };
  }
}
