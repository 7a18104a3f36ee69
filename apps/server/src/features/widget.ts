import { createCustomerSessions } from "@org/core";
import { createWidgetPages, type WidgetClient } from "@org/widget";
import type { Feature, Platform } from "../feature.js";
import type { banks } from "./banks.js";

/** The pages behind a `widget_url`, on which a bank customer logs in at the bank. */
export function widget({
  database: { storage },
  runtime,
  publicUrl,
  log,
  connectors,
  providers,
  client,
}: Pick<Platform, "database" | "runtime" | "publicUrl" | "log"> &
  Pick<Awaited<ReturnType<typeof banks>>, "connectors" | "providers"> & {
    /** What takes the pages over where JavaScript runs; null when it was not built. */
    client: WidgetClient | null;
  }): Feature {
  const sessions = createCustomerSessions({
    storage,
    runtime,
    connectors,
    providers,
    onProviderFault: ({ error, ...facts }) => log.warn({ err: error, ...facts }, "bank call failed"),
  });
  return {
    routes: { handle: createWidgetPages({ sessions, publicUrl, log, client }) },
    // Logins that a bank is still answering.
    drain: sessions.drain,
  };
}
