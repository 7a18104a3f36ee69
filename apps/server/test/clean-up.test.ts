import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { type Answer, post, send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { signedPdf } from "./letters.js";
import { rowCounts } from "./stored-rows.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const DATABASE = oneBackend(
  "what is removed is in the stores' conformance suites, which run on both; this is about the clock",
);

/** The same installation at four points in time: each test restarts the server with its clock further ahead. */
describe.each([DATABASE])("what runs out on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  let open: { id: string; widgetUrl: string };
  let connected: { id: string; credential: string };
  let aborted: { id: string; widgetUrl: string };
  let snapshot: string;
  let holdings: number;
  let refreshToken: string;
  let letter: { body: object; id: string };

  beforeAll(async () => {
    server = await startTestServer({ backend });
    tenant = server.demo;
    connected = await connect({ connector_id: sandboxBanks.eBanking });
    const first = await tenant.tools.call("svc-investments", {});
    snapshot = first.snapshot;
    holdings = first.total;
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
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("[C-5.9] [S1-8.7] [C-9.18] after half an hour: an open session, with its link", {
    timeout: START_TIMEOUT,
  }, async () => {
    expect(await startLater(31 * MINUTE)).toMatchObject({
      sessions_expired: 1,
      // The wrong secret counts for the client at its network, for the network, and for the wider network around it.
      guesses: 3,
      idempotency_keys: 0,
      snapshots: 0,
    });
    const late = await tenant.tools.call("svc-session-status", { session_id: open.id });
    expect(late).toMatchObject({ status: "Finished:Expired", error_code: "SessionExpired", widget_url: null });
    expect((await send(open.widgetUrl)).status).toBe(403);
    expect((await submit(tenant, letter.body)).body.letter_id).toBe(letter.id);
    await tenant.tools.call("svc-investments", { snapshot });
  });

  it("[S1-5.5] [S1-8.1] [C-4.25] [C-9.18] after two hours: access tokens and replaced snapshots", {
    timeout: START_TIMEOUT,
  }, async () => {
    // Transactions accumulate over the snapshots; of the other two products the first login's rows are deleted.
    const reaped = await startLater(2 * HOUR);
    expect(reaped).toMatchObject({ snapshots: 3, holdings, idempotency_keys: 0, sessions: 0 });
    expect((await tenant.post("/letters/v1/search-letters", { query: {} })).status).toBe(401);
    tenant = await server.loginAgain(tenant);
    await expect(tenant.tools.call("svc-investments", { snapshot })).rejects.toThrow("is no longer kept");
    expect((await tenant.tools.call("svc-investments", {})).total).toBeGreaterThan(0);
    const refreshed = await refresh(refreshToken);
    expect(refreshed.status).toBe(200);
    refreshToken = refreshed.body.refresh_token;
  });

  it("[C-7.7] [S1-5.10] [S1-8.3] [C-9.18] after a day: idempotency keys and refresh tokens", {
    timeout: START_TIMEOUT,
  }, async () => {
    expect(await startLater(DAY + 3 * HOUR)).toMatchObject({ idempotency_keys: 1, sessions: 0 });
    expect((await refresh(refreshToken)).body).toMatchObject({ error: "invalid_grant" });
    tenant = await server.loginAgain(tenant);
    const again = await submit(tenant, letter.body);
    expect(again.status).toBe(200);
    expect(again.body.letter_id).not.toBe(letter.id);
  });

  it("[C-9.18] after a month: finished sessions and dead grants; connections, letters and data stay", {
    timeout: START_TIMEOUT,
  }, async () => {
    expect(await startLater(40 * DAY)).toMatchObject({ sessions: 4, idempotency_keys: 1 });
    tenant = await server.loginAgain(tenant);
    for (const { id } of [open, aborted, connected])
      await expect(tenant.tools.call("svc-session-status", { session_id: id })).rejects.toThrow("NOT_FOUND");
    expect((await send(aborted.widgetUrl)).status).toBe(404);
    expect((await tenant.tools.call("svc-credentials", {})).total).toBe(1);
    expect((await tenant.tools.call("svc-investments", {})).total).toBeGreaterThan(0);
    await server.stop();
    expect(await server.installation.withDatabase(rowCounts)).toMatchObject({
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

  /** Starts the server with its clock ahead; returns what its first clean-up deleted. */
  async function startLater(ahead: number) {
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ CLOCK_SHIFT_MS: String(ahead) }, ["--import", shift]);
    const record = await eventually(
      () => server.process.log().find(({ msg }) => msg === "clean-up"),
      "something is cleaned up",
    );
    return record.counts;
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
