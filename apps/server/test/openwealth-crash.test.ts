import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { larkspurAtBank } from "../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import {
  type OpenWealthBank,
  startOpenWealthBank,
} from "../../../packages/provider-openwealth/test/stand-in/open-wealth-bank.js";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { onOpenWealthPage } from "./openwealth-page.js";
import { refreshLater, testRenewalKills } from "./renewal-kills.js";

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
    await browser.open(await onOpenWealthPage(url, "larkspur"));
    await waitForAnswer(browser, widgetUrl);
    const session = await server.demo.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK" });
    return session.connection_id;
  }

  const refreshed = () => refreshLater({ server, connection_id });

  testRenewalKills("[C-5.155]", () => ({
    server,
    connection_id,
    environment: { PROVIDERS: "openwealth" },
    institution: bank.institution,
    tokens: "/oauth/token",
    data: "/accounts",
    expireAccess: () => bank.authorization.expireAccess(),
    // The bank lets the former token go on until the new one is used.
    async goesOn() {
      expect(await refreshed()).toBe("refreshed");
      expect(bank.authorization.violations).toEqual([]);
    },
  }));

  it("[C-5.155] a renewal that the bank answers with 500 is a failure of the bank, and one that it refuses ends the login", {
    timeout: START_TIMEOUT,
  }, async () => {
    const needsRelogin = async () =>
      (await server.demo.tools.call("svc-needs-relogin", { credentials_token: connection_id })).needs_relogin;
    bank.authorization.expireAccess();
    bank.fail("token", { kind: "instead", reply: { status: 500 } }, 3);
    expect([await refreshed(), await needsRelogin()]).toEqual(["failed", false]);
    expect([await refreshed(), await needsRelogin()]).toEqual(["refreshed", false]);
    bank.authorization.withdraw("larkspur");
    expect([await refreshed(), await needsRelogin()]).toEqual(["relogin_needed", true]);
    expect(bank.authorization.violations).toEqual([]);
  });
});
