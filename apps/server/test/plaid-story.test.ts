import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, press, sees } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { startPlaid } from "./institutions/plaid.js";
import { bookAll, furnish, kinds } from "./institutions/plaid-portfolio.js";
import { executablePath, startKeyStory } from "./key-story.js";
import { picture } from "./page-looks.js";
import { expectSameTools } from "./same-tools.js";

const start = () => startKeyStory("plaid", [], startPlaid);
const shown = (value: unknown) =>
  typeof value === "object" && value !== null ? Object.values(value).join(" ") : String(value ?? "-");
/** Everything that the stand-in's book has; amounts in what is no currency, and without one, are left out. */
const held = [
  "AAPL Jan 2027 280 Call | DV | OP | - | 2.00 | 1630 | USD | 8.15 | - | 1500 | AAPL270115C00280000",
  "Apple Inc. | VI | - | US0378331005 | 23.567 | 6398.20483 | USD | 271.49 | - | 4210.123456789012345 | 037833100 2046251 AAPL XNAS",
  "Bitcoin | C | - | - | 0.00000001 | 0.0009123456 | USD | 91234.56 | - | - | CUR:BTC",
  "Kestrel Labs, Series B | VI | - | - | 100 | 0 | USD | 0 | - | - | -",
  "Larkspur Government Money Market | L | - | - | 1000.05 | 1000.05 | USD | 1 | - | 1000.05 | 517000010 LGMXX",
  "Larkspur Industrie | VI | - | - | 12 | 1057.2 | EUR | 88.1 | - | - | LKI XPAR",
  "Larkspur Target Retirement 2045 | F | - | - | 10.25 | 209.1 | USD | 20.4 | - | - | 517000028 LTRFX",
  "Larkspur Target Retirement 2045 | F | - | - | 9007199254740993.0000001 | 900719925.47409930000001 | USD | 0.0000001 | - | - | 517000028 LTRFX",
  "Larkspur World ETF | ETF | - | - | 0.1 | 0.02 | USD | 0.2 | - | - | LWLD",
  "Loan to participant | O | - | - | 1 | - | XXX | - | - | - | -",
  "Tether | C | - | - | 250.123456789012345678 | - | XXX | - | - | - | CUR:USDT",
  "Treasury bill without details | FI | - | - | 1 | 990 | USD | 990 | - | - | -",
  "U S Dollar | L | - | - | 12345.67 | 12345.67 | USD | 1 | - | - | -",
  "United States Treasury Note 4.25% 2035 | FI | - | US91282CMM00 | 5 | 4906.25 | USD | 981.25 | - | - | 91282CMM0",
  "Variable annuity unit | O | - | - | 3.5 | 42.88 | USD | 12.25 | - | - | -",
  // A security without a name has its id at Plaid.
  `${kinds.unknown.security_id} | O | - | - | 1 | 17 | USD | 17 | - | - | -`,
].sort();
const bought = "assignment,buy,buy to cover,contribution,dividend reinvestment,interest reinvestment";
/** Subtypes of cash, fees and transfers by the kind that they are read as, then those of units. */
const cash: Readonly<Record<string, string>> = {
  deposit: "contribution,deposit",
  dividend:
    "dividend,long-term capital gain,non-qualified dividend,qualified dividend,short-term capital gain,unqualified gain",
  fee: "account fee,fund fee,legal fee,management fee,margin expense,miscellaneous fee,transfer fee,trust fee",
  interest: "interest,interest receivable",
  merger: "merger",
  other: "adjustment,assignment,buy,exercise,expire,loan payment,pending credit,pending debit,rebalance,trade",
  redemption: "return of principal",
  spin_off: "spin off",
  split: "split",
  tax: "non-resident tax,tax,tax withheld",
  transfer_in: "request,stock distribution",
  transfer_out: "send,transfer",
  withdrawal: "withdrawal",
};
const units: Readonly<Record<string, readonly [subtypes: string, figures: string]>> = {
  buy: [
    `${bought},long-term capital gain reinvestment,short-term capital gain reinvestment`,
    "0.5 | 200.2 | -100.1 | USD | -",
  ],
  sell: ["distribution,exercise,sell,sell short", "-0.5 | 200.2 | 100.1 | USD | -"],
};
const moved = [
  ...Object.entries(cash).flatMap(([kind, subtypes]) =>
    subtypes.split(",").map((subtype) => `${kind} | ${subtype.toUpperCase()} CASH | - | - | -100.1 | USD | 0`),
  ),
  ...Object.entries(units).flatMap(([kind, [subtypes, figures]]) =>
    subtypes.split(",").map((subtype) => `${kind} | ${subtype.toUpperCase()} Apple Inc. | ${figures}`),
  ),
].sort();

const sizes = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];

describe.skipIf(!executablePath)("Plaid, from its settings to the end of a connection", () => {
  let story: Awaited<ReturnType<typeof start>>;
  let page: Page;

  beforeAll(async () => {
    story = await start();
    ({ page } = await newPerson(story.chromium, { locale: "en-GB", reducedMotion: "reduce" }));
  }, START_TIMEOUT);
  afterAll(() => story?.close());

  async function looks(name: string) {
    if (process.env.PICTURES === undefined) return;
    for (const size of sizes) {
      await page.setViewportSize(size);
      await picture(page, `plaid-${name}-${size.width}`);
    }
  }

  /** Opens a session, and goes on to Plaid's page. */
  async function goToPlaid(target: { connector_id: string } | { connection_id: string }) {
    const { id, widgetUrl } = await story.tenant.openSession(target);
    await page.goto(widgetUrl);
    // By then the client has taken over the page.
    await page.locator("main > .screen").waitFor();
    await looks("connection_id" in target ? "repair" : "begins");
    await press(page, "Continue");
    await sees(page, "Log in on your bank's page");
    await looks("away");
    await press(page, "Go to your bank");
    return id;
  }

  /** Logs in on Plaid's page with a code, and agrees to share all accounts. */
  async function logIn(password: string) {
    await page.getByLabel("Username").fill("lena");
    await page.getByLabel("Password").fill(password);
    await press(page, "Submit");
    await sees(page, "Verify your identity with First Larkspur");
    await page.getByLabel("Code").fill("246810");
    await press(page, "Submit");
    await sees(page, "Select accounts of First Larkspur");
    for (const account of ["Brokerage", "Retirement"]) await page.getByLabel(account).check();
    await press(page, "Continue");
  }

  const listed = async (tool: string, credentials_token: string, fields: readonly string[]): Promise<string[]> => {
    const { items } = await story.tenant.tools.call(tool, { credentials_token, page_size: 200, fields });
    return items.map((row: Record<string, unknown>) => fields.map((field) => shown(row[field])).join(" | ")).sort();
  };
  const holdings = (token: string) =>
    listed("svc-investments", token, [
      ...["name", "type", "subtype", "isin", "amount", "balance", "currency", "price", "price_unit", "cost"],
      "identifiers",
    ]);
  const transactions = (token: string) =>
    listed("svc-investment-transactions", token, [
      ...["kind", "description", "amount", "unitPrice", "balance", "currency", "fees"],
    ]);

  it("[C-5.290] settings, Hosted Link, every figure, webhooks, a lost login, repair with ids kept, removal", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { stand, server, tenant, idsOf } = story;
    const bank = stand.catalogue.add("First Larkspur", { consent_days: 180 });
    stand.catalogue.add("Second Larkspur");
    const login = stand.enrol(bank, "lena", { password: "of-the-test", code: "246810" });
    const account = login.open("Brokerage", { mask: "5555" });
    const retirement = login.open("Retirement", { mask: "6666", subtype: "ira" });
    login.open("Checking", { type: "depository", subtype: "checking", balances: { available: 100, current: 110 } });
    furnish(account);
    retirement.hold(kinds.fund, "10.25", "20.4");
    bookAll(account, new Date().toISOString().slice(0, 10));
    const settings = { ...stand.client, base_url: stand.base_url, countries: ["US"] };
    await server.operate("/operator/v1/providers/set", { name: "plaid", settings });
    expect(await server.operate("/operator/v1/providers/test", { name: "plaid" })).toMatchObject({ ok: true });
    expect(await server.operate("/operator/v1/providers/sync", { name: "plaid" })).toMatchObject({ inserted: 2 });

    // Whoever leaves Plaid reads so, and goes again.
    const session_id = await goToPlaid({ connector_id: `usa:plaid-${bank.institution_id}` });
    await sees(page, "Wealth Connect uses Plaid to connect your account");
    await press(page, "Exit");
    await page.getByText("you turned back there").first().waitFor();
    await page.locator("main > .screen").waitFor();
    await looks("declined");
    await press(page, "Continue");
    await sees(page, "Log in on your bank's page");
    await press(page, "Go to your bank");
    await press(page, "First Larkspur");
    await logIn("of-the-test");
    await sees(page, "Your bank is connected");
    await looks("connected");
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id });
    expect(await holdings(connection_id)).toEqual(held);
    expect(await transactions(connection_id)).toEqual(moved);
    const accounts = await listed("svc-portfolios", connection_id, [
      "name",
      "balance",
      "currency",
      "refAccount",
      "type",
    ]);
    expect(accounts).toEqual([
      "Brokerage | 900746062.873298434612355678 | USD | 5555 | S",
      "Retirement | 209.1 | USD | 6666 | PP",
    ]);
    const ids = await idsOf(connection_id);
    const [item] = stand.items;
    if (item === undefined) throw new Error("no Item");

    const end = async () =>
      (await tenant.post("/data/v1/show-connection", { credentials_token: connection_id })).body.status
        .consent_expires_at;
    expect(Date.parse(await end())).toBe(item.consent_expiration_time?.getTime());

    // What is traded is there after Plaid's webhook, without a request of anybody.
    account.trade("buy", kinds.etf, "2", "101.5", "1.25");
    story.passes();
    item.update();
    await stand.webhooks.settled();
    await eventually(
      async () =>
        (await holdings(connection_id)).some((row) =>
          row.startsWith("Larkspur World ETF | ETF | - | - | 2.1 | 213.15 | USD"),
        ),
      "the holding that the webhook was about",
    );
    const traded = "buy | BUY Larkspur World ETF | 2 | 101.5 | -203 | USD | 1.25";
    expect(await transactions(connection_id)).toEqual([...moved, traded].sort());
    expect((await idsOf(connection_id)).filter((one) => ids.includes(one))).toEqual(ids);

    item.requireLogin("OAUTH_CONSENT_EXPIRED");
    await stand.webhooks.settled();
    story.passes();
    await story.refreshed(connection_id, "relogin_needed");
    const of = { credentials_token: connection_id };
    expect(await tenant.tools.call("svc-needs-relogin", of)).toMatchObject({ needs_relogin: true });
    const before = await idsOf(connection_id);
    await goToPlaid({ connection_id });
    await logIn("of-the-test");
    await sees(page, "Your connection is renewed");
    await looks("renewed");
    expect(Date.parse(await end())).toBe(item.consent_expiration_time?.getTime());
    expect((await tenant.tools.call("svc-needs-relogin", of)).needs_relogin).toBe(false);
    expect(await idsOf(connection_id)).toEqual(before);

    await expectSameTools(tenant.tools, of.credentials_token);
    await tenant.tools.call("svc-delete-credentials", { ...of, confirm: true });
    await eventually(() => item.isRemoved, "the Item is removed");
    expect((await tenant.post("/connect/v2/connections/refresh", { connection_id })).status).toBe(400);
    await stand.webhooks.settled();
    expect([stand.violations, server.faults()]).toEqual([[], []]);
    expect(stand.webhooks.sent.filter(({ status }) => status !== 200)).toEqual([]);
    const tokens = stand.link.tokens.map(({ link_token }) => link_token);
    for (const secret of [stand.client.secret, "access-production", "public-production", "of-the-test", ...tokens])
      expect(server.output()).not.toContain(secret);
  });
});
