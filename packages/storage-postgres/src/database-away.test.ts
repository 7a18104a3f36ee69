import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import {
  type BankProvider,
  type Connector,
  createConnectors,
  createCredentials,
  createCustomerSessions,
  createRefreshes,
  createSessions,
  type FetchResult,
} from "@org/core";
import { createMemoryTenantAccess, createTestRuntime } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedStorage, openStorage } from "./open-storage.js";
import { createPostgresTestDatabase, testDatabaseUrl } from "./testing/index.js";

const connector: Connector = {
  id: "esp:bank",
  name: "Bank",
  type: "e-banking",
  countries: ["esp"],
  available: true,
  provider: "scripted",
  metadata: {},
};
const found: FetchResult = {
  snapshot: {
    as_of: new Date("2026-03-01T18:00:00.000Z"),
    portfolios: [{ key: "p", name: "Depot", balance: "1.00", currency: "EUR", ref_account: null, type: "S" }],
    holdings: [],
    transactions: [],
  },
  consent_expires_at: null,
};

/** What a restart of the database, or of what stands before it, looks like: connections break, and new ones are refused. */
describe.skipIf(!testDatabaseUrl)("a database that is away", () => {
  let database: Awaited<ReturnType<typeof createPostgresTestDatabase>>;
  let line: Awaited<ReturnType<typeof createLine>>;
  let opened: OpenedStorage;
  let services: Awaited<ReturnType<typeof compose>>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    line = await createLine(database.url);
    opened = await openStorage({ databaseUrl: line.url }, () => new Date());
    services = await compose(opened, line);
  });
  afterAll(async () => {
    await line?.up();
    await opened?.close();
    await line?.close();
    await database?.close();
  });

  it("in mid-login is waited for: the customer is connected", async () => {
    services.duringFetch(line.down);
    const session = await services.logIn("ada");
    expect(services.pauses()).toBeGreaterThan(1);
    expect(session).toMatchObject({ status: "Finished:OK", connection_id: expect.any(String) });
    expect(services.faults).toEqual([]);
  });

  it("in mid-refresh is waited for: what the bank was asked for is kept, once", async () => {
    const { connection_id } = await services.logIn("grace");
    services.duringFetch(line.down);
    services.advance(20 * 60_000);
    const answer = await services.refreshes.refresh(services.actor, String(connection_id));
    expect(services.pauses()).toBeGreaterThan(1);
    expect(answer).toMatchObject({ outcome: "refreshed", refresh: { state: "planned", last_outcome: "refreshed" } });
    const { rows } = await database.pool.query(
      "select count(*)::integer as lines from audit_log where object_id = $1 and action = 'connection.refresh'",
      [connection_id],
    );
    expect(rows).toEqual([{ lines: 1 }]);
  });

  it("for longer than anyone waits ends with nothing half done: the lease runs out, and the connection is due again", async () => {
    const { connection_id } = await services.logIn("joan");
    services.duringFetch(line.down, Number.POSITIVE_INFINITY);
    services.advance(20 * 60_000);
    const lost = services.refreshes.refresh(services.actor, String(connection_id));
    await expect(lost).rejects.toMatchObject({ code: "unavailable" });
    await line.up();
    const { status } = await services.status(String(connection_id));
    expect(status.last_update).toBe(services.loggedInAt());
    services.duringFetch(async () => undefined);
    services.advance(5 * 60_000 + 1);
    const outcomes = await Promise.all((await services.refreshes.claim(10)).map(services.refreshes.run));
    expect(outcomes).toEqual(["refreshed"]);
  });
});

async function compose(opened: OpenedStorage, line: { up: () => Promise<void> }) {
  const { storage } = opened;
  const runtime = createTestRuntime();
  const faults: unknown[] = [];
  let disturb: () => Promise<void> = async () => undefined;
  let pauses = 0;
  let backAfter = 3;
  let loggedInAt = "";
  const provider: BankProvider = {
    name: "scripted",
    login: async ({ username }) => ({ kind: "authenticated", user_key: username, access: {} }),
    answer: async () => ({ kind: "rejected" }),
    async fetch() {
      await disturb();
      return found;
    },
  };
  /** Instead of waiting it counts; the database is back after some pauses. */
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    // How long an answer to whoever asked for a refresh may take is not what is tested here.
    if (milliseconds === 20_000)
      return new Promise<void>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    pauses += 1;
    if (pauses >= backAfter) await line.up();
  };
  const tenant_id = runtime.newId();
  await storage.tenants.create({ tenant_id, name: "Tenant", created_at: runtime.clock() });
  await storage.catalogue.importAll([connector]);
  const actor = { tenant_id, application_id: runtime.newId(), trace_id: null, address: null };
  const connectors = createConnectors({ catalogue: storage.catalogue, mac: runtime.mac, defaultProvider: null });
  const providers = new Map([[provider.name, provider]]);
  const sessions = createSessions({
    storage,
    runtime,
    connectors,
    redirectUrls: async () => [],
    publicUrl: "https://wealth.example",
    ttlSeconds: 1800,
  });
  const customer = createCustomerSessions({
    storage,
    runtime,
    connectors,
    providers,
    onProviderFault: ({ error }) => faults.push(error),
    sleep,
  });
  const credentials = createCredentials({ storage, runtime });

  return {
    actor,
    faults,
    refreshes: createRefreshes({ storage, runtime, providers, access: createMemoryTenantAccess(), sleep }),
    advance: runtime.advance,
    pauses: () => pauses,
    loggedInAt: () => loggedInAt,
    status: async (id: string) => ({ status: await credentials.status(actor, id) }),
    /** Does something to the database while the bank is asked; it is back after so many attempts. */
    duringFetch(work: () => Promise<void>, attempts = 3) {
      disturb = work;
      pauses = 0;
      backAfter = attempts;
    },
    async logIn(username: string) {
      const { session, widget_url } = await sessions.createFor(actor, { connector_id: connector.id });
      const link = widget_url.slice("https://wealth.example/connect/".length);
      const claimed = await customer.claim(link, null);
      await customer.submitCredentials(link, claimed?.owner ?? null, { username, password: "x" });
      await customer.drain();
      disturb = async () => undefined;
      loggedInAt = runtime.clock().toISOString();
      return sessions.status(actor, session.session_id);
    },
  };
}

/** A line to the database that can be cut. */
async function createLine(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pass = (client: Socket) => {
    const server = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  };
  let server: Server | null = null;
  let port = 0;
  const up = async () => {
    if (server) return;
    const listening = createServer(pass).listen(port, "127.0.0.1");
    server = listening;
    await new Promise((resolve) => listening.once("listening", resolve));
    port = (listening.address() as AddressInfo).port;
  };
  const down = async () => {
    const closing = server;
    server = null;
    const closed = new Promise((resolve) => closing?.close(resolve));
    for (const socket of sockets) socket.destroy();
    if (closing) await closed;
  };
  await up();
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href;
  return { url, up, down, close: down };
}
