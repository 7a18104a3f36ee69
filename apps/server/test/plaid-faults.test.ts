import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../../packages/provider-kit/test/stand-in/institution.js";
import { Exact, type JsonObject } from "../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { oneBackend } from "./installation.js";
import type { Plaid } from "./institutions/plaid.js";
import type { PlaidItem } from "./institutions/plaid-items.js";
import { visitLink } from "./institutions/plaid-person.js";
import { kinds } from "./institutions/plaid-portfolio.js";
import { openPlaidStage, visitOf } from "./plaid-stage.js";

const HOLDINGS = "/investments/holdings/get";
const TRANSACTIONS = "/investments/transactions/get";
/** As long as an address of Hosted Link is good. */
const HALF_AN_HOUR = 30 * 60_000;
const DAY = 24 * 60 * 60_000;
/** More than two pages, each of another amount. */
const DEPOSITS = 1_130;

let stage: Awaited<ReturnType<typeof openPlaidStage>>;
let plaid: Plaid;

beforeAll(async () => {
  const backend = oneBackend("it is about answers of an institution; what is stored is in other tests");
  stage = await openPlaidStage(backend);
  plaid = stage.plaid;
}, START_TIMEOUT);
afterAll(() => stage?.close());

const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** A person with a stock, a fund and some transactions. */
function person(deposits = 3) {
  const { login, accounts } = stage.enrol(stage.banks[0], ["Brokerage", "Retirement"]);
  const [account] = accounts;
  account.hold(kinds.stock, "3", "271.49");
  account.hold(kinds.fund, "10", "20");
  for (let at = 1; at <= deposits; at += 1) account.book("cash", "deposit", `-${at}.01`, { date: daysAgo(at / 4) });
  return { login, account };
}

const amounts = async (token: string) =>
  (await stage.rows("svc-investment-transactions", token)).map(({ balance }) => Number(balance)).sort((a, b) => a - b);
const deposits = (count: number) => Array.from({ length: count }, (_, at) => Number(`${at + 1}.01`));
const holdings = async (token: string) =>
  (await stage.rows("svc-investments", token)).map(({ name, amount }) => `${name} ${amount}`).sort();
const held = ["Apple Inc. 3", "Larkspur Target Retirement 2045 10"];

describe("[C-5.292] answers that are none", () => {
  const at = (path: string, fault: Fault, times = 3) =>
    plaid.institution.fail((request) => request.path === path, fault, times);
  const code =
    (name: Parameters<Plaid["refuse"]>[1], path = HOLDINGS) =>
    () =>
      plaid.refuse(path, name, 3);

  it.each<[name: string, happens: (item: PlaidItem) => void, outcome: string, isLoginNeeded: boolean]>([
    ["ITEM_LOGIN_REQUIRED", (item) => item.requireLogin(), "relogin_needed", true],
    ["a consent that has ended", (item) => item.requireLogin("OAUTH_CONSENT_EXPIRED"), "relogin_needed", true],
    ["ITEM_LOCKED", (item) => item.fail("ITEM_LOCKED"), "relogin_needed", true],
    ["USER_SETUP_REQUIRED", (item) => item.fail("USER_SETUP_REQUIRED"), "relogin_needed", true],
    ["USER_PERMISSION_REVOKED", (item) => item.revoke(), "relogin_needed", true],
    ["NO_INVESTMENT_ACCOUNTS", code("NO_INVESTMENT_ACCOUNTS"), "relogin_needed", true],
    ["ACCESS_NOT_GRANTED", code("ACCESS_NOT_GRANTED"), "relogin_needed", true],
    ["an institution that is down", code("INSTITUTION_DOWN"), "failed", false],
    ["an institution that does not respond", code("INSTITUTION_NOT_RESPONDING"), "failed", false],
    ["INTERNAL_SERVER_ERROR", code("INTERNAL_SERVER_ERROR"), "failed", false],
    ["maintenance of Plaid", code("PLANNED_MAINTENANCE"), "throttled", false],
    ["too many requests", code("INVESTMENT_HOLDINGS_GET_LIMIT"), "throttled", false],
    ["too many requests for the transactions", code("INVESTMENT_TRANSACTIONS_LIMIT", TRANSACTIONS), "refreshed", false],
    ["too many requests at the institution", code("INSTITUTION_RATE_LIMIT"), "throttled", false],
    ["data that are not ready", code("PRODUCT_NOT_READY"), "pending", false],
    ["a cut connection", () => at(HOLDINGS, { kind: "cut" }), "failed", false],
    ["half an answer", () => at(HOLDINGS, { kind: "half" }), "failed", false],
    ["an answer that is cut", () => at(TRANSACTIONS, { kind: "cut_in_the_middle" }), "failed", false],
    ["a page of HTML", () => at(HOLDINGS, { kind: "html" }), "failed", false],
    ["a slow answer", () => at(HOLDINGS, { kind: "trickle", pieces: 5, milliseconds: 20 }, 1), "refreshed", false],
  ])(
    "%s: the data stay, and they come back",
    { timeout: START_TIMEOUT },
    async (_, happens, outcome, isLoginNeeded) => {
      const { login, account } = person();
      const { connection_id, item } = await stage.connect(login);
      const ids = await stage.idsOf(connection_id);
      happens(item);
      await stage.passes();
      expect(await stage.refresh(connection_id)).toBe(outcome);
      plaid.institution.heal();
      expect(await stage.idsOf(connection_id)).toEqual(ids);
      const needs = await stage.call("svc-needs-relogin", { credentials_token: connection_id });
      expect(needs.needs_relogin).toBe(isLoginNeeded);
      account.book("cash", "deposit", "-4.01");
      if (isLoginNeeded) {
        const repair = await stage.begin({ connection_id });
        await repair.go(visitOf(login));
        expect(await repair.session()).toMatchObject({ status: "Finished:OK", connection_id });
      } else {
        item.update();
        await stage.passes();
        await eventually(async () => {
          const found = await stage.refresh(connection_id);
          if (found !== "refreshed") await stage.passes();
          return found === "refreshed";
        }, "it is read again");
      }
      expect(await amounts(connection_id)).toEqual(deposits(4));
      expect(await stage.idsOf(connection_id)).toEqual(expect.arrayContaining(ids));
    },
  );

  it("data that Plaid has not read yet: pending and never empty, then all of them", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { login } = person();
    plaid.extraction("not_ready");
    const { connection_id, item } = await stage.connect(login);
    plaid.extraction("done");
    const of = { credentials_token: connection_id };
    expect(await stage.call("svc-investments", of)).toMatchObject({ total: 0, sources: [{ state: "pending" }] });
    await stage.passes();
    expect(await stage.refresh(connection_id)).toBe("pending");
    expect(await stage.call("svc-investments", of)).toMatchObject({ sources: [{ state: "pending" }] });
    item.extracted();
    await stage.passes();
    expect(await stage.refresh(connection_id)).toBe("refreshed");
    expect([await holdings(connection_id), await amounts(connection_id)]).toEqual([held, deposits(3)]);
  });

  it("data that Plaid reads while the first request for them waits", { timeout: START_TIMEOUT }, async () => {
    const { login } = person();
    plaid.extraction("waiting");
    const [asked, items] = [stage.sent(HOLDINGS), plaid.items.length];
    const connecting = stage.connect(login);
    await eventually(() => stage.sent(HOLDINGS) > asked, "the holdings are asked for");
    plaid.extraction("done");
    plaid.items[items]?.extracted();
    const { connection_id } = await connecting;
    expect([await holdings(connection_id), await amounts(connection_id)]).toEqual([held, deposits(3)]);
  });

  it.each<[name: string, happens: (account: ReturnType<typeof person>["account"]) => void, more: readonly number[]]>([
    ["half of a page", () => plaid.nextPage("half"), []],
    ["a page twice", () => plaid.nextPage("repeated"), []],
    [
      "a row that comes between two pages",
      (account) =>
        plaid.betweenPages(() => {
          account.book("cash", "deposit", "-9000", { date: daysAgo(2) });
          plaid.items.at(-1)?.update();
        }),
      [9000],
    ],
  ])("a history of three pages with %s: every row once", { timeout: START_TIMEOUT }, async (_, happens, more) => {
    const { login, account } = person(DEPOSITS);
    happens(account);
    const { connection_id } = await stage.connect(login);
    expect(await amounts(connection_id)).toEqual([...deposits(DEPOSITS), ...more]);
  });

  it("[C-5.236] a holding whose quantity cannot be read stays, as does every other row", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { login } = person();
    const { connection_id } = await stage.connect(login);
    const ids = await stage.idsOf(connection_id);
    plaid.spoil(HOLDINGS, (body) => ({
      ...body,
      holdings: (body.holdings as JsonObject[]).map((row, index) => (index === 0 ? { ...row, quantity: "many" } : row)),
    }));
    await stage.passes();
    expect(await stage.refresh(connection_id)).toBe("refreshed");
    expect(await stage.idsOf(connection_id)).toEqual(ids);
    plaid.spoil(HOLDINGS, null);
    // A member that Plaid adds one day is nothing odd.
    plaid.spoil(HOLDINGS, (body) => ({ ...body, custody: { level: new Exact("1e3") } }));
    await stage.passes();
    expect(await stage.refresh(connection_id)).toBe("refreshed");
    plaid.spoil(HOLDINGS, null);
  });

  it("an institution that is down reads so at once, and one without investments lets nobody in", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { login } = person();
    stage.banks[0].health = "DOWN";
    const going = await stage.begin({ connector_id: `usa:plaid-${stage.banks[0].institution_id}` });
    const text = await going.go(visitOf(login));
    stage.banks[0].health = "HEALTHY";
    expect(text).toContain("You have 2 attempts left");
    const cash = plaid.enrol(stage.banks[0], "saver");
    cash.open("Savings", { type: "depository", subtype: "savings" });
    expect(await going.go(visitOf(cash))).toContain("You have 1 attempt left");
    await going.go(visitOf(login));
    expect(await going.session()).toMatchObject({ status: "Finished:OK" });
  });
});

describe("[C-5.291] on the way", () => {
  it("a page of Plaid that has expired, and another's way back: the customer goes again", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { login } = person();
    const going = await stage.begin({ connector_id: `usa:plaid-${stage.banks[0].institution_id}` });
    const { url } = await going.browser.submit("redirect");
    const { location } = await visitLink(url, visitOf(login));
    const other = await stage.begin({ connector_id: `usa:plaid-${stage.banks[0].institution_id}` });
    const page = await other.browser.open(location);
    expect([page.status, page.text]).toEqual([403, expect.stringContaining("Continue where you started")]);
    await going.browser.open(location);
    await waitForAnswer(going.browser, going.widgetUrl);
    expect(await going.session()).toMatchObject({ status: "Finished:OK" });
    expect((await other.session()).status).toBe("Waiting:Challenge");

    const second = person();
    await other.browser.open(other.widgetUrl);
    const expired = (await other.browser.submit("redirect")).url;
    stage.later(HALF_AN_HOUR);
    expect((await visitLink(expired, visitOf(second.login))).text).toContain("no longer valid");
    stage.later(-HALF_AN_HOUR);
    await other.browser.open(other.widgetUrl);
    await other.browser.submit("restart");
    await waitForAnswer(other.browser, other.widgetUrl);
    await other.go(visitOf(second.login));
    expect(await other.session()).toMatchObject({ status: "Finished:OK" });
  });
});

it("[C-5.292] 12,000 institutions are synced, and stay when Plaid ends a sync by its limit", {
  timeout: START_TIMEOUT,
}, async () => {
  const { server, banks } = stage;
  plaid.catalogue.generate(12_000);
  const countries = ["US", "CA", "GB", "IE", "FR", "ES", "NL", "DE", "IT", "PL", "DK", "NO", "SE", "FI", "EE", "LT"];
  const settings = {
    ...plaid.client,
    base_url: plaid.base_url,
    countries: [...countries, "LV", "PT", "BE", "AT"],
  };
  await server.operate("/operator/v1/providers/set", { name: "plaid", settings });
  const sync = () => server.operator.post("/operator/v1/providers/sync", { name: "plaid" });
  // Every fifth has no investments.
  expect((await sync()).body).toMatchObject({ inserted: 9_600, unchanged: banks.length });
  plaid.allow("/institutions/get", Number.POSITIVE_INFINITY, 10);
  const { status, text } = await sync();
  expect([status, text]).toEqual([503, expect.stringContaining("throttled")]);
  plaid.allow("/institutions/get", Number.POSITIVE_INFINITY);
  expect((await sync()).body).toMatchObject({ inserted: 0, unchanged: 9_600 + banks.length });
});
