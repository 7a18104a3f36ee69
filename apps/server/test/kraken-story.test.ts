import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { startKraken } from "./institutions/kraken.js";
import { executablePath, startKeyStory } from "./key-story.js";

const DAY = 24 * 60 * 60_000;
const start = () => startKeyStory("kraken", ["live"], startKraken);
let story: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  story = await start();
  const { stand } = story;
  stand.list("XXBT", "XBT", 10);
  stand.list("XETH", "ETH", 10);
  stand.list("ETH.S", "ETH.S", 10);
  stand.list("ZUSD", "USD", 4);
  stand.list("ZEUR", "EUR", 4);
  stand.pair("XXBTZUSD", "XXBT", "ZUSD", "60000.1");
  stand.pair("XETHZEUR", "XETH", "ZEUR", "2000");
  stand.pair("EURUSD", "ZEUR", "ZUSD", "1.25");
}, START_TIMEOUT);
afterAll(() => story?.close());

it("[C-5.169] [C-5.182] [C-5.183] Kraken: settings, a key, every figure, a new trade, a limit, a revoked key, another of the same account, removal", {
  skip: !executablePath,
  timeout: START_TIMEOUT,
}, async () => {
  const { stand, refreshed, rows, holdings, transactions, idsOf } = story;
  await story.setUp();
  story.goTo(-40 * DAY);
  const account = stand.open();
  account.post("deposit", "ZEUR", "10000");
  story.goTo(-39 * DAY);
  account.post("deposit", "ZUSD", "7000.5", { fee: "0.5" });
  account.trade("buy", "XXBTZUSD", "0.1", "50000", "13");
  story.goTo(-38 * DAY);
  account.trade("buy", "XETHZEUR", "2", "1900", "5.7");
  account.post("transfer", "XETH", "-1", { subtype: "spottostaking" });
  account.post("transfer", "ETH.S", "1", { subtype: "stakingfromspot" });
  story.goTo(-30 * DAY);
  account.post("staking", "ETH.S", "0.001");
  account.post("withdrawal", "XXBT", "-0.02", { fee: "0.0005" });
  story.goTo(0);

  const fields = ({ key, secret }: { key: string; secret: string }) => ({ "API key": key, "Private key": secret });
  const key = account.makeKey();
  const narrow = account.makeKey(["BalanceEx"]);
  const session = await story.login(
    { connector_id: "usa:kraken" },
    [fields(narrow), "You have 2 attempts left."],
    [fields(key), "Your bank is connected"],
  );
  expect(session).toMatchObject({ status: "Finished:OK" });
  const { connection_id } = session;
  // 10000 − 3800 − 5.7 in EUR; 7000 − 5000 − 13 in USD; 0.1 − 0.0205 of a coin.
  const first = [
    "Cash EUR L - 6194.3000 6194.3000 EUR",
    "Cash USD L - 1987.0000 1987.0000 USD",
    "BTC C - 0.0795000000 4770.00795 USD",
    "ETH C - 1.0000000000 2500 USD",
    "ETH (staked) C - 1.0010000000 2502.5 USD",
  ].sort();
  expect(await holdings(connection_id)).toEqual(first);
  // 6194.3 × 1.25 + 1987 + 4770.00795 + 2500 + 2502.5
  const [portfolio] = await rows("svc-portfolios", connection_id);
  expect(portfolio).toMatchObject({ balance: "19502.38295", currency: "USD", refAccount: account.iban, type: "C" });
  const moved = [
    "Deposit EUR - - 10000.0000 EUR",
    "Deposit USD - - 7000.0000 USD",
    "Buy BTC 0.1000000000 - -5013.0000 USD",
    "Buy ETH 2.0000000000 - -3805.7000 EUR",
    "Transfer (spottostaking) ETH -1.0000000000 - - USD",
    "Transfer (stakingfromspot) ETH (staked) 1.0000000000 - - USD",
    "Staking ETH (staked) 0.0010000000 - - USD",
    "Withdrawal BTC -0.0205000000 - - USD",
  ].sort();
  expect(await transactions(connection_id)).toEqual(moved);
  const ids = await idsOf(connection_id);

  // The ledger is read up to the last full second.
  story.goTo(-60_000);
  account.trade("sell", "XXBTZUSD", "0.0095", "61000", "1.5");
  story.goTo(0);
  await refreshed(connection_id, "refreshed");
  const second = [...moved, "Sell BTC -0.0095000000 - 578.0000 USD"].sort();
  expect(await transactions(connection_id)).toEqual(second);
  expect(await holdings(connection_id)).toContain("BTC C - 0.0700000000 4200.007 USD");
  expect((await idsOf(connection_id)).filter((one) => ids.includes(one))).toEqual(ids);

  // Another program with keys of the account uses up the limit.
  story.passes();
  account.post("deposit", "ZUSD", "1");
  stand.refuse("EAPI:Rate limit exceeded");
  await refreshed(connection_id, "throttled");
  expect(await story.statusOf(connection_id)).toMatchObject({ state: "planned", last_outcome: "throttled" });
  expect(await transactions(connection_id)).toEqual(second);
  stand.refuse(null);
  story.passes();
  await eventually(
    async () => (await story.statusOf(connection_id)).last_outcome === "refreshed",
    "the next attempt after the limit",
  );
  const third = [...second, "Deposit USD - - 1.0000 USD"].sort();
  expect(await transactions(connection_id)).toEqual(third);

  stand.revoke(key);
  story.passes();
  await refreshed(connection_id, "relogin_needed");
  const renewed = account.makeKey();
  await story.repair(connection_id, fields(stand.open().makeKey()), fields(renewed));
  expect(await transactions(connection_id)).toEqual(third);

  await story.remove(connection_id);
  expect([stand.violations, story.server.faults()]).toEqual([[], []]);
  for (const { secret } of [key, narrow, renewed]) expect(story.server.output()).not.toContain(secret);
});
