import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { type AlpacaAccount, type AlpacaKey, startAlpaca } from "./institutions/alpaca.js";
import { executablePath, startKeyStory } from "./key-story.js";

const DAY = 24 * 60 * 60_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
const start = () => startKeyStory("alpaca", ["live", "paper"], startAlpaca);
let story: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  story = await start();
  const { stand } = story;
  stand.list("AAPL", "Apple Inc. Common Stock", "120.00");
  stand.list("TSLA", "Tesla, Inc. Common Stock", "250.5", { exchange: "NYSE" });
  stand.list("BTC/USD", "BTC/USD pair", "60000", { asset_class: "crypto", exchange: "ALPACA" });
  stand.list("AAPL301220C00150000", "AAPL Dec 20 2030 150 Call", "1.5", { asset_class: "us_option", exchange: "" });
}, START_TIMEOUT);
afterAll(() => story?.close());

/** What a customer types. */
const fields = ({ id, secret }: AlpacaKey) => ({ "API Key ID": id, "Secret Key": secret });

/** Some weeks of an account; what it leads to is in the test, calculated by hand. */
function history(): AlpacaAccount {
  story.goTo(-40 * DAY);
  const account = story.stand.open();
  account.deposit("10000");
  story.goTo(-39 * DAY);
  account.trade("buy", "AAPL", "100", "2", "3");
  account.trade("sell", "TSLA", "250", "2");
  account.trade("buy", "AAPL301220C00150000", "1.5", "1");
  account.trade("buy", "BTC/USD", "50000", "0.1");
  const fee = { symbol: "BTCUSD", qty: "-0.00025", price: "50000" };
  account.book("CFEE", fee, { symbol: "BTC/USD", qty: "-0.00025" });
  story.goTo(-38 * DAY);
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
  story.goTo(0);
  return account;
}

/** Of the account's first day here. */
const atFirst = [
  "Buy AAPL 2 100 -200 USD",
  "Buy AAPL 3 100 -300 USD",
  "Buy AAPL301220C00150000 1 1.5 -150.0 USD",
  "Buy BTCUSD 0.1 50000 -5000.0 USD",
  "Cash deposit - - 10000 USD",
  "Cash withdrawal - - -100.5 USD",
  "Crypto fee BTCUSD -0.00025 - 0 USD",
  "Dividend AAPL - - 1.25 USD",
  "Dividend TSLA - - -1 USD",
  "Fee - - -0.04 USD",
  "Interest - - -0.33 USD",
  "Non-resident tax withheld from a dividend AAPL - - -0.19 USD",
  "ACATS transfer of securities AAPL 1 - 0 USD",
  "Sell TSLA -2 250 500 USD",
  "Split TSLA -2 - 0 USD",
  "ZZTOP - - 3.21 USD",
].sort();

it("[C-5.142] [C-5.169] [C-5.183] Alpaca: settings, a key in the widget, figures, a new fill, a limit, a revoked key, another of the same account, removal", {
  skip: !executablePath,
  timeout: START_TIMEOUT,
}, async () => {
  const { tenant, refreshed, statusOf, rows, holdings, transactions, idsOf, passes } = story;
  const alpaca = story.stand;
  await story.setUp();
  const account = history();
  const key = account.makeKey();
  const session = await story.login(
    { connector_id: "usa:alpaca" },
    [fields({ ...key, secret: "mistyped" }), "You have 2 attempts left."],
    [fields(key), "Your bank is connected"],
  );
  const { connection_id } = session;

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
  expect(await holdings(connection_id)).toEqual([...held, `Cash USD L - ${cash} ${cash} USD`].sort());
  expect(await transactions(connection_id)).toEqual(atFirst);
  const { totals } = await tenant.tools.call("svc-investment-transactions", { credentials_token: connection_id });
  expect(totals.map(({ balance }: { balance: string }) => Number(balance))).toEqual([Number(cash)]);
  const first = await idsOf(connection_id);

  // A fill since then, and a fee with a day of last month that is booked only now.
  account.trade("sell", "AAPL", "121.5", "1");
  account.book("FEE", { activity_sub_type: "REG", date: dayBefore(30), net_amount: "-0.01" });
  await refreshed(connection_id, "refreshed");
  const second = [...atFirst, "Sell AAPL -1 121.5 121.5 USD", "Fee - - -0.01 USD"].sort();
  expect(await transactions(connection_id)).toEqual(second);
  expect(await holdings(connection_id)).toContain("AAPL VI - 5 600 USD");
  expect((await idsOf(connection_id)).filter((one) => first.includes(one))).toEqual(first);

  // Requests of an own program use up the account's minute: the refresh waits, says so, and comes again by itself.
  passes();
  alpaca.allow(1);
  account.book("DIV", { activity_sub_type: "CDIV", symbol: "AAPL", qty: "5", net_amount: "1.25" });
  await refreshed(connection_id, "throttled");
  expect(await statusOf(connection_id)).toMatchObject({ state: "planned", last_outcome: "throttled" });
  expect(await transactions(connection_id)).toEqual(second);
  alpaca.allow(200);
  passes();
  const third = [...second, "Dividend AAPL - - 1.25 USD"].sort();
  await eventually(async () => (await statusOf(connection_id)).last_outcome === "refreshed", "the next attempt");
  expect(await transactions(connection_id)).toEqual(third);

  // The customer deletes the key in the dashboard.
  alpaca.revoke(key);
  passes();
  await refreshed(connection_id, "relogin_needed");
  const renewed = account.makeKey();
  await story.repair(connection_id, fields(alpaca.open().makeKey()), fields(renewed));
  expect(await transactions(connection_id)).toEqual(third);

  await story.remove(connection_id);
  expect([alpaca.violations, story.server.faults()]).toEqual([[], []]);
  for (const secret of [key.secret, renewed.secret, "mistyped"]) expect(story.server.output()).not.toContain(secret);
});
