import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { type Api, START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";

const DAY = 24 * 60 * 60_000;

const DATABASE = oneBackend("leases and plans are in the stores' conformance suite, which runs on both");

describe.each([DATABASE])("refreshes on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  let operator: Api;
  beforeAll(async () => {
    server = await startTestServer({ backend, environment: { METRICS: "true" }, schedule: { refreshes: 50 } });
    tenant = server.demo;
    operator = server.operator;
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const refresh = (connection_id: string) => tenant.post("/connect/v2/connections/refresh", { connection_id });
  const needsRelogin = (credentials_token: string) => tenant.tools.call("svc-needs-relogin", { credentials_token });
  const stateOf = async (connection_id: string) =>
    (await operator.post("/operator/v1/connections/status", { connection_id })).body.refresh;

  it("on demand bring the data up to date, once in 15 minutes, for the tenant and the operator", async () => {
    const { connection_id } = await connect("ordinary", "ordinary");
    const before = await tenant.tools.call("svc-investments", { credentials_token: connection_id });
    const { status, body } = await refresh(connection_id);
    expect([status, body]).toMatchObject([200, { outcome: "refreshed", refresh: { state: "planned" } }]);
    const after = await tenant.tools.call("svc-investments", { credentials_token: connection_id });
    expect(after.items).toEqual(before.items);
    expect(after.sources[0].as_of > before.sources[0].as_of).toBe(true);
    const again = await operator.post("/operator/v1/connections/refresh", { connection_id });
    expect(again.status).toBe(429);
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(60);
  });

  it.each([
    ["BLOCKED_AFTER", "blocked"],
    ["CONSENT_EXPIRES", "sca_required"],
  ])("[C-9.23] %s takes effect at the first refresh, and a re-login mends it", async (password, reason) => {
    const { connection_id } = await connect(`customer of ${password}`, password);
    expect((await needsRelogin(connection_id)).needs_relogin).toBe(false);
    expect((await refresh(connection_id)).body).toMatchObject({ outcome: "relogin_needed" });
    expect(await needsRelogin(connection_id)).toMatchObject({ needs_relogin: true, reasons: [{ code: reason }] });
    const stale = await tenant.tools.call("svc-investments", { credentials_token: connection_id });
    expect(stale.total).toBeGreaterThan(0);
    expect(stale.sources).toMatchObject([{ state: "stale", message: "blocked" }]);
    expect((await refresh(connection_id)).status).toBe(409);

    await connect(`customer of ${password}`, "an ordinary one", { connection_id });
    expect((await needsRelogin(connection_id)).needs_relogin).toBe(false);
    const { sources } = await tenant.tools.call("svc-investments", { credentials_token: connection_id });
    expect(sources).toMatchObject([{ state: "ok" }]);
    expect(await stateOf(connection_id)).toMatchObject({ state: "planned" });
  });

  it("[C-5.18] [C-9.24] of sessions that finish at once for one person at one bank one makes the connection, the others name it", async () => {
    const sessions = await Promise.all(
      Array.from({ length: 6 }, () => tenant.openSession({ connector_id: sandboxBanks.psd2 })),
    );
    await Promise.all(
      sessions.map(({ widgetUrl }) => connectBank(widgetUrl, { username: "twice", password: "ordinary" })),
    );
    const ended = await Promise.all(
      sessions.map(({ id }) => tenant.tools.call("svc-session-status", { session_id: id })),
    );
    expect(new Set(ended.map(({ connection_id }) => connection_id)).size).toBe(1);
    expect(ended.map(({ status, error_code }) => `${status} ${error_code}`).sort()).toEqual([
      ...Array(5).fill("Finished:Error AlreadyExists"),
      "Finished:OK null",
    ]);
  });

  it("[C-1.26] by plan happen within a day and a half, and are counted", { timeout: START_TIMEOUT }, async () => {
    const { connection_id } = await connect("daily", "ordinary");
    const planned = await stateOf(connection_id);
    expect(planned).toMatchObject({ state: "planned", last_outcome: null });
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ CLOCK_SHIFT_MS: String(1.5 * DAY) }, ["--import", shift]);
    tenant = await server.loginAgain(tenant);
    operator = await server.loginAgain({ ...tenant, ...operator });
    await eventually(async () => (await stateOf(connection_id)).last_outcome === "refreshed", "the refresh by plan");
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/wealth_connect_refresh_seconds_count\{outcome="refreshed"\} [1-9]/);
    expect(metrics).toMatch(/wealth_connect_refreshes_due 0/);
    expect(metrics).toMatch(/wealth_connect_provider_breakers\{state="open"\} 0/);
    expect(metrics).toMatch(/call="fetch",outcome="ok"/);
    expect(server.faults()).toEqual([]);
    expect((await send(`${server.url}/readyz`)).status).toBe(200);
  });

  async function connect(
    username: string,
    password: string,
    target: { connector_id: string } | { connection_id: string } = { connector_id: sandboxBanks.eBanking },
  ): Promise<{ connection_id: string }> {
    const { id, widgetUrl } = await tenant.openSession(target);
    await connectBank(widgetUrl, { username, password });
    const session = await tenant.tools.call("svc-session-status", { session_id: id });
    expect(session.status).toBe("Finished:OK");
    return session;
  }
});
