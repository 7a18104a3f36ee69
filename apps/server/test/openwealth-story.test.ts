import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { companyWithAccounts } from "../../../packages/provider-openwealth/test/stand-in/further-customers.js";
import {
  larkspurAtBank,
  larkspurNextDay,
} from "../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import { startOpenWealthBank } from "../../../packages/provider-openwealth/test/stand-in/open-wealth-bank.js";
import { newPerson, type Person, press, sees, startChromium } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { nextDayOf } from "./institutions/openwealth-versions-customers.js";
import { startBanks } from "./openwealth-banks.js";
import { pictures } from "./page-looks.js";
import { expectSameTools } from "./same-tools.js";

const executablePath = process.env.CHROMIUM_PATH ?? "";
const formerBanks = ["one", "two", "three"] as const;
const banks = [...formerBanks, "latest"] as const;
type Bank = (typeof banks)[number];
/** Whom the bank shows several customers, which is why it is asked which one. */
const users = { one: "both", two: "both", three: "both", latest: "larkspur" } as const;

/** A bank with each version, all in one row of settings. */
async function start() {
  const at = await startBanks({
    one: { version: "1.1" },
    two: { version: "1.2" },
    three: { version: "2.0" },
  });
  const larkspur = larkspurAtBank(at.today);
  const latest = await startOpenWealthBank({
    clock: at.now,
    customers: [larkspur, companyWithAccounts("co", 3)],
    redirect_uris: [`${at.server.url.replace("127.0.0.1", "localhost")}/connect/callback`],
    required_headers: { "X-CorAPI-Target-ID": "CH9" },
  });
  const { base_url, authorize_url, token_url, revoke_url, client_id, client_secret } = latest;
  const auth = { type: "authorization_code", authorize_url, token_url, revoke_url, client_id, client_secret };
  const headers = { "X-CorAPI-Target-ID": "CH9" };
  const set = await at.set([
    ...at.settings,
    { id: "latest", name: "Bank latest", country: "che", base_url, auth, headers },
  ]);
  const ofTenant = ["--tenant", at.tenant.tenantId];
  const shown = await at.operator.run(["providers", "show", "openwealth", ...ofTenant]);
  expect(JSON.stringify([set, shown])).not.toContain(client_secret);
  expect(await at.check()).toMatchObject({ ok: true });
  expect(await at.operator.run(["providers", "sync", "openwealth", ...ofTenant])).toMatchObject({ inserted: 1 });
  const authorizations = { latest: latest.authorization, ...authorizationsOf(at) };
  return { at, larkspur, latest, authorizations };
}

function authorizationsOf({
  banks: { one, two, three },
}: Awaited<ReturnType<typeof startBanks<"one" | "two" | "three">>>) {
  return { one: one.authorization, two: two.authorization, three: three.authorization };
}

describe.skipIf(!executablePath)(
  "banks with OpenWealth 1.1, 1.2, 2.0 and 3.2, from their settings to the end of a connection",
  () => {
    let story: Awaited<ReturnType<typeof start>>;
    let chromium: Browser;
    let person: Person;
    const tokens = new Map<Bank, string>();
    const known = new Map<Bank, readonly string[]>();

    beforeAll(async () => {
      story = await start();
      chromium = await startChromium(executablePath);
      person = await newPerson(chromium, { locale: "en-GB", reducedMotion: "reduce" });
    }, START_TIMEOUT);
    afterAll(async () => {
      await chromium?.close();
      await story?.latest.close();
      await story?.at.close();
    });

    const customerAt = (bank: Bank) => (bank === "latest" ? story.larkspur : story.at.banks[bank].customers.larkspur);
    const tokenOf = (bank: Bank) => tokens.get(bank) ?? "";

    /** Opens a session, and goes to the bank's own page. */
    async function goToBank(bank: Bank, target: { connector_id: string } | { connection_id: string }) {
      const { page } = person;
      const { id, widgetUrl } = await story.at.tenant.openSession(target);
      const name = `openwealth-${bank}-${"connection_id" in target ? "repair" : "connect"}`;
      await page.goto(widgetUrl);
      // By then the client has taken over the page.
      await page.locator("main > .screen").waitFor();
      await pictures(page, `${name}-begins`);
      await press(page, "Continue");
      await sees(page, "Log in on your bank's page");
      await pictures(page, `${name}-away`);
      await press(page, "Go to your bank");
      await sees(page, "Bank of the stand-in");
      await page.getByLabel("User").selectOption(users[bank]);
      return id;
    }

    /** Every figure of the customer arrives. */
    async function expectTruth(bank: Bank) {
      const { at, latest, larkspur } = story;
      const token = tokenOf(bank);
      await expectSameTools(at.tenant.tools, token);
      if (bank !== "latest") return at.expectTruth(token, bank, "larkspur");
      const truth = latest.truthOf(larkspur.id);
      const lines = (list: readonly (readonly unknown[])[]) => list.map((one) => one.join(" ")).sort();
      const portfolios = await at.rows("svc-portfolios", token);
      expect(lines(portfolios.map(({ currency, type, refAccount }) => [currency, type, refAccount]))).toEqual(
        lines(truth.portfolios.map(({ currency, type, reference }) => [currency, type, reference])),
      );
      const figures = ({ name, isin, amount, balance, currency }: (typeof truth.holdings)[number]) =>
        [name, isin, amount, balance, currency] as const;
      expect(lines((await at.rows("svc-investments", token)).map(figures))).toEqual(lines(truth.holdings.map(figures)));
      const posted = (await at.rows("svc-investment-transactions", token)).filter(({ balance }) => balance !== null);
      const stated = truth.transactions.flatMap(({ cash }) => Object.entries(cash));
      expect(lines(posted.map(({ balance, currency }) => [balance, currency]))).toEqual(
        lines(stated.map(([place, amount]) => [amount, place.split(" ").at(-1)])),
      );
    }

    it.each(banks)(
      "[C-5.115] [C-5.269] [C-5.305] %s: a customer says no, then agrees, and has every figure",
      {
        timeout: START_TIMEOUT,
      },
      async (bank) => {
        const { page } = person;
        const session_id = await goToBank(bank, { connector_id: `che:${bank}` });
        await press(page, "Decline");
        await page.getByText("You did not agree").first().waitFor();
        await pictures(page, `openwealth-${bank}-declined`);
        await press(page, "Go to your bank again");
        await sees(page, "Bank of the stand-in");
        await page.getByLabel("User").selectOption(users[bank]);
        await press(page, "Approve");
        await sees(page, "A question from your bank");
        await pictures(page, `openwealth-${bank}-question`);
        await page.getByLabel(bank === "latest" ? "12345-6" : customerAt(bank).id).check();
        await press(page, "Continue");
        await sees(page, "Your bank is connected");
        await pictures(page, `openwealth-${bank}-connected`);
        const session = await story.at.tenant.tools.call("svc-session-status", { session_id });
        tokens.set(bank, session.connection_id);
        await expectTruth(bank);
        known.set(bank, await story.at.idsOf(tokenOf(bank)));
      },
    );

    it("[C-5.115] [C-5.269] the next day comes, and then each bank's customer withdraws the consent there", {
      timeout: START_TIMEOUT,
    }, async () => {
      const { at, larkspur, authorizations } = story;
      for (const bank of formerBanks) nextDayOf(at.banks[bank].version, at.banks[bank].customers.larkspur, at.today);
      larkspurNextDay(larkspur, at.today);
      await at.goTo(2);
      for (const bank of banks) {
        const before = known.get(bank) ?? [];
        const isNew = (id: string) => !before.includes(id);
        const ids = await eventually(async () => {
          const found = await at.idsOf(tokenOf(bank));
          return found.some(isNew) && found;
        }, "the next day");
        await expectTruth(bank);
        expect(ids.filter((id) => !isNew(id)).length).toBeGreaterThan(20);
        known.set(bank, ids);
        authorizations[bank].withdraw(users[bank]);
      }
      await at.passes();
      for (const bank of banks) {
        const token = tokenOf(bank);
        await eventually(async () => (await at.refresh(token)) === "relogin_needed", "the consent that was withdrawn");
        expect(await at.reloginOf(token)).toMatchObject({ needs_relogin: true, reasons: [{ code: "auth_error" }] });
        expect(await at.idsOf(token)).toEqual(known.get(bank));
      }
    });

    it.each(banks)(
      "[C-5.115] [C-5.269] %s: another login keeps every id, and a removed connection gives its tokens back",
      {
        timeout: START_TIMEOUT,
      },
      async (bank) => {
        const { page } = person;
        const { at, authorizations } = story;
        const token = tokenOf(bank);
        await goToBank(bank, { connection_id: token });
        await press(page, "Approve");
        // The customer is known, so the page does not ask which one it is.
        await sees(page, "Your connection is renewed");
        await pictures(page, `openwealth-${bank}-renewed`);
        expect((await at.reloginOf(token)).needs_relogin).toBe(false);
        await expectTruth(bank);
        expect(await at.idsOf(token)).toEqual(known.get(bank));
        const isOpen = () => authorizations[bank].isOpen(users[bank]);
        expect(isOpen()).toBe(true);
        await at.tenant.tools.call("svc-delete-credentials", { credentials_token: token, confirm: true });
        await eventually(() => !isOpen(), "tokens that are given back");
      },
    );

    it("[C-5.269] no bank was asked for what its version does not have, and no secret is in the log", () => {
      const { at, latest, authorizations } = story;
      expect(latest.violations).toEqual([]);
      for (const bank of formerBanks) expect(at.banks[bank].violations).toEqual({ calls: [], parameters: [] });
      for (const bank of banks) expect(authorizations[bank].violations).toEqual([]);
      expect(at.server.faults()).toEqual([]);
      expect(at.server.output()).not.toContain(latest.client_secret);
    });
  },
);
