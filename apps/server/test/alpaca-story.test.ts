import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, type Person, press, sees, startChromium } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { type AlpacaAccount, type AlpacaBroker, type AlpacaKey, startAlpaca } from "./institutions/alpaca.js";
import { operatorCommands } from "./operator-commands.js";

const executablePath = process.env.CHROMIUM_PATH;
const shift = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;
const DAY = 24 * 60 * 60_000;
/** A connection is refreshed by request at most every 15 minutes. */
const A_WHILE = 16 * 60_000;

// biome-ignore lint/suspicious/noExplicitAny: rows of tools.
type Row = any;

describe.skipIf(!executablePath)("Alpaca, from its settings to the end of a connection", () => {
  let server: TestServer;
  let tenant: TestTenant;
  let alpaca: AlpacaBroker;
  let chromium: Browser;
  let person: Person;
  let page: Page;
  /** Alpaca's clock, from the machine's. */
  let ahead = 0;
  const operator = operatorCommands(() => server);

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("it is about a broker and its data; refreshes and sessions have their own tests on both"),
      environment: { PROVIDERS: "alpaca", NODE_OPTIONS: shift, CLOCK_JUMP_MS: String(A_WHILE) },
      schedule: { refreshes: 200 },
    });
    tenant = server.demo;
    alpaca = await startAlpaca({ clock: () => new Date(Date.now() + ahead) });
    alpaca.list("AAPL", "Apple Inc. Common Stock", "120.00");
    alpaca.list("TSLA", "Tesla, Inc. Common Stock", "250.5", { exchange: "NYSE" });
    alpaca.list("BTC/USD", "BTC/USD pair", "60000", { asset_class: "crypto", exchange: "ALPACA" });
    alpaca.list("AAPL301220C00150000", "AAPL Dec 20 2030 150 Call", "1.5", { asset_class: "us_option", exchange: "" });
    chromium = await startChromium(executablePath ?? "");
    person = await newPerson(chromium, { locale: "en-GB" });
    page = person.page;
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await alpaca?.close();
    await server?.remove();
    operator.remove();
  });

  /** Some weeks of an account; what it leads to is in the test, calculated by hand. */
  function history(): AlpacaAccount {
    ahead = -40 * DAY;
    const account = alpaca.open();
    account.deposit("10000");
    ahead += DAY;
    account.trade("buy", "AAPL", "100", "2", "3");
    account.trade("sell", "TSLA", "250", "2");
    account.trade("buy", "AAPL301220C00150000", "1.5", "1");
    account.trade("buy", "BTC/USD", "50000", "0.1");
    const fee = { symbol: "BTCUSD", qty: "-0.00025", price: "50000" };
    account.book("CFEE", fee, { symbol: "BTC/USD", qty: "-0.00025" });
    ahead += DAY;
    const dividend = { symbol: "AAPL", per_share_amount: "0.25", qty: "5", net_amount: "1.25" };
    account.book("DIV", { activity_sub_type: "CDIV", ...dividend });
    account.book("DIVNRA", { symbol: "AAPL", net_amount: "-0.19" });
    // Who is short pays the dividend.
    account.book("DIV", { activity_sub_type: "CDIV", symbol: "TSLA", qty: "-2", net_amount: "-1" });
    account.book("INT", { activity_sub_type: "MGN", net_amount: "-0.33" });
    account.book("SPLIT", { activity_sub_type: "FSPLIT", symbol: "TSLA", qty: "-2" }, { symbol: "TSLA", qty: "-2" });
    const transfer = account.book("ACATS", { symbol: "AAPL", qty: "1" }, { symbol: "AAPL", qty: "1" });
    const wrong = account.book("FEE", { net_amount: "-7" });
    account.correct(account.book("FEE", { activity_sub_type: "TAF", net_amount: "-0.05" }).id, "-0.04");
    account.cancel(wrong.id);
    // A kind that the description does not have.
    account.book("ZZTOP", { net_amount: "3.21", group_id: transfer.id });
    account.withdraw("100.5");
    ahead = 0;
    return account;
  }

  const passes = () => {
    process.kill(server.process.pid, "SIGUSR2");
    ahead += A_WHILE;
  };
  const refresh = async (connection_id: string) =>
    (await tenant.post("/connect/v2/connections/refresh", { connection_id })).body;
  const statusOf = async (connection_id: string) =>
    (await server.operate("/operator/v1/connections/status", { connection_id })).refresh;

  async function openWidget(target: object) {
    const configuration = { ...target, language: "en" };
    const { body, status, text } = await tenant.post("/v2/connect/sessions", { configuration });
    expect(status, text).toBe(200);
    await page.goto(body.widget_url);
    await press(page, "Continue");
    return body.session.session_id as string;
  }

  async function enter({ id, secret }: AlpacaKey) {
    await page.getByLabel("API Key ID").fill(id);
    await page.getByLabel("Secret Key", { exact: true }).fill(secret);
    await press(page, "Continue");
  }

  const rows = async (tool: string, credentials_token: string): Promise<Row[]> => {
    const { items, next_page_token } = await tenant.tools.call(tool, { credentials_token, page_size: 100 });
    expect(next_page_token ?? null).toBeNull();
    return items;
  };
  const holdings = async (token: string) =>
    (await rows("svc-investments", token)).map((each) =>
      [each.name, each.type, each.subtype ?? "-", each.amount, each.balance, each.currency].join(" "),
    );
  const transactions = async (token: string) =>
    (await rows("svc-investment-transactions", token))
      .map((each) => [each.description, each.amount ?? "-", each.unitPrice ?? "-", Number(each.balance)].join(" "))
      .sort();
  const idsOf = async (token: string) =>
    (
      await Promise.all(
        ["svc-portfolios", "svc-investments", "svc-investment-transactions"].map((one) => rows(one, token)),
      )
    )
      .flat()
      .map(({ id }) => id as string)
      .sort();

  /** Of the account's first day here. */
  const atFirst = [
    "Buy AAPL 2 100 -200",
    "Buy AAPL 3 100 -300",
    "Buy AAPL301220C00150000 1 1.5 -150",
    "Buy BTCUSD 0.1 50000 -5000",
    "Cash deposit - - 10000",
    "Cash withdrawal - - -100.5",
    "Crypto fee BTCUSD -0.00025 - 0",
    "Dividend AAPL - - 1.25",
    "Dividend TSLA - - -1",
    "Fee - - -0.04",
    "Interest - - -0.33",
    "Non-resident tax withheld from a dividend AAPL - - -0.19",
    "ACATS transfer of securities AAPL 1 - 0",
    "Sell TSLA -2 250 500",
    "Split TSLA -2 - 0",
    "ZZTOP - - 3.21",
  ].sort();

  it("[C-5.142] settings, a key in the widget, figures, a new fill, a limit, a revoked key, another of the same account, removal", {
    timeout: START_TIMEOUT,
  }, async () => {
    const settings = JSON.stringify({ base_urls: { live: alpaca.base_url, paper: alpaca.base_url } });
    await operator.run(["providers", "set", "alpaca", "--file", "-"], settings);
    expect(await operator.run(["providers", "test", "alpaca"])).toMatchObject({ ok: true });
    expect(await operator.run(["providers", "sync", "alpaca"])).toMatchObject({ inserted: 2 });

    const account = history();
    const key = account.makeKey();
    const id = await openWidget({ connector_id: "usa:alpaca" });
    await sees(page, "Enter your key for Alpaca");
    await enter({ ...key, secret: "mistyped" });
    await page.getByText("You have 2 attempts left.").waitFor();
    await enter(key);
    await sees(page, "Your bank is connected");
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id: id });

    // 10000 − 500 + 500 − 150 − 5000 + 1.25 − 0.19 − 1 − 0.33 − 0.04 + 3.21 − 100.5
    const cash = "4752.4";
    const held = [
      "AAPL VI - 6 720 USD",
      "TSLA VI - -4 -1002 USD",
      "AAPL301220C00150000 DV OP 1 150 USD",
      "BTCUSD C - 0.09975 5985 USD",
    ];
    expect(account.cash).toBe(cash);
    const [portfolio] = await rows("svc-portfolios", connection_id);
    expect(portfolio).toMatchObject({ balance: "10605.4", currency: "USD", refAccount: account.number, type: "S" });
    expect((await holdings(connection_id)).sort()).toEqual([...held, `Cash USD L - ${cash} ${cash} USD`].sort());
    expect(await transactions(connection_id)).toEqual(atFirst);
    const { totals } = await tenant.tools.call("svc-investment-transactions", { credentials_token: connection_id });
    expect(totals.map(({ balance }: Row) => Number(balance))).toEqual([Number(cash)]);
    const first = await idsOf(connection_id);

    // A fill since then, and a fee with a day of last month that is booked only now.
    account.trade("sell", "AAPL", "121.5", "1");
    account.book("FEE", { activity_sub_type: "REG", date: dayBefore(30), net_amount: "-0.01" });
    expect(await refresh(connection_id)).toMatchObject({ outcome: "refreshed" });
    const second = [...atFirst, "Sell AAPL -1 121.5 121.5", "Fee - - -0.01"].sort();
    expect(await transactions(connection_id)).toEqual(second);
    expect(await holdings(connection_id)).toContain("AAPL VI - 5 600 USD");
    expect((await idsOf(connection_id)).filter((one) => first.includes(one))).toEqual(first);

    // Requests of an own program use up the account's minute: the refresh waits, says so, and comes again by itself.
    passes();
    alpaca.allow(1);
    account.book("DIV", { activity_sub_type: "CDIV", symbol: "AAPL", qty: "5", net_amount: "1.25" });
    await eventually(async () => (await refresh(connection_id)).outcome === "throttled", "Alpaca's limit");
    expect(await statusOf(connection_id)).toMatchObject({ state: "planned", last_outcome: "throttled" });
    expect(await transactions(connection_id)).toEqual(second);
    alpaca.allow(200);
    passes();
    const third = [...second, "Dividend AAPL - - 1.25"].sort();
    await eventually(async () => (await statusOf(connection_id)).last_outcome === "refreshed", "the next attempt");
    expect(await transactions(connection_id)).toEqual(third);

    // The customer deletes the key in the dashboard.
    alpaca.revoke(key);
    passes();
    await eventually(async () => (await refresh(connection_id)).outcome === "relogin_needed", "the revoked key");
    const of = { credentials_token: connection_id };
    expect(await tenant.tools.call("svc-needs-relogin", of)).toMatchObject({
      needs_relogin: true,
      reasons: [{ code: "auth_error" }],
    });
    const before = await idsOf(connection_id);
    const another = alpaca.open();
    await openWidget({ connection_id });
    await sees(page, "Enter your key for Alpaca");
    await enter(another.makeKey());
    await page.getByText("This key is for a different account").waitFor();
    const renewed = account.makeKey();
    await enter(renewed);
    await sees(page, "Your connection is renewed");
    expect((await tenant.tools.call("svc-needs-relogin", of)).needs_relogin).toBe(false);
    expect(await idsOf(connection_id)).toEqual(before);
    expect(await transactions(connection_id)).toEqual(third);

    await tenant.tools.call("svc-delete-credentials", { ...of, confirm: true });
    const asked = alpaca.institution.requests.length;
    expect((await tenant.post("/connect/v2/connections/refresh", { connection_id })).status).toBe(400);
    expect(alpaca.institution.requests.length).toBe(asked);
    expect([alpaca.violations, server.faults(), person.complaints]).toEqual([[], [], []]);
    for (const secret of [key.secret, renewed.secret, "mistyped"]) expect(server.output()).not.toContain(secret);
  });

  const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
});
