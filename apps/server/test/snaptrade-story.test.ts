import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, press, sees } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { startSnapTrade } from "./institutions/snaptrade.js";
import type { SnapTradePartner } from "./institutions/snaptrade-book.js";
import { furnish } from "./institutions/snaptrade-furnish.js";
import { executablePath, startKeyStory } from "./key-story.js";
import { pictures } from "./page-looks.js";
import { expectSameTools } from "./same-tools.js";

const DAY_MS = 86_400_000;
type Row = Readonly<Record<string, unknown>>;
const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
const start = () => startKeyStory("snaptrade", [], startSnapTrade);

/** Name, type, subtype, units, value, currency, price, cost, identifiers: figures with more than 20 digits after the point are rounded there. */
const held = [
  "AAPL 2026-12-18 240 CALL | DV | OP | -3 | 0 | USD | 0 | 0 | AAPL  261218C00240000",
  "AAPL 2026-12-18 240 CALL | DV | OP | 2 | 810.00 | USD | 4.05 | 630.00 | AAPL  261218C00240000",
  "Alibaba Group Holding Ltd ADR | VI | - | -7 | -617.4 | USD | 88.2 | -630 | BABA XNYS",
  "Apple Inc. | CFD | - | 5 | 36.5 | USD | 187.3 | - | AAPL XNAS",
  "Apple Inc. | VI | - | 10.3583789012345678 | 2107.48251061841452022997 | USD | 203.4567890123456789 | 1939.60644925617283090838 | AAPL XNAS BBG000B9XRY4",
  "BlackRock Science and Technology Trust | F | - | 100 | 3141.5900 | USD | 31.4159 | - | BST XNYS",
  "Cash CAD | L | - | 2026 | 2026 | CAD | - | - | -",
  "Cash USD | L | - | 1021.91 | 1021.91 | USD | - | - | -",
  "Cash USD | L | - | 22680.03162574382716710432 | 22680.03162574382716710432 | USD | - | - | -",
  "ESM27 | DV | FT | 1 | 256162.50 | USD | 5123.25 | - | ESM27 XCME",
  "SPDR S&P 500 ETF Trust | ETF | - | 4 | 2048.44 | USD | 512.11 | 1920.020 | SPY ARCX",
  "SPDR S&P 500 ETF Trust | ETF | - | 5 | 0 | USD | 0 | 0 | SPY ARCX",
  "SPY 2027-01-15 412.5 PUT | DV | OP | -3 | -222.0 | USD | 7.4 | -222.0 | SPY   270115P00412500",
  "Schwab Value Advantage Money Fund | F | - | 1500.25 | 1500.25 | USD | 1 | 1500.25 | SWVXX XNAS",
  "Shopify Inc. | VI | - | 20 | 1974.0 | CAD | 98.7 | 1974.0 | SHOP XTSE",
  "US TREASURY 4% 15 NOV 2042 | O | - | 10000 | - | USD | - | 981250.000 | US912810TM09",
  "Vanguard 500 Index Fund Admiral Shares | F | - | 3.219 | 1464.70938 | USD | 455.02 | 1287.9219 | VFIAX XNAS",
];
/** Days ago, kind, description, units, price, amount, currency, fees, days since settlement, identifiers. A row of the book without a date is left out. */
const moved = [
  "20 | dividend | DISTRIBUTION of the plan | - | - | 5.2 | USD | - | - | -",
  "20 | dividend | STOCK_DIVIDEND | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | dividend | SUBSTITUTE_DIVIDEND of the plan | - | - | 5.2 | USD | - | - | -",
  "20 | fee | FEE of the plan | - | - | -3.1 | USD | - | - | -",
  "20 | interest | INTEREST of the plan | - | - | 5.2 | USD | - | - | -",
  "20 | merger | STOCK_MERGER | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | other | ADJUSTMENT | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | other | OPTIONASSIGNMENT | -1 | - | - | USD | - | - | AAPL  261218C00240000",
  "20 | other | OPTIONEXERCISE | -1 | - | - | USD | - | - | AAPL  261218C00240000",
  "20 | other | OPTIONEXPIRATION | -1 | - | - | USD | - | - | AAPL  261218C00240000",
  "20 | other | REBATE of the plan | - | - | 5.2 | USD | - | - | -",
  "20 | other | RETURN_OF_CAPITAL of the plan | - | - | 5.2 | USD | - | - | -",
  "20 | spin_off | SPINOFF | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | split | REVERSE_SPLIT | -1 | - | - | USD | - | - | SPY ARCX",
  "20 | split | SPLIT | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | transfer_in | EXTERNAL_ASSET_TRANSFER_IN | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | transfer_in | INTERNAL_ASSET_TRANSFER_IN | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | transfer_in | INTERNAL_CASH_TRANSFER_IN of the plan | - | - | 5.2 | USD | - | - | -",
  "20 | transfer_in | TRANSFER | 1 | - | - | USD | - | - | SPY ARCX",
  "20 | transfer_out | EXTERNAL_ASSET_TRANSFER_OUT | -1 | - | - | USD | - | - | SPY ARCX",
  "20 | transfer_out | INTERNAL_ASSET_TRANSFER_OUT | -1 | - | - | USD | - | - | SPY ARCX",
  "20 | transfer_out | INTERNAL_CASH_TRANSFER_OUT of the plan | - | - | -3.1 | USD | - | - | -",
  "20 | withdrawal | WITHDRAWAL of the plan | - | - | -3.1 | USD | - | - | -",
  "28 | deposit | Deposit | - | - | 1000 | USD | - | - | -",
  "29 | buy | REI | 0.0127 | 203.94 | -2.59 | USD | - | - | AAPL XNAS BBG000B9XRY4",
  "30 | dividend | APPLE INC CASH DIV ON 12.3456 SHS | - | - | 3.05 | USD | - | - | AAPL XNAS BBG000B9XRY4",
  "30 | tax | TAX | - | - | -0.46 | USD | - | - | AAPL XNAS BBG000B9XRY4",
  "40 | sell | Sold Apple Inc. | -2 | 201 | 402 | USD | - | - | AAPL XNAS BBG000B9XRY4",
  "59 | sell | Sold SPY 2027-01-15 412.5 PUT | -3 | 7.4 | 222 | USD | - | - | SPY   270115P00412500",
  "60 | buy | Bought AAPL 2026-12-18 240 CALL | 2 | 3.15 | -631.3 | USD | 1.3 | - | AAPL  261218C00240000",
  "79 | buy | Bought Shopify Inc. | 20 | 98.7 | -1974 | CAD | - | 77 | SHOP XTSE",
  "80 | buy | Bought Apple Inc. | 12.3456789012345678 | 187.250000000000001 | -2312.73837425617283289568 | USD | 1.01 | - | AAPL XNAS BBG000B9XRY4",
  "89 | deposit | Deposit | - | - | 4000 | CAD | - | - | -",
  "90 | deposit | Deposit | - | - | 25000.07 | USD | - | - | -",
];

const coins = [
  "Bitcoin | C | - | 0.246913578024691356 | 16573.69288516079852505594 | USD | 67123.456789012345678 | 16543.20972765432085224691 | XBT",
  "Cash USD | L | - | 100.1 | 100.1 | USD | - | - | -",
  "Tether | C | - | 9007199254740993.1 | - | USD | - | - | USDT",
];
/** What was paid in a coin has no amounts. */
const coinsMoved = [
  "10 | deposit | Deposit | - | - | 100.1 | USD | - | - | -",
  "9 | buy | BUY | 0.123456789012345678 | - | - | USD | - | - | XBT",
];

describe.skipIf(!executablePath)("SnapTrade, from its settings to the end of a connection", () => {
  let story: Awaited<ReturnType<typeof start>>;
  let page: Page;
  let partner: SnapTradePartner;
  let brokers: ReturnType<typeof furnish>;
  /** Of the book, which was furnished then. */
  let today: string;

  beforeAll(async () => {
    story = await start();
    const { stand, server } = story;
    today = stand.book.clock().toISOString().slice(0, 10);
    brokers = furnish(stand.book);
    partner = stand.book.addPartner({ plan: "daily" });
    stand.webhooks.listen(partner, `${server.url}/providers/snaptrade/notifications`);
    ({ page } = await newPerson(story.chromium, { locale: "en-GB" }));
    const { client_id, consumer_key } = partner;
    const settings = { client_id, consumer_key, base_url: stand.base_url };
    await server.operate("/operator/v1/providers/set", { name: "snaptrade", settings });
    expect(await server.operate("/operator/v1/providers/test", { name: "snaptrade" })).toMatchObject({ ok: true });
    expect(await server.operate("/operator/v1/providers/sync", { name: "snaptrade" })).toMatchObject({ inserted: 2 });
  }, START_TIMEOUT);
  afterAll(() => story?.close());

  async function goToPortal(target: { connector_id: string } | { connection_id: string }) {
    const { id, widgetUrl } = await story.tenant.openSession(target);
    await page.goto(widgetUrl);
    await press(page, "Continue");
    await sees(page, "Log in on your bank's page");
    await press(page, "Go to your bank");
    return { id, widgetUrl };
  }
  async function signIn(broker: string, password: string, username = "erika") {
    await sees(page, `Sign in to ${broker}`);
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Password").fill(password);
    await press(page, "Connect");
  }
  const sessionOf = (session_id: string) => story.tenant.tools.call("svc-session-status", { session_id });

  /** Rows with these fields, in order; days are ago. */
  async function shown(tool: string, credentials_token: string, fields: readonly string[]): Promise<string[]> {
    const { items, total } = await story.tenant.tools.call(tool, { credentials_token, page_size: 200, fields });
    expect(items).toHaveLength(total);
    const textOf = (value: unknown): string => {
      if (typeof value === "object" && value !== null) return Object.values(value).join(" ");
      if (typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value))
        return String((Date.parse(today) - Date.parse(value)) / DAY_MS);
      return String(value ?? "-");
    };
    return items.map((row: Row) => fields.map((name) => textOf(row[name])).join(" | ")).sort();
  }
  const portfolios = (token: string) =>
    shown("svc-portfolios", token, ["name", "balance", "currency", "refAccount", "type"]);
  const holdings = (token: string) =>
    shown("svc-investments", token, "name type subtype amount balance currency price cost identifiers".split(" "));
  const transactions = (token: string) =>
    shown(
      "svc-investment-transactions",
      token,
      "operationDate kind description amount unitPrice balance currency fees settlement_date identifiers".split(" "),
    );

  /** Users of the key at SnapTrade, each with how many connections it has. */
  const usersAtSnapTrade = () => [...partner.users.values()].map(({ connections }) => connections.length);

  /** The tenant deletes the connection: SnapTrade has its user no more, and is asked for nothing. */
  async function remove(credentials_token: string) {
    await expectSameTools(story.tenant.tools, credentials_token);
    await story.stand.settle();
    const connected = () => usersAtSnapTrade().filter((connections) => connections > 0).length;
    const before = connected();
    await story.tenant.tools.call("svc-delete-credentials", { credentials_token, confirm: true });
    await eventually(async () => {
      await story.stand.settle();
      return connected() === before - 1 && partner.users.size === connected();
    }, "its user is gone, and those of logins that came to nothing");
    const asked = story.stand.institution.requests.length;
    const refresh = await story.tenant.post("/connect/v2/connections/refresh", { connection_id: credentials_token });
    expect(refresh.status).toBe(400);
    expect(story.stand.institution.requests.length).toBe(asked);
  }

  /** The customer has come back without a login, and goes again. */
  async function goAgain(reads: string, left: string) {
    await page.getByText(reads).first().waitFor();
    await page.getByText(left).first().waitFor();
    await press(page, "Continue");
    await sees(page, "Log in on your bank's page");
    await press(page, "Go to your bank");
  }
  /** Where the portal sends the customer of the last login back to. */
  const wayBack = () => {
    const asked = story.stand.institution.requests.findLast(({ path }) => path === "/snapTrade/login");
    return JSON.parse(asked?.body ?? "{}").customRedirect as string;
  };

  it("[C-5.231] [C-5.286] who closes the portal, does not agree, or has another's callback is let in nowhere and goes again; nobody is left at SnapTrade", {
    timeout: 2 * START_TIMEOUT,
  }, async () => {
    const { stand, server } = story;
    const { habits } = stand;
    const turnedBack = "You did not agree on your bank's page, or you turned back there.";
    for (const literalQuery of [false, true]) {
      Object.assign(habits, { literalQuery, bareExit: false });
      const { id } = await goToPortal({ connector_id: "usa:snaptrade-coins" });
      await press(page, "Close");
      await goAgain(turnedBack, "You have 2 attempts left.");
      await signIn("Coin Exchange", "coins");
      await press(page, "Decline");
      await goAgain(turnedBack, "You have 1 attempt left.");
      await signIn("Coin Exchange", "coins");
      await press(page, "Allow");
      await sees(page, "Your bank is connected");
      const { connection_id } = await sessionOf(id);
      expect(await portfolios(connection_id)).toEqual([
        "Coin Exchange ****8443 | 16673.79288516079852505594 | USD | ****8443 | S",
      ]);
      expect(await holdings(connection_id)).toEqual(coins);
      expect(await transactions(connection_id)).toEqual(coinsMoved);
      await remove(connection_id);
    }

    // The portal sends back without any query, or says that the login is wrong, or that its key may not read.
    Object.assign(habits, { literalQuery: true, bareExit: true });
    const { id } = await goToPortal({ connector_id: "usa:snaptrade-larch" });
    await press(page, "Close");
    await goAgain(turnedBack, "You have 2 attempts left.");
    await pictures(page, "snaptrade-portal");
    await signIn("Larch Brokers", "wrong");
    await goAgain("Your bank did not accept", "You have 1 attempt left.");
    brokers.login.mayRead = false;
    await signIn("Larch Brokers", "s3cret");
    await sees(page, "Your bank needs something from you first");
    brokers.login.mayRead = true;
    expect(await sessionOf(id)).toMatchObject({ error_code: "UserInteractionNeeded" });
    Object.assign(habits, { literalQuery: false, bareExit: false });

    // Another's connection in one's own callback; one's own callback in another's browser.
    const other = stand.book.registerUser(partner, "another");
    if (other === null) throw new Error("there is such a user");
    const theirs = stand.book.connect(other, brokers.larch, brokers.login, "read");
    const { id: session_id, widgetUrl } = await goToPortal({ connector_id: "usa:snaptrade-larch" });
    await sees(page, "Sign in to Larch Brokers");
    const with_theirs = `${wayBack()}&status=SUCCESS&connection_id=${theirs.id}`;
    expect(await (await fetch(with_theirs)).text()).not.toContain(theirs.id);
    expect(await sessionOf(session_id)).toMatchObject({ status: "Waiting:Challenge", challenge_kind: "redirect" });
    await page.goto(with_theirs);
    await goAgain("Your bank did not accept", "You have 2 attempts left.");
    await sees(page, "Sign in to Larch Brokers");

    // The link has run out: the login is started again.
    await page.goto(widgetUrl);
    await sees(page, "Log in on your bank's page");
    await pictures(page, "snaptrade-away");
    story.goTo(5 * 60_000);
    await press(page, "Go to your bank");
    await sees(page, "Link expired");
    story.goTo(0);
    await page.goto(widgetUrl);
    const link = wayBack();
    await press(page, "Start the login again");
    await eventually(
      async () => wayBack() !== link && (await sessionOf(session_id)).status === "Waiting:Challenge",
      "another link",
    );
    await page.goto(widgetUrl);
    await sees(page, "Log in on your bank's page");
    await press(page, "Go to your bank");
    await signIn("Larch Brokers", "s3cret");
    await sees(page, "Your bank is connected");
    await pictures(page, "snaptrade-connected");
    await remove((await sessionOf(session_id)).connection_id);
    // Another's is.
    expect(usersAtSnapTrade()).toEqual([1]);
    partner.users.clear();
    expect([stand.violations, server.faults()]).toEqual([[], []]);
  });

  it("[C-5.285] [C-5.289] settings, the portal, every figure, a webhook, a connection that is disabled, repaired with ids kept, and removed", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { stand, tenant, server, idsOf } = story;
    const { id } = await goToPortal({ connector_id: "usa:snaptrade-larch" });
    await signIn("Larch Brokers", "s3cret");
    await sees(page, "Your bank is connected");
    const { connection_id } = await sessionOf(id);
    expect(await holdings(connection_id)).toEqual(held);
    expect(await transactions(connection_id)).toEqual(moved);
    expect(await portfolios(connection_id)).toEqual([
      "Erika's plan | 1024.19 | USD | Q6542138444 | S",
      "Individual | 292857.30351636224168733429 | USD | Q6542138443 | S",
    ]);
    expect(server.output()).toContain("activities that cannot be read are left out");
    const [connection] = stand.book.connections();
    if (connection === undefined) throw new Error("there is no connection");
    expect(connection.type).toBe("read");

    const reads = () =>
      stand.institution.requests.filter(({ path }) => path === `/authorizations/${connection.id}`).length;
    const before = reads();
    // The daily sync brings a price, interest of yesterday, and webhooks that make the connection due.
    brokers.margin.price(brokers.instruments.apple, "204");
    brokers.margin.book("INTEREST", { amount: "1.23", trade_date: dayBefore(today) });
    await stand.settle();
    stand.book.sync();
    await stand.settle();
    expect(stand.webhooks.sent.flatMap(({ statuses }) => statuses).every((status) => status === 200)).toBe(true);
    // None of these counts, and many more of the right ones make one read more.
    const event = { eventType: "ACCOUNT_HOLDINGS_UPDATED", brokerageAuthorizationId: connection.id };
    const wrong = [
      { consumer_key: "another" },
      { eventTimestamp: new Date(stand.book.clock().getTime() - 10 * 60_000) },
      { altered: { brokerageAuthorizationId: "another" } },
      { isUnsigned: true },
    ];
    for (const each of wrong) expect(await stand.webhooks.send(partner, event, each)).toBe(401);
    const last = stand.webhooks.sent.at(-1);
    for (let count = 0; count < 30; count += 1) {
      if (last) expect(await stand.webhooks.replay(partner, last)).toBe(200);
      expect(await stand.webhooks.send(partner, event)).toBe(200);
    }
    story.passes();
    await eventually(
      async () =>
        (await transactions(connection_id)).includes("1 | interest | INTEREST | - | - | 1.23 | USD | - | - | -"),
      "the connection is refreshed because of the webhook",
    );
    expect(await transactions(connection_id)).toHaveLength(moved.length + 1);
    expect(reads()).toBeLessThanOrEqual(before + 2);
    expect(await holdings(connection_id)).toContainEqual(expect.stringContaining("| USD | 204 | 1939.60"));

    // The brokerage ends the connection: the client is asked to log in again, with the same login.
    stand.book.disable(connection);
    await stand.settle();
    story.passes();
    const of = { credentials_token: connection_id };
    const needsRelogin = () => tenant.tools.call("svc-needs-relogin", of);
    await eventually(async () => (await needsRelogin()).needs_relogin, "the connection is disabled");
    const ids = await idsOf(connection_id);
    await goToPortal({ connection_id });
    brokers.larch.register("max", "s3cret");
    await signIn("Larch Brokers", "s3cret", "max");
    await page.getByText("This is a different login from the one").first().waitFor();
    await pictures(page, "snaptrade-other-login");
    expect((await needsRelogin()).needs_relogin).toBe(true);
    await press(page, "Continue");
    await press(page, "Go to your bank");
    await signIn("Larch Brokers", "s3cret");
    await sees(page, "Your connection is renewed");
    expect((await needsRelogin()).needs_relogin).toBe(false);
    expect(await idsOf(connection_id)).toEqual(ids);
    expect(stand.book.connections()).toEqual([connection]);

    await remove(connection_id);
    expect(usersAtSnapTrade()).toEqual([]);
    expect([stand.violations, server.faults()]).toEqual([[], []]);
    const secrets = stand.institution.requests.flatMap(({ query }) => query.get("userSecret") ?? []);
    for (const secret of [partner.consumer_key, ...secrets]) expect(server.output()).not.toContain(secret);
  });
});
