import {
  createConsentNotices,
  createRefreshes,
  type InstitutionFigureService,
  outcomeOfRefresh,
  type RefreshReport,
  type TenantAccess,
} from "@org/core";
import { Counter } from "prom-client";
import { type Feature, GRACE_MS, type Platform } from "../feature.js";
import { createAlarm, leaseJob } from "../jobs.js";
import type { Logger } from "../log.js";
import { durations, gauges } from "../measures.js";
import { setSpanOutcome } from "../tracing/spans.js";

/**
 * Refreshes wait for banks and compute little, so there are more of them than cores. The embedded database has one connection for all of
 * them.
 */
const PARALLEL = 10;
/** Places that one bank or one tenant may hold, so that the others still get one, however many connections it has and however slow it is. */
const PLACES_OF_EACH = 8;

/** Refreshes connections when they are due. */
export function refreshes({
  storage,
  runtime,
  clock,
  log,
  providers,
  connectors,
  openBreakers,
  access,
  figures,
}: Pick<Platform, "runtime" | "clock" | "log"> &
  Required<Pick<Parameters<typeof createRefreshes>[0], "storage" | "providers" | "connectors" | "openBreakers">> & {
    access: TenantAccess;
    /** Called with the outcome of each refresh. */
    figures: Pick<InstitutionFigureService, "note">;
  }) {
  const took = durations(
    "wealth_connect_refresh_seconds",
    "Refreshes of bank connections by outcome",
    ["outcome"],
    "slow",
  );
  const postponements = new Counter({
    name: "wealth_connect_refreshes_postponed_total",
    help: "Times that a connection was put off because servers ended while they refreshed it",
    registers: [],
  });
  const resumed = createAlarm();
  const service = createRefreshes({
    storage,
    runtime,
    providers,
    connectors,
    access,
    openBreakers,
    placesOfEach: PLACES_OF_EACH,
    onResume: resumed.ring,
    onPostponed(postponement) {
      postponements.inc();
      log.error(postponement, "refreshes of a connection do not end: their servers did, and the connection is put off");
    },
    onRefresh(report) {
      took.observe({ outcome: report.outcome }, report.milliseconds);
      setSpanOutcome(report.outcome);
      figures.note("refresh", report.connector_id, outcomeOfRefresh[report.outcome]);
      logRefresh(log, report);
    },
  });
  const backlog = gauges(
    () => storage.refreshQueue.backlog(clock()),
    [
      {
        name: "wealth_connect_refreshes_due",
        help: "Connections that are due and that nobody refreshes",
        set: (gauge, { due }) => gauge.set(due),
      },
      {
        name: "wealth_connect_refresh_overdue_seconds",
        help: "For how long the oldest of them has been due",
        set: (gauge, { oldest_due_at: oldest }) =>
          gauge.set(oldest ? (clock().getTime() - oldest.getTime()) / 1000 : 0),
      },
      {
        name: "wealth_connect_connections_relogin_needed",
        help: "Connections that wait for a re-login",
        set: (gauge, { relogin_needed }) => gauge.set(relogin_needed),
      },
      {
        name: "wealth_connect_consents_to_renew",
        help: "Connections whose customer's consent runs out within seven days",
        set: (gauge, { consents_to_renew }) => gauge.set(consents_to_renew),
      },
    ],
  );

  const feature: Feature = {
    jobs: [
      {
        ...leaseJob({ name: "refreshes", claim: service.claim, work: service.run, parallel: PARALLEL }),
        wakes: resumed.onRing,
      },
      {
        name: "consentNotices",
        run: createConsentNotices({ storage, runtime }).notifyEndingConsents,
        failure: "consents that run out could not be looked for; will be retried",
      },
    ],
    metrics: [took.metric, postponements, ...backlog],
    drain: () => service.close(GRACE_MS),
  };
  return { ...feature, refreshes: service };
}

/** One log line for each refresh; an outcome that an operator may have to examine is a warning. */
function logRefresh(log: Logger, { error, ...facts }: RefreshReport): void {
  if (facts.outcome === "failed" || facts.outcome === "already_exists") log.warn({ err: error, ...facts }, "refresh");
  else if (facts.outcome === "postponed") log.info({ reason: String(error), ...facts }, "refresh");
  else log.info(facts, "refresh");
}
