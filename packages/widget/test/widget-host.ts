import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CustomerSessions, createConnectors, createCustomerSessions, createSessions, type Uuid } from "@org/core";
import { createMemoryStorage, createTestRuntime, directoryOf } from "@org/core/testing";
import { createEdge } from "@org/http";
import { createBrowser } from "@org/pages/testing";
import express from "express";
import { createWidgetPages, type WidgetClient } from "../src/index.js";
import { createScriptedBank } from "./scripted-bank.js";

const TENANT = "01900000-0000-7000-8000-0000000000aa" as Uuid;
const actor = {
  tenant_id: TENANT,
  application_id: "01900000-0000-7000-8000-0000000000bb",
  trace_id: null,
  address: null,
};
const RETURN = "https://app.example/done?a=1";

const banks = [
  { id: "esp:caja", name: "Caja <Norte> & Sur", country: "esp" },
  { id: "esp:banco", name: "Banco Sol", country: "esp" },
  { id: "fra:banque", name: "Banque Bleue", country: "fra" },
  { id: "fra:closed", name: "Banque Fermée", country: "fra", available: false },
  { id: "deu:feed", name: "Depotfeed", country: "deu", type: "datafeed" },
  ...Array.from({ length: 60 }, (_, index) => ({
    id: `usa:bank-${index}`,
    name: `Prairie Bank ${index}`,
    country: "usa",
  })),
];

/** Serves the pages over core's own sessions, memory storage and a scripted bank, on a separate port. */
export async function startWidget(
  publicUrl = "http://localhost:3000",
  client: WidgetClient | null = null,
  catalogue: readonly object[] = banks,
) {
  const storage = createMemoryStorage();
  const runtime = createTestRuntime(new Date());
  await storage.tenants.create({ tenant_id: TENANT, name: "Tenant", created_at: runtime.clock() });
  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac: runtime.mac,
    defaultProvider: "scripted",
  });
  await connectors.importLines(catalogue.map((bank) => JSON.stringify(bank)));
  const bank = createScriptedBank();
  const customer = createCustomerSessions({
    publicUrl,
    storage,
    runtime,
    connectors,
    providers: directoryOf(bank),
    onProviderFault: () => {},
  });
  const programs = createSessions({
    storage,
    runtime,
    connectors,
    redirectUrls: async () => [RETURN],
    publicUrl,
    ttlSeconds: 1800,
  });
  const host = await startPages(customer, publicUrl, client);
  return {
    ...host,
    bank,
    advance: runtime.advance,
    settle: () => customer.drain(),
    /** Opens a session like a tenant's program; returns the path of its widget_url and its id. */
    async openSession(configuration: Record<string, unknown> = { connector_id: "esp:banco" }) {
      const { session, widget_url } = await programs.create(actor, configuration);
      return { path: new URL(widget_url).pathname, id: session.session_id };
    },
    status: (sessionId: string) => programs.status(actor, sessionId),
    returnUrl: RETURN,
  };
}

/** Serves the pages over any sessions. `logged` has the log entries. */
export async function startPages(
  sessions: CustomerSessions,
  publicUrl = "http://localhost:3000",
  client: WidgetClient | null = null,
) {
  const logged: unknown[] = [];
  const log = { error: (...entry: unknown[]) => void logged.push(entry) };
  const edge = createEdge({ newTraceId: () => "c".repeat(32) });
  const app = express().use((request, response, next) => {
    edge.begin(request, response);
    next();
  });
  app.use(createWidgetPages({ sessions, publicUrl, log, client }));
  const server = createServer(app).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    logged,
    origin,
    browser: () => createBrowser(new Map(), origin),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
