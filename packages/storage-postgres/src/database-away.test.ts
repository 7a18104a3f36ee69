import { setTimeout as delay } from "node:timers/promises";
import {
  type CatalogueConnector,
  createConnectors,
  createCredentials,
  createCustomerSessions,
  createRefreshes,
  createSessions,
  type Uuid,
} from "@org/core";
import { createMemoryTenantAccess, createTestRuntime, directoryOf, samples } from "@org/core/testing";
import type { BankProvider, FetchResult } from "@org/provider-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedStorage, openStorage } from "./open-storage.js";
import {
  createDatabaseRelay,
  createPostgresTestDatabase,
  type DatabaseRelay,
  testDatabaseUrl,
} from "./testing/index.js";

const connector: CatalogueConnector = {
  id: "esp:bank",
  name: "Bank",
  type: "e-banking",
  countries: ["esp"],
  available: true,
  provider: "scripted",
  provider_ref: null,
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

/** What a restart of the database, or of a proxy in front of it, looks like: connections break, and new ones are refused. */
describe.skipIf(!testDatabaseUrl)("a database that is away", () => {
  let database: Awaited<ReturnType<typeof createPostgresTestDatabase>>;
  let line: DatabaseRelay;
  let opened: OpenedStorage;
  let services: Awaited<ReturnType<typeof compose>>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    line = await createDatabaseRelay(database.url);
    // Here core waits, and only briefly.
    opened = await openStorage({ databaseUrl: line.url }, () => new Date(), { awayWaitMs: 400 });
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
    const answer = await services.refreshes.refresh(services.actor, connection_id as Uuid);
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
    const lost = services.refreshes.refresh(services.actor, connection_id as Uuid);
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

describe.skipIf(!testDatabaseUrl)("requests and a database that is away", { timeout: 120_000 }, () => {
  let database: Awaited<ReturnType<typeof createPostgresTestDatabase>>;
  let line: DatabaseRelay;
  let opened: OpenedStorage;
  let tenant: Awaited<ReturnType<typeof samples.newTenant>>;
  const news: string[] = [];
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    line = await createDatabaseRelay(database.url);
    const onAvailabilityChange = (said: object) => void news.push("away" in said ? "away" : "back");
    opened = await openStorage({ databaseUrl: line.url }, () => new Date(), { onAvailabilityChange });
    tenant = await samples.newTenant(opened.storage);
  });
  afterAll(async () => {
    line?.restore();
    await line?.up();
    await opened?.close();
    await line?.close();
    await database?.close();
  });
  const read = () => opened.storage.reader.holdings(tenant.tenant_id, samples.holdingQuery());
  const findGrant = () => opened.oauthStore.grants.findGrant(samples.newId());
  const terminate = () =>
    database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'wealth-connect%'",
    );
  /** Retries until the database answers again; earlier requests may be refused. */
  const untilServed = async () => {
    for (const deadline = Date.now() + 60_000; ; await delay(50))
      try {
        return await read();
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
  };

  it("wait for it while it restarts: nobody notices", async () => {
    await line.down();
    const asked = [read(), tenant.connect(), findGrant(), opened.ping().catch(() => "not ready")];
    await delay(300);
    await line.up();
    const [page, connection, grant, ready] = await Promise.all(asked);
    expect(page).toMatchObject({ kind: "page" });
    expect(connection).toMatchObject({ connection_id: expect.any(String) });
    expect([grant, ready]).toEqual([null, "not ready"]);
    expect(news).toEqual(["away", "back"]);
  });

  it("are told to come back when it stays away, every one of them, and it is said once", async () => {
    await line.down();
    const outcomes = await Promise.allSettled([read(), tenant.connect(), findGrant(), opened.ping(), read()]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { name: "StorageError", code: "unavailable", retryAfterSeconds: 5 } });
    expect(opened.load()).toMatchObject({ isUnavailable: true, absences: 2 });
    await line.up();
    await untilServed();
    expect(opened.load()).toMatchObject({ isUnavailable: false, absences: 2 });
    expect(news).toEqual(["away", "back", "away", "back"]);
  });

  it("begin again when their connection is ended before they commit, and are done once", async () => {
    let rounds = 0;
    await tenant.run(async ({ audit }) => {
      rounds += 1;
      await audit.append(samples.auditEntry({ action: "test.repeated" }));
      if (rounds === 1) await terminate();
      await audit.list({ limit: 1 });
    });
    const lines = await tenant.run(({ audit }) => audit.list({ limit: 100 }));
    expect([rounds, lines.filter(({ action }) => action === "test.repeated").length]).toEqual([2, 1]);
  });

  it("find the new primary when the one that they know has become read-only", async () => {
    const setReadOnly = (to: string) =>
      database.pool.query(`do $$ begin execute format('alter database %I ${to}', current_database()); end $$`);
    await setReadOnly("set default_transaction_read_only = on");
    await terminate();
    await untilServed();
    const asked = tenant.connect();
    await delay(200);
    await database.pool.query(
      "begin; set transaction read write; do $$ begin execute format('alter database %I reset default_transaction_read_only', current_database()); end $$; commit",
    );
    expect(await asked).toMatchObject({ connection_id: expect.any(String) });
  });

  it("are refused when packets vanish, instead of waiting for an answer that never comes, and served when the line is back", async () => {
    await Promise.all([read(), tenant.connect(), findGrant()]);
    line.swallow();
    const outcomes = await Promise.allSettled([read(), tenant.connect(), findGrant(), opened.ping()]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
    line.restore();
    expect(await untilServed()).toMatchObject({ kind: "page" });
    await Promise.all([tenant.connect(), findGrant(), opened.ping()]);
  });

  it("do not wait for connections that died while nobody used them", async () => {
    await Promise.all([read(), tenant.connect(), findGrant()]);
    line.swallow();
    line.restore();
    const served = await Promise.all([read(), tenant.connect(), findGrant()]);
    expect(served[0]).toMatchObject({ kind: "page" });
  });

  it("wait two seconds for a locked table, once; what needs another table goes on", async () => {
    const holder = await database.pool.connect();
    await holder.query("begin; lock table sessions in access exclusive mode");
    const session = () => tenant.run(({ sessions }) => sessions.find(samples.newId()));
    const many = () => Promise.allSettled(Array.from({ length: 40 }, session));
    for (const outcome of await many())
      expect(outcome).toMatchObject({ reason: { code: expect.stringMatching(/^(unavailable|limited)$/) } });
    const blocked = many();
    await Promise.all([read(), findGrant(), tenant.connect(), opened.ping()]);
    for (const outcome of await blocked) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
    await holder.query("rollback");
    holder.release();
    await delay(600);
    expect(await session()).toBeNull();
  });
});

async function compose(opened: OpenedStorage, line: Pick<DatabaseRelay, "up">) {
  const { storage } = opened;
  const runtime = createTestRuntime();
  const faults: unknown[] = [];
  let disturb: () => Promise<void> = async () => undefined;
  let pauses = 0;
  let backAfter = 3;
  let loggedInAt = "";
  const provider: BankProvider = {
    name: "scripted",
    login: async ({ fields: { username = "" } }) => ({ kind: "authenticated", user_key: username, access: {} }),
    answer: async () => ({ kind: "rejected" }),
    async fetch() {
      await disturb();
      return found;
    },
  };
  /** Counts instead of waiting; the database is back after a few pauses. */
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    // How long a caller waits for a requested refresh is not tested here.
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
  const providers = directoryOf(provider);
  const sessions = createSessions({
    storage,
    runtime,
    connectors,
    redirectUrls: async () => [],
    publicUrl: "https://wealth.example",
    ttlSeconds: 1800,
  });
  const customer = createCustomerSessions({
    publicUrl: "https://wealth.example",
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
    refreshes: createRefreshes({ storage, runtime, connectors, providers, sleep, access: createMemoryTenantAccess() }),
    advance: runtime.advance,
    pauses: () => pauses,
    loggedInAt: () => loggedInAt,
    status: async (id: string) => ({ status: await credentials.status(actor, id) }),
    /** Disturbs the database while the bank is queried; it is back after this many attempts. */
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
