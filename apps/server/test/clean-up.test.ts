import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBrowser } from "./browser.js";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { type Answer, post, send } from "./http-client.js";
import { anyBackend } from "./installation.js";
import { signedPdf } from "./letters.js";
import { rowCounts, rowsHolding } from "./stored-rows.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The same installation at four moments: each test starts the server again with its clock further ahead. */
describe("what runs out", () => {
  let server: TestServer;
  let tenant: TestTenant;
  let open: { id: string; widgetUrl: string };
  let connected: { id: string; credential: string };
  let aborted: { id: string; widgetUrl: string };
  let snapshot: string;
  let refreshToken: string;
  let letter: { body: object; id: string };

  beforeAll(async () => {
    server = await startTestServer({ backend: anyBackend });
    tenant = server.demo;
    connected = await connect({ connector_id: sandboxBanks.eBanking });
    snapshot = (await tenant.tools.call("svc-investments", {})).snapshot;
    await connect({ connection_id: connected.credential });
    open = await tenant.openSession({ connector_id: sandboxBanks.psd2 });
    aborted = await tenant.openSession({ connector_id: sandboxBanks.psd2 });
    const browser = createBrowser();
    await browser.open(aborted.widgetUrl);
    await browser.submit("cancel");
    const body = { connector_id: sandboxBanks.datafeed, data: await signedPdf() };
    letter = { body, id: (await submit(tenant, body)).body.letter_id };
    refreshToken = (await server.token(tenant.clientId, tenant.clientSecret)).body.refresh_token;
    expect((await server.token("wca_nobody", "wrong")).status).toBe(401);
    await server.stop();
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("[C-5.9] [S1-8.7] [C-9.18] after half an hour: an open session, with its link", {
    timeout: START_TIMEOUT,
  }, async () => {
    await startLater(31 * MINUTE);
    const late = await tenant.tools.call("svc-session-status", { session_id: open.id });
    expect(late).toMatchObject({ status: "Finished:Expired", error_code: "SessionExpired", widget_url: null });
    expect((await send(open.widgetUrl)).status).toBe(403);
    expect((await submit(tenant, letter.body)).body.letter_id).toBe(letter.id);
    await tenant.tools.call("svc-investments", { snapshot });
    const counts = await stopAndCount();
    expect(counts).toMatchObject({ sessions: 4, idempotency_keys: 1, snapshots: 6, guess_counts: 0 });
    await server.installation.withDatabase(async (pool) => {
      const rows = (await rowsHolding(pool, [open.id])).filter(({ table }) => table === "sessions");
      expect(rows.map(({ json }) => JSON.parse(json))).toMatchObject([
        { status: "Finished:Expired", sealed_link: null },
      ]);
    });
  });

  it("[S1-5.5] [S1-8.1] [C-4.25] [C-9.18] after two hours: access tokens and replaced snapshots", {
    timeout: START_TIMEOUT,
  }, async () => {
    await startLater(2 * HOUR);
    expect((await tenant.post("/letters/v1/search-letters", { query: {} })).status).toBe(401);
    tenant = await server.loginAgain(tenant);
    await expect(tenant.tools.call("svc-investments", { snapshot })).rejects.toThrow("is no longer kept");
    expect((await tenant.tools.call("svc-investments", {})).total).toBeGreaterThan(0);
    const refreshed = await refresh(refreshToken);
    expect(refreshed.status).toBe(200);
    refreshToken = refreshed.body.refresh_token;
    // Transactions add up over the snapshots; the other products have one row each for the latest.
    expect(await stopAndCount()).toMatchObject({ snapshots: 3, idempotency_keys: 1, sessions: 4 });
  });

  it("[C-7.7] [S1-5.10] [S1-8.3] [C-9.18] after a day: idempotency keys and refresh tokens", {
    timeout: START_TIMEOUT,
  }, async () => {
    await startLater(DAY + 3 * HOUR);
    expect((await refresh(refreshToken)).body).toMatchObject({ error: "invalid_grant" });
    tenant = await server.loginAgain(tenant);
    const again = await submit(tenant, letter.body);
    expect(again.status).toBe(200);
    expect(again.body.letter_id).not.toBe(letter.id);
    expect(await stopAndCount()).toMatchObject({ idempotency_keys: 1, sessions: 4, letters: 2 });
  });

  it("[C-9.18] after a month: finished sessions and dead grants; connections, letters and data stay", {
    timeout: START_TIMEOUT,
  }, async () => {
    await startLater(40 * DAY);
    tenant = await server.loginAgain(tenant);
    for (const { id } of [open, aborted, connected])
      await expect(tenant.tools.call("svc-session-status", { session_id: id })).rejects.toThrow("NOT_FOUND");
    expect((await send(aborted.widgetUrl)).status).toBe(404);
    expect((await tenant.tools.call("svc-credentials", {})).total).toBe(1);
    expect((await tenant.tools.call("svc-investments", {})).total).toBeGreaterThan(0);
    const counts = await stopAndCount();
    expect(counts).toMatchObject({
      sessions: 0,
      session_links: 0,
      idempotency_keys: 0,
      grants: 1,
      letters: 2,
      connections: 1,
    });
    expect(server.faults()).toEqual([]);
  });

  async function connect(target: { connector_id: string } | { connection_id: string }) {
    const { id, widgetUrl } = await tenant.openSession(target);
    await connectBank(widgetUrl, { username: "somebody", password: "a password" });
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id: id });
    return { id, credential: String(connection_id) };
  }

  /** Starts the server with its clock ahead and waits until it has cleaned up, which it does first of all. */
  async function startLater(ahead: number): Promise<void> {
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ CLOCK_SHIFT_MS: String(ahead) }, ["--import", shift]);
    const cleaned = () => server.process.log().some(({ msg }) => msg === "clean-up");
    for (const deadline = Date.now() + MINUTE; !cleaned(); await delay(50))
      if (Date.now() > deadline) throw new Error(`nothing was cleaned up:\n${server.process.output()}`);
  }

  async function stopAndCount() {
    await server.stop();
    return server.installation.withDatabase(rowCounts);
  }

  function refresh(token: string): Promise<Answer> {
    const { clientId, clientSecret } = tenant;
    const form = {
      grant_type: "refresh_token",
      refresh_token: token,
      client_id: clientId,
      client_secret: clientSecret,
    };
    return post(`${server.url}/token`, new URLSearchParams(form));
  }
});

function submit(tenant: TestTenant, body: object): Promise<Answer> {
  return tenant.post("/letters/v1/create-signed", body, { headers: { "idempotency-key": "once" } });
}
