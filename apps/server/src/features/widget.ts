import {
  createCustomerSessions,
  createSavedAccesses,
  type InstitutionFigureService,
  type Revocations,
  releaseCutOffLogins,
} from "@org/core";
import { createWidgetPages, type WidgetClient } from "@org/widget";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";

/** Sessions that one run closes or polls at most; the next run continues. */
const BATCH = 100;

/** The pages behind a `widget_url`, on which a bank customer logs in at the bank. */
export function widget({
  storage,
  runtime,
  publicUrl,
  schedule,
  log,
  connectors,
  providers,
  client,
  figures,
  revocations,
}: Pick<Platform, "runtime" | "publicUrl" | "schedule" | "log"> &
  Pick<Parameters<typeof createCustomerSessions>[0], "storage" | "connectors" | "providers"> & {
    revocations: Revocations;
    /** The script that takes over the pages where JavaScript runs; null when it was not built. */
    client: WidgetClient | null;
    /** Called with the outcome of each login. */
    figures: Pick<InstitutionFigureService, "note">;
  }): Feature {
  const sessions = createCustomerSessions({
    storage,
    runtime,
    connectors,
    providers,
    revocations,
    publicUrl,
    leaseMs: schedule.loginLease,
    onProviderFault: ({ error, ...facts }) => log.warn({ err: error, ...facts }, "bank call failed"),
    onLogin: ({ connector_id, outcome }) => figures.note("login", connector_id, outcome),
  });
  const savedAccesses = createSavedAccesses({ storage, runtime, revocations });
  const cutOff = new Counter({
    name: "wealth_connect_logins_cut_off_total",
    help: "Logins whose server ended while it talked to a bank; their customers may log in again",
    registers: [],
  });
  return {
    metrics: [cutOff],
    jobs: [
      {
        name: "cutOffLogins",
        failure: "logins that were cut off were not given back to their customers; will be retried shortly",
        async run() {
          for (const login of await releaseCutOffLogins({ storage, runtime }, BATCH)) {
            cutOff.inc();
            log.warn(login, "a login was cut off; its customer may log in again");
          }
        },
      },
      {
        name: "unfollowedChallenges",
        failure: "banks were not asked about challenges whose pages are closed; will be retried shortly",
        run: () => sessions.followChallenges(BATCH),
      },
      {
        name: "savedAccesses",
        failure: "what logins without a connection have made at institutions was not revoked; will be retried shortly",
        run: () => savedAccesses.revokeDue(BATCH),
      },
    ],
    routes: { handle: createWidgetPages({ sessions, publicUrl, log, client }) },
    // Logins that a bank is still answering.
    drain: sessions.drain,
  };
}
