import { type Browser, createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onBankPage } from "./bank-page.js";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { rowsHolding } from "./stored-rows.js";

const connected = { status: "Finished:OK", error_code: null, connection_id: expect.any(String), widget_url: null };

describe.each([oneBackend("what is checked is one statement, which the stores' conformance suite has on both")])(
  "a bank that works by redirect, on %s",
  (backend) => {
    let server: TestServer;
    let tenant: TestTenant;

    beforeAll(async () => {
      server = await startTestServer({ backend, environment: { METRICS: "true" } });
      tenant = await server.createTenant("Household");
    }, START_TIMEOUT);
    afterAll(() => server?.remove());

    const stateOf = (session_id: string) => tenant.tools.call("svc-session-status", { session_id });

    const away = { status: "Waiting:Challenge", challenge_kind: "redirect", error_code: null, connection_id: null };

    /** A customer who has left for the bank's page. */
    async function goAway() {
      const { id, widgetUrl } = await tenant.openSession({ connector_id: sandboxBanks.redirect });
      const browser = createBrowser();
      await browser.open(widgetUrl);
      await browser.submit("continue");
      await waitForAnswer(browser, widgetUrl);
      expect(await stateOf(id)).toMatchObject(away);
      const { url } = await browser.submit("redirect");
      return { id, widgetUrl, browser, page: url };
    }

    async function resumeCallback(browser: Browser, widgetUrl: string, address: string) {
      await browser.open(address);
      await waitForAnswer(browser, widgetUrl);
    }

    it("[C-5.51] the form of the page leads there, for a client too, and coming back connects", async () => {
      const { id, widgetUrl, browser, page } = await goAway();
      expect(page).toContain(`${server.url}/sandbox/login?`);
      await browser.open(widgetUrl);
      const { url, body } = browser.filled("redirect");
      const left = await browser.request(url, { method: "POST", body });
      expect([left.status, left.headers.get("location"), left.html]).toEqual([303, page, ""]);
      const init = { method: "POST", body, headers: { accept: "application/json" } };
      expect(JSON.parse((await browser.request(url, init)).html)).toMatchObject({ leads_to: page });
      // In another tab of the same browser: the first window follows on its own.
      const tab = createBrowser(browser.cookies);
      await resumeCallback(tab, widgetUrl, await onBankPage(page, { username: "redirected" }));
      expect(await stateOf(id)).toMatchObject(connected);
      expect((await browser.open(widgetUrl)).text).toContain("Your bank is connected");
    });

    it("[C-5.53] [C-5.54] whoever comes back wrongly gets nowhere, and the one who went can still come back", async () => {
      const { id, widgetUrl, browser, page } = await goAway();
      const callback = await onBankPage(page, { username: "hostile" });
      const { searchParams } = new URL(callback);
      const [state, code] = [String(searchParams.get("state")), String(searchParams.get("code"))];
      const forged = callback.replace(state, "A".repeat(43));
      const neighbour = await goAway();
      const wrong: [Browser, string, number, string][] = [
        [browser, forged, 404, "not valid"],
        [browser, callback.replace(/[?].*/, ""), 404, "not valid"],
        [browser, `${callback}&code=another`, 404, "not valid"],
        [createBrowser(), callback, 403, "Continue where you started"],
        [neighbour.browser, callback, 403, "Continue where you started"],
        [
          createBrowser(),
          `${server.url}/connect/callback?state=${state}&error=access_denied`,
          403,
          "where you started",
        ],
      ];
      for (const [who, address, status, words] of wrong) {
        const answer = await who.open(address);
        expect([answer.status, answer.forms.length], address).toEqual([status, 0]);
        expect(answer.text).toContain(words);
        for (const secret of [state, code, new URL(widgetUrl).pathname]) expect(answer.html).not.toContain(secret);
      }
      expect((await browser.request(callback, { method: "HEAD" })).status).toBe(405);
      expect(await stateOf(id)).toMatchObject(away);
      await resumeCallback(browser, widgetUrl, await onBankPage(page, "declines"));
      expect(await stateOf(id)).toMatchObject({ ...away, error_code: "AbortedByUser" });
      const again = (await browser.submit("redirect")).url;
      expect(again).not.toBe(page);
      expect((await browser.open(callback)).status).toBe(404);
      const second = await onBankPage(again, { username: "hostile" });
      await resumeCallback(browser, widgetUrl, second);
      expect(await stateOf(id)).toMatchObject(connected);
      // A return address that was used once is useless to anyone else.
      expect((await browser.open(second)).text).toContain("Your bank is connected");
      expect((await createBrowser().open(second)).status).toBe(403);
      expect((await stateOf(neighbour.id)).status).toBe("Waiting:Challenge");
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      await server.stop();
      const rows = await server.installation.withDatabase((pool) => rowsHolding(pool, [state, code, "hostile"]));
      expect(rows).toEqual([]);
      for (const secret of [state, code, "hostile"]) expect(metrics + server.output()).not.toContain(secret);
    });
  },
);
