import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { companyWithAccounts } from "../../../packages/provider-openwealth/test/stand-in/further-customers.js";
import {
  larkspurAtBank,
  larkspurNextDay,
} from "../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import {
  type OpenWealthBank,
  startOpenWealthBank,
} from "../../../packages/provider-openwealth/test/stand-in/open-wealth-bank.js";
import { newPerson, press, sees, startChromium } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { operatorCommands } from "./operator-commands.js";
import { expectSameTools } from "./same-tools.js";

const executablePath = process.env.CHROMIUM_PATH;
const shift = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;
const SECRET = "s3cret:with+signs&=%";
const HALF_AN_HOUR = 30 * 60_000;
const DAY = 24 * 60 * 60_000;

// biome-ignore lint/suspicious/noExplicitAny: rows of tools.
type Row = any;

describe.skipIf(!executablePath)(
  "a bank with OpenWealth Custody Services, from its settings to the end of a connection",
  () => {
    let server: TestServer;
    let tenant: TestTenant;
    let bank: OpenWealthBank;
    let chromium: Browser;
    let page: Page;
    /** The bank's own clock, ahead of the machine's. */
    let ahead = 0;
    const operator = operatorCommands(() => server);
    const larkspur = larkspurAtBank(new Date().toISOString().slice(0, 10));

    beforeAll(async () => {
      server = await startTestServer({
        backend: oneBackend("it is about a bank and its data; refreshes and sessions have their own tests on both"),
        environment: { PROVIDERS: "openwealth", NODE_OPTIONS: shift, CLOCK_JUMP_MS: String(HALF_AN_HOUR) },
      });
      tenant = server.demo;
      bank = await startOpenWealthBank({
        clock: () => new Date(Date.now() + ahead),
        customers: [larkspur, companyWithAccounts("co", 3)],
        redirect_uris: [`${server.url.replace("127.0.0.1", "localhost")}/connect/callback`],
        required_headers: { "X-CorAPI-Target-ID": "CH9" },
      });
      chromium = await startChromium(executablePath ?? "");
      ({ page } = await newPerson(chromium, { locale: "en-GB" }));
    }, START_TIMEOUT);
    afterAll(async () => {
      await chromium?.close();
      await bank?.close();
      await server?.remove();
      operator.remove();
    });

    const of = (credentials_token: string) => ({ credentials_token });

    async function everyRow(tool: string, more: object): Promise<Row[]> {
      const rows: Row[] = [];
      for (let page_token: string | null | undefined; page_token !== null; ) {
        const answer = await tenant.tools.call(tool, { ...more, ...(page_token && { page_token }) });
        rows.push(...answer.items);
        page_token = answer.next_page_token ?? null;
      }
      return rows;
    }

    /** Goes through the bank's own page as a customer who agrees. */
    async function agree(target: { connector_id: string } | { connection_id: string }) {
      const { body, status, text } = await tenant.post("/v2/connect/sessions", {
        configuration: { ...target, language: "en" },
      });
      expect(status, text).toBe(200);
      await page.goto(body.widget_url);
      await press(page, "Continue");
      await sees(page, "Log in on your bank's page");
      await press(page, "Go to your bank");
      await sees(page, "Bank of the stand-in");
      await press(page, "Approve");
      return body.session.session_id as string;
    }

    async function expectTruth(token: string) {
      await expectSameTools(tenant.tools, token);
      const truth = bank.truthOf(larkspur.id);
      const portfolios = await everyRow("svc-portfolios", of(token));
      expect(portfolios.map(({ currency, type, refAccount }) => [currency, type, refAccount]).sort()).toEqual(
        truth.portfolios.map(({ currency, type, reference }) => [currency, type, reference]).sort(),
      );
      const holdings = await everyRow("svc-investments", of(token));
      const figures = ({ name, isin, amount, balance, currency }: Row) =>
        [name, isin, amount, balance, currency].join(" ");
      expect(holdings.map(figures).sort()).toEqual(truth.holdings.map(figures).sort());
      const transactions = await everyRow("svc-investment-transactions", of(token));
      const posted = transactions.flatMap(({ balance, currency }) =>
        balance === null ? [] : [`${balance} ${currency}`],
      );
      const stated = truth.transactions.flatMap(({ cash }) =>
        Object.entries(cash).map(([place, amount]) => `${amount} ${place.split(" ").at(-1)}`),
      );
      expect(posted.sort()).toEqual(stated.sort());
      return holdings.map(({ id }) => id as string).sort();
    }

    it("[C-5.115] [C-5.305] settings, login by redirect, figures, the next day, a withdrawn consent, repair and removal", {
      timeout: START_TIMEOUT,
    }, async () => {
      const { base_url, authorize_url, token_url, revoke_url, client_id } = bank;
      const auth = {
        type: "authorization_code",
        authorize_url,
        token_url,
        revoke_url,
        client_id,
        client_secret: SECRET,
      };
      const settings = {
        banks: [
          {
            id: "stand-in",
            name: "Stand-in Bank",
            country: "che",
            base_url,
            auth,
            headers: { "X-CorAPI-Target-ID": "CH9" },
          },
        ],
      };
      const typed = JSON.stringify(settings);
      const set = await operator.run(["providers", "set", "openwealth", "--file", "-"], typed);
      expect(JSON.stringify(set)).not.toContain(SECRET);
      expect(JSON.stringify(await operator.run(["providers", "show", "openwealth"]))).not.toContain(SECRET);
      expect(await operator.run(["providers", "test", "openwealth"])).toMatchObject({ ok: true });
      expect(await operator.run(["providers", "sync", "openwealth"])).toMatchObject({ inserted: 1 });

      const id = await agree({ connector_id: "che:stand-in" });
      await sees(page, "A question from your bank");
      await page.getByLabel("12345-6").check();
      await press(page, "Continue");
      await sees(page, "Your bank is connected");
      const { connection_id } = await tenant.tools.call("svc-session-status", { session_id: id });
      const first = await expectTruth(connection_id);

      // The next day: another price, something new, something gone, and an expired token.
      ahead = DAY;
      larkspurNextDay(larkspur, new Date(Date.now()).toISOString().slice(0, 10));
      const refresh = () => tenant.post("/connect/v2/connections/refresh", { connection_id });
      expect((await refresh()).body).toMatchObject({ outcome: "refreshed" });
      const second = await expectTruth(connection_id);
      expect(second.filter((one) => first.includes(one)).length).toBeGreaterThan(20);

      bank.authorization.withdraw("larkspur");
      process.kill(server.process.pid, "SIGUSR2");
      await eventually(
        async () => (await refresh()).body.outcome === "relogin_needed",
        "the consent that was withdrawn",
      );
      expect(await tenant.tools.call("svc-needs-relogin", of(connection_id))).toMatchObject({
        needs_relogin: true,
        reasons: [{ code: "auth_error" }],
      });
      await agree({ connection_id });
      // The customer is known, so the page does not ask which one it is.
      await sees(page, "Your connection is renewed");
      expect((await tenant.tools.call("svc-needs-relogin", of(connection_id))).needs_relogin).toBe(false);
      expect(await expectTruth(connection_id)).toEqual(second);

      expect(bank.authorization.isOpen("larkspur")).toBe(true);
      await tenant.tools.call("svc-delete-credentials", { ...of(connection_id), confirm: true });
      await eventually(async () => !bank.authorization.isOpen("larkspur"), "tokens that are given back");
      expect([bank.violations, bank.authorization.violations, server.faults()]).toEqual([[], [], []]);
      expect(server.output()).not.toContain(SECRET);
    });
  },
);
