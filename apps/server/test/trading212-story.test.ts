import { afterAll, beforeAll, expect, it } from "vitest";
import { START_TIMEOUT } from "./harness.js";
import { startTrading212, type Trading212Key } from "./institutions/trading212.js";
import { executablePath, startKeyStory } from "./key-story.js";

const DAY = 24 * 60 * 60_000;
const start = () => startKeyStory("trading212", ["live", "demo"], startTrading212);
/** As in the header: seconds of the epoch. */
const resetIn = (seconds: number) => String(Math.ceil(Date.now() / 1000) + seconds);
let story: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  story = await start();
  const { stand } = story;
  stand.list("VODl_EQ", "Vodafone Group", "GB00BH4HKS39", "GBX", "90.5", "0.01");
  stand.list("AAPL_US_EQ", "Apple", "US0378331005", "USD", "200", "0.75");
}, START_TIMEOUT);
afterAll(() => story?.close());

it("[C-5.169] [C-5.181] [C-5.183] Trading 212: settings, a key, every figure, a new fill, a revoked key, another of the same account, a limit, removal", {
  skip: !executablePath,
  timeout: START_TIMEOUT,
}, async () => {
  const { stand, refreshed, rows, holdings, transactions, idsOf } = story;
  await story.setUp();
  story.goTo(-40 * DAY);
  const account = stand.open("GBP");
  account.move("DEPOSIT", "5000");
  story.goTo(-39 * DAY);
  account.trade("VODl_EQ", "1000", "80.25", { STAMP_DUTY_RESERVE_TAX: "4.01" });
  account.trade("AAPL_US_EQ", "4.5", "180", { CURRENCY_CONVERSION_FEE: "0.91" });
  account.rejectedOrder("AAPL_US_EQ", "100");
  story.goTo(-38 * DAY);
  account.trade("VODl_EQ", "-200", "85");
  account.dividend("AAPL_US_EQ", "0.25", "0.84");
  account.event("STOCK_SPLIT", "AAPL_US_EQ", "4.5");
  account.move("FEE", "-1.5");
  account.move("WITHDRAW", "-100.25");
  story.goTo(0);

  const fields = ({ key, secret }: Trading212Key) => ({ "API Key": key, "API Secret": secret });
  const key = account.makeKey();
  const session = await story.login(
    { connector_id: "gbr:trading212" },
    [fields({ ...key, secret: "mistyped" }), "You have 2 attempts left."],
    [fields(key), "Your bank is connected"],
  );
  expect(session).toMatchObject({ status: "Finished:OK" });
  const { connection_id } = session;
  // 5000 − 806.51 − 608.41 + 170 + 0.84 − 1.5 − 100.25
  const cash = "3654.17";
  expect(account.cash).toBe(cash);
  expect(await holdings(connection_id)).toEqual(
    [`Cash GBP L - ${cash} ${cash} GBP`, "Apple VI - 9 1350 GBP", "Vodafone Group VI - 800 724 GBP"].sort(),
  );
  const [portfolio] = await rows("svc-portfolios", connection_id);
  expect(portfolio).toMatchObject({ balance: "5728.17", currency: "GBP", refAccount: String(account.id), type: "S" });
  const moved = [
    "Deposit - - 5000 GBP",
    "Buy Vodafone Group 1000 0.8025 -806.51 GBP",
    "Buy Apple 4.5 - -608.41 GBP",
    "Sell Vodafone Group -200 0.85 170 GBP",
    "Dividend Apple - - 0.84 GBP",
    "Split Apple 4.5 0 - USD",
    "Fee - - -1.5 GBP",
    "Withdrawal - - -100.25 GBP",
  ].sort();
  expect(await transactions(connection_id)).toEqual(moved);
  const ids = await idsOf(connection_id);

  account.trade("AAPL_US_EQ", "-1", "201");
  await refreshed(connection_id, "refreshed");
  const second = [...moved, "Sell Apple -1 - 150.75 GBP"].sort();
  expect(await transactions(connection_id)).toEqual(second);
  expect(await holdings(connection_id)).toContain("Apple VI - 8 1200 GBP");
  expect((await idsOf(connection_id)).filter((one) => ids.includes(one))).toEqual(ids);

  stand.revoke(key);
  story.passes();
  await refreshed(connection_id, "relogin_needed");
  const renewed = account.makeKey();
  await story.repair(connection_id, fields(stand.open("GBP").makeKey()), fields(renewed));
  expect(await transactions(connection_id)).toEqual(second);

  // A program of the customer's own asks for the account all the time.
  story.passes();
  const over = { kind: "instead", reply: { status: 429, headers: { "x-ratelimit-reset": resetIn(60) } } } as const;
  stand.institution.fail(({ path }) => path.endsWith("/account/summary"), over, 100);
  await refreshed(connection_id, "throttled");
  expect(await story.statusOf(connection_id)).toMatchObject({ state: "planned", last_outcome: "throttled" });
  expect(await transactions(connection_id)).toEqual(second);
  stand.institution.heal();

  await story.remove(connection_id);
  expect([stand.violations, story.server.faults()]).toEqual([[], []]);
  for (const { secret } of [key, renewed]) expect(story.server.output()).not.toContain(secret);
});
