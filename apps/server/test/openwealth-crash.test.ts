import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { larkspurAtBank } from "../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import {
  type OpenWealthBank,
  startOpenWealthBank,
} from "../../../packages/provider-openwealth/test/stand-in/open-wealth-bank.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { holdLocks } from "./hold-locks.js";
import { startReplica } from "./replica.js";

describe.skipIf(!testDatabaseUrl)("a bank whose refresh tokens rotate", () => {
  let server: TestServer;
  let bank: OpenWealthBank;
  let connection_id: string;

  beforeAll(async () => {
    // Only requests refresh here; the replicas that are killed have jobs.
    server = await startTestServer({ backend: "postgres", environment: { PROVIDERS: "openwealth", JOBS: "false" } });
    bank = await startOpenWealthBank({
      clock: () => new Date(),
      customers: [larkspurAtBank(new Date().toISOString().slice(0, 10))],
      redirect_uris: [`${server.url.replace("127.0.0.1", "localhost")}/connect/callback`],
      keeps_former: true,
      access_seconds: 3_600,
    });
    const { base_url, authorize_url, token_url, client_id, client_secret } = bank;
    const auth = { type: "authorization_code", authorize_url, token_url, client_id, client_secret };
    const settings = { banks: [{ id: "stand-in", name: "Stand-in Bank", country: "che", base_url, auth }] };
    const said = [
      await server.operator.post("/operator/v1/providers/set", { name: "openwealth", settings }),
      await server.operator.post("/operator/v1/providers/sync", { name: "openwealth" }),
    ];
    expect(said.map(({ status }) => status)).toEqual([200, 200]);
    connection_id = await connect();
  }, START_TIMEOUT);
  afterAll(async () => {
    await bank?.close();
    await server?.remove();
  });

  async function connect(): Promise<string> {
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: "che:stand-in" });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    const { url } = await browser.submit("redirect");
    const [, request = ""] = /name="request" value="(\w+)"/.exec(await (await fetch(url)).text()) ?? [];
    const body = new URLSearchParams({ request, user: "larkspur", decision: "approve" });
    const decided = await fetch(new URL("/oauth/decide", url), { method: "POST", body, redirect: "manual" });
    await browser.open(decided.headers.get("location") ?? "");
    await waitForAnswer(browser, widgetUrl);
    const session = await server.demo.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK" });
    return session.connection_id;
  }

  const sql = (text: string) => server.installation.withDatabase((pool) => pool.query(text));
  const renewals = () => bank.authorization.asked.refresh_token;
  /** Due now, unless it is being refreshed. A replica that has no settings yet postpones it, so it has to be said again. */
  const makeDue = () => sql("update connection_refreshes set due_at = now() - interval '1 second' where lease is null");
  /** As if the lease had run out and the last refresh were long ago. */
  async function refreshLater() {
    await sql("update connection_refreshes set lease = null, attempted_at = null, outcome = null");
    return (await server.operator.post("/operator/v1/connections/refresh", { connection_id })).body.outcome;
  }

  it.each([
    ["while the bank answers with new tokens", false],
    ["before the new tokens are stored", true],
    ["at the first use of the new tokens", false],
  ])("[C-5.155] a server killed %s loses none: another replica goes on", { timeout: 120_000 }, async (at, isLocked) => {
    bank.authorization.expireAccess();
    const before = renewals();
    const uses = () => bank.institution.requests.filter(({ path }) => path.endsWith("/accounts")).length;
    if (at.startsWith("while")) bank.institution.fail(({ path }) => path === "/oauth/token", { kind: "hang" });
    if (at.startsWith("at the first use"))
      bank.institution.fail(({ path }) => path.endsWith("/accounts") && renewals() > before, { kind: "hang" });
    // Nothing can be stored of the connection.
    const held = isLocked
      ? await holdLocks(server, `select from connections where connection_id = '${connection_id}' for update`)
      : null;
    const usesBefore = uses();
    const environment = { PROVIDERS: "openwealth", JOBS: "true" };
    const worker = await startReplica(server, { environment, schedule: { refreshes: 50 } });
    onTestFinished(() => worker.process.end("SIGKILL").then(() => undefined));
    await eventually(async () => {
      await makeDue();
      return renewals() > before;
    }, "the renewal");
    if (held) await eventually(() => held.isWaitedFor("%sealed_access%"), "the new tokens are about to be stored");
    else if (at.startsWith("at")) await eventually(async () => uses() === usesBefore + 2, "the first use");
    await worker.process.end("SIGKILL");
    // One use was that of the token that had ended.
    expect(uses()).toBe(usesBefore + (at.startsWith("at") ? 2 : 1));
    await held?.release();
    bank.institution.heal();
    expect(await refreshLater()).toBe("refreshed");
    if (at.startsWith("at")) expect(renewals()).toBe(before + 1);
    expect(bank.authorization.violations).toEqual([]);
  });

  it("[C-5.155] a renewal that the bank answers with 500 is a failure of the bank, and one that it refuses ends the login", {
    timeout: START_TIMEOUT,
  }, async () => {
    const needsRelogin = async () =>
      (await server.demo.tools.call("svc-needs-relogin", { credentials_token: connection_id })).needs_relogin;
    bank.authorization.expireAccess();
    bank.fail("token", { kind: "instead", reply: { status: 500 } }, 3);
    expect([await refreshLater(), await needsRelogin()]).toEqual(["failed", false]);
    expect([await refreshLater(), await needsRelogin()]).toEqual(["refreshed", false]);
    bank.authorization.withdraw("larkspur");
    expect([await refreshLater(), await needsRelogin()]).toEqual(["relogin_needed", true]);
    expect(bank.authorization.violations).toEqual([]);
  });
});
