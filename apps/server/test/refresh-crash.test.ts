import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { type Api, START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";

/** Fractions of an undisturbed refresh after which the server is killed: lease, bank, publication, end. */
const PARTS = [0.02, 0.3, 0.6, 0.85, "the end"] as const;
const LEASE_MS = 5 * 60_000;

const DATABASE = oneBackend("what a kill leaves in either database is held by crash; this is about leases");

describe.each([DATABASE])("SIGKILL during a refresh on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  let operator: Api;
  let usual: number;
  const states = new Set<string>();
  /** What each connection shows, before its refresh and after. */
  const wholes = new Map<string, Awaited<ReturnType<typeof dataOf>>>();

  beforeAll(async () => {
    // Only the tests request refreshes.
    server = await startTestServer({ backend, environment: { JOBS: "false" }, schedule: { refreshes: 50 } });
    tenant = server.demo;
    operator = server.operator;
    const first = await connect();
    const whole = await dataOf(first);
    expect(whole.holdings).toBeGreaterThan(1_000);
    const started = performance.now();
    expect((await refresh(first))?.body).toMatchObject({ outcome: "refreshed" });
    usual = performance.now() - started;
    expect(await dataOf(first)).toEqual(whole);
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it.each(PARTS)("after %s of its time leaves the data whole, before or after", { timeout: 120_000 }, async (part) => {
    const connection = await connect();
    const whole = await dataOf(connection);
    wholes.set(connection, whole);
    const refreshing = refresh(connection);
    await (part === "the end" ? refreshing : delay(usual * part));
    await server.stop("SIGKILL");
    await server.start();
    expect(await dataOf(connection)).toEqual(whole);
    const { state, last_outcome } = await stateOf(connection);
    const acknowledged = (await refreshing)?.body.outcome;
    if (acknowledged) expect([acknowledged, state, last_outcome]).toEqual(["refreshed", "planned", "refreshed"]);
    expect(["planned null", "under_way null", "planned refreshed"]).toContain(`${state} ${last_outcome}`);
    states.add(`${state} ${last_outcome}`);
  });

  it("was killed in the middle and at the end", () => {
    expect([...states]).toEqual(expect.arrayContaining(["under_way null", "planned refreshed"]));
  });

  it("SIGTERM lets a refresh under way end", { timeout: 120_000 }, async () => {
    const connection = await connect();
    const whole = await dataOf(connection);
    const refreshing = refresh(connection);
    await delay(usual * 0.3);
    expect(await server.stop("SIGTERM")).toMatchObject({ code: 0 });
    expect((await refreshing)?.body).toMatchObject({ outcome: "refreshed" });
    await server.start();
    expect(await dataOf(connection)).toEqual(whole);
  });

  it("what was cut off is refreshed once its lease has ended", { timeout: START_TIMEOUT }, async () => {
    const { items } = await list();
    const cutOff = [];
    for (const { connection_id } of items)
      if ((await stateOf(connection_id)).state === "under_way") cutOff.push(connection_id);
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    const environment = { JOBS: "true", CLOCK_SHIFT_MS: String(LEASE_MS + 1_000) };
    await server.start(environment, ["--import", shift]);
    const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);
    for (const connection of cutOff) {
      await eventually(async () => (await stateOf(connection)).last_outcome === "refreshed", "the refresh");
      const data = await dataOf(connection);
      // The sandbox's transactions differ every day.
      const isNextDay = dayOf(Date.now()) !== dayOf(Date.now() + LEASE_MS + 1_000);
      expect(data).toEqual({ ...wholes.get(connection), ...(isNextDay && { transactions: data.transactions }) });
    }
    expect(server.faults()).toEqual([]);
  });

  const list = async () =>
    (await operator.post("/operator/v1/connections/list", { tenant_id: tenant.tenantId, page_size: 500 })).body;

  const stateOf = async (connection_id: string) =>
    (await operator.post("/operator/v1/connections/status", { connection_id })).body.refresh;

  /** Null if the server was gone before it answered. */
  function refresh(connection_id: string) {
    return operator.post("/operator/v1/connections/refresh", { connection_id }).catch(() => null);
  }

  /** Counts and sums of all products; ids differ between connections. */
  async function dataOf(credentials_token: string) {
    const ask = async (tool: string) => {
      const { total, totals, sources } = await tenant.tools.call(tool, { credentials_token, page_size: 1 });
      expect(sources).toMatchObject([{ state: "ok" }]);
      return { total, totals };
    };
    const [portfolios, holdings, transactions] = [
      await ask("svc-portfolios"),
      await ask("svc-investments"),
      await ask("svc-investment-transactions"),
    ];
    // The sandbox's portfolios are the exact sums of their holdings: parts of two snapshots would show.
    expect(portfolios.totals.map(balanceOf)).toEqual(holdings.totals.map(balanceOf));
    return { portfolios: portfolios.total, holdings: holdings.total, transactions: transactions.total };
  }

  async function connect(): Promise<string> {
    const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.eBanking });
    users += 1;
    await connectBank(widgetUrl, { username: `customer ${users}`, password: "LARGE" });
    return (await tenant.tools.call("svc-session-status", { session_id: id })).connection_id;
  }
});

let users = 0;

function balanceOf({ currency, balance }: { readonly currency: string; readonly balance: string }): string {
  return `${balance} ${currency}`;
}
