import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { type Saxo, startSaxo } from "./institutions/saxo.js";
import { furnish } from "./institutions/saxo-book.js";
import { bankData, describeRedirectKills } from "./redirect-kills.js";
import { refreshLater, testRenewalKills } from "./renewal-kills.js";

const connector_id = "dnk:saxo-sim";
const environment = { PROVIDERS: "saxo" };
const paths = { "the code": "/token", "who they are": "/clients/me", "their data": "/accounts/me" };

describe.skipIf(!testDatabaseUrl)("Saxo, whose codes and refresh tokens are good once", () => {
  let server: TestServer;
  let saxo: Saxo;

  beforeAll(async () => {
    // Only requests refresh here; the replicas that are killed have jobs.
    server = await startTestServer({ backend: "postgres", environment: { ...environment, JOBS: "false" } });
    // A day of Saxo's does not end during a test: its reports would have more rows.
    const at = new Date();
    saxo = await startSaxo({ clock: () => at });
    saxo.limit(false);
    saxo.register(`${server.url.replace("127.0.0.1", "localhost")}/connect/callback`);
    furnish(saxo.book);
    const { base_url, authorization_url: authorize_url, token_url, app } = saxo;
    const sim = { client_id: app.key, client_secret: app.secret, authorize_url, token_url };
    const settings = { base_urls: { sim: base_url }, clients: { sim } };
    await server.operate("/operator/v1/providers/set", { name: "saxo", settings });
    await server.operate("/operator/v1/providers/sync", { name: "saxo" });
  }, START_TIMEOUT);
  afterAll(async () => {
    await saxo?.close();
    await server?.remove();
  });

  /** Saxo sends its customer back at once; the address at which they come back. */
  async function visit(url: string): Promise<string> {
    const { headers } = await fetch(url, { redirect: "manual" });
    return headers.get("location") ?? "";
  }

  async function isWhole(credentials_token: string) {
    const of = { credentials_token, page_size: 1 };
    const holdings = await server.demo.tools.call("svc-investments", of);
    expect(holdings).toMatchObject({ total: 9, sources: [{ state: "ok" }] });
    expect((await server.demo.tools.call("svc-investment-transactions", of)).total).toBe(28);
  }

  /** Every form that came to the token endpoint had another code or refresh token. */
  function isOnceEach() {
    const forms = saxo.institution.requests
      .filter(({ path }) => path === "/token")
      .map(({ body }) => new URLSearchParams(body));
    const used = forms.map((form) => form.get("code") ?? form.get("refresh_token"));
    expect(used.length).toBeGreaterThan(0);
    expect(new Set(used).size).toBe(used.length);
    expect(saxo.violations).toEqual([]);
  }

  /** A customer logs in, and agrees. */
  async function logIn(target: { connector_id: string } | { connection_id: string }) {
    const { id, widgetUrl } = await server.demo.openSession(target);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    await browser.open(await visit((await browser.submit("redirect")).url));
    await waitForAnswer(browser, widgetUrl);
    const session = await server.demo.tools.call("svc-session-status", { session_id: id });
    expect(session).toMatchObject({ status: "Finished:OK", error_code: null });
    return session.connection_id as string;
  }

  it("[C-5.211] who declines reads so and may go again; Saxo is asked for no token, and nothing is stored", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { id, widgetUrl } = await server.demo.openSession({ connector_id });
    const stateOf = () => server.demo.tools.call("svc-session-status", { session_id: id });
    const before = [await bankData(server), saxo.institution.requests.length] as const;
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    await waitForAnswer(browser, widgetUrl);
    saxo.agree(false);
    for (const left of ["2 attempts", "1 attempt"]) {
      await browser.open(await visit((await browser.submit("redirect")).url));
      await browser.open(widgetUrl);
      expect(browser.page?.text).toContain("You did not agree on your bank's page, or you turned back there.");
      expect(browser.page?.text).toContain(`You have ${left} left.`);
      const waiting = { status: "Waiting:Challenge", challenge_kind: "redirect", connection_id: null };
      expect(await stateOf()).toMatchObject({ ...waiting, error_code: "AbortedByUser" });
    }
    const asked = saxo.institution.requests.slice(before[1]);
    expect(asked.map(({ path }) => path)).toEqual(["/authorize", "/authorize"]);
    for (const name of ["state", "code_challenge"])
      expect(new Set(asked.map(({ query }) => query.get(name))).size, name).toBe(2);
    expect(await bankData(server)).toEqual(before[0]);
    saxo.agree(true);
    await browser.open(await visit((await browser.submit("redirect")).url));
    await waitForAnswer(browser, widgetUrl);
    const { connection_id: credentials_token, ...end } = await stateOf();
    expect(end).toMatchObject({ status: "Finished:OK", error_code: null });
    await isWhole(credentials_token);
    await server.demo.tools.call("svc-delete-credentials", { credentials_token, confirm: true });
  });

  const sent = (path: string) => saxo.institution.requests.filter((each) => each.path.endsWith(path)).length;
  let isAsked = () => true;

  describeRedirectKills("[C-5.209]", () => ({
    server,
    connector_id,
    environment,
    visit(url, _, silentAt) {
      if (silentAt) {
        const path = paths[silentAt];
        const before = sent(path);
        isAsked = () => sent(path) > before;
        saxo.institution.fail((request) => request.path.endsWith(path), { kind: "hang" });
      }
      return visit(url);
    },
    isWhole,
    isAsked: () => isAsked(),
    async ends(credentials_token) {
      isOnceEach();
      await server.demo.tools.call("svc-delete-credentials", { credentials_token, confirm: true });
    },
  }));

  describe("with tokens that are replaced", () => {
    let connection_id: string;
    const needsRelogin = () => server.demo.tools.call("svc-needs-relogin", { credentials_token: connection_id });

    beforeAll(async () => {
      connection_id = await logIn({ connector_id });
    }, START_TIMEOUT);

    testRenewalKills("[C-5.210]", () => ({
      server,
      connection_id,
      environment,
      institution: saxo.institution,
      tokens: "/token",
      data: "/clients/me",
      expireAccess: () => saxo.expire(),
      // Saxo does not know a token that it has replaced: who has not got the new one logs in again.
      async goesOn(isStored) {
        expect(await refreshLater({ server, connection_id })).toBe(isStored ? "refreshed" : "relogin_needed");
        expect((await needsRelogin()).needs_relogin).toBe(!isStored);
        if (!isStored) expect(await logIn({ connection_id })).toBe(connection_id);
        expect((await needsRelogin()).needs_relogin).toBe(false);
        await isWhole(connection_id);
        isOnceEach();
      },
    }));
  });
});
