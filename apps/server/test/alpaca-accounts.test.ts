import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { type AlpacaActivity, type AlpacaKey, startAlpaca } from "./institutions/alpaca.js";
import { startKeyStory } from "./key-story.js";

const DAY = 24 * 60 * 60_000;
const start = () => startKeyStory("alpaca", ["live", "paper"], startAlpaca);
let story: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  story = await start();
  story.stand.list("AAPL", "Apple Inc. Common Stock", "120.00");
  await story.setUp();
}, START_TIMEOUT);
afterAll(() => story?.close());

const connect = async ({ id, secret }: AlpacaKey) => {
  const { session } = await story.login({ connector_id: "usa:alpaca" }, { key_id: id, secret_key: secret });
  expect(session).toMatchObject({ status: "Finished:OK" });
  return session.connection_id as string;
};

it("[C-5.143] [C-5.180] an account in another currency has all in that one, and odd activities keep nobody out", {
  timeout: START_TIMEOUT,
}, async () => {
  const account = story.stand.open({ currency: "GBP", swap_rate: "1.25" });
  account.deposit("1000");
  account.trade("buy", "AAPL", "80", "10");
  account.book("OPEXP", { symbol: "AAPL", qty: "-1", net_amount: "" });
  (account.activities as AlpacaActivity[]).push({ id: "20251104000000000::odd", activity_type: "SPLIT" });
  const connection_id = await connect(account.makeKey());
  expect(await story.holdings(connection_id)).toEqual(["AAPL VI - 10 1200 GBP", "Cash GBP L - 200 200 GBP"]);
  expect(await story.rows("svc-portfolios", connection_id)).toMatchObject([{ balance: "1400", currency: "GBP" }]);
  expect(await story.transactions(connection_id)).toEqual([
    "Buy AAPL 10 80 -800 GBP",
    "Cash deposit - - 1000 GBP",
    "Option expiration AAPL -1 - - GBP",
    "Split - - - GBP",
  ]);
});

it("[C-5.179] [C-5.144] no page is lost behind one that fails, and what is corrected or canceled weeks later is seen", {
  timeout: START_TIMEOUT,
}, async () => {
  const { institution } = story.stand;
  story.goTo(-200 * DAY);
  const account = story.stand.open();
  for (let row = 1; row <= 150; row += 1) account.deposit(String(row));
  story.goTo(-40 * DAY);
  const fee = account.book("FEE", { net_amount: "-0.05" });
  const wrong = account.book("FEE", { net_amount: "-7" });
  story.goTo(0);
  const paged = () => institution.requests.filter(({ query }) => query.get("page_token"));
  const before = institution.requests.length;
  institution.fail(({ query }) => query.has("page_token"), { kind: "instead", reply: { status: 500 } }, 1_000);
  const connection_id = await connect(account.makeKey());
  const count = async () =>
    (await story.tenant.tools.call("svc-investment-transactions", { credentials_token: connection_id, page_size: 200 }))
      .items.length;
  expect(await count()).toBe(100);
  story.passes();
  await eventually(async () => (await story.statusOf(connection_id)).last_outcome === "failed", "the page fails again");
  expect(await count()).toBe(100);
  institution.heal();
  story.passes();
  // It goes on by request, or by itself where its next attempt is due already.
  await eventually(async () => {
    await story.tenant.post("/connect/v2/connections/refresh", { connection_id });
    return (await count()) === 152;
  }, "the other rows");
  expect(new Set(paged().map(({ query }) => query.get("page_token"))).size).toBe(1);
  // What was read before it was not asked for again.
  const firsts = institution.requests
    .slice(before)
    .filter(({ query }) => query.has("category") && !query.has("page_token"));
  expect(firsts.map(({ query }) => query.get("category"))).toEqual(["trade_activity", "non_trade_activity"]);

  account.correct(fee.id, "-0.04");
  account.cancel(wrong.id);
  const asked = institution.requests.length;
  story.passes();
  await story.refreshed(connection_id, "refreshed");
  const fees = (await story.transactions(connection_id)).filter((one) => one.startsWith("Fee"));
  expect(fees).toEqual(["Fee - - -0.04 USD"]);
  expect(institution.requests.slice(asked).map(({ path }) => path)).toEqual([
    ...["/v2/account", "/v2/positions", "/v2/account/activities", "/v2/account/activities"],
  ]);
  expect([story.stand.violations, story.server.faults()]).toEqual([[], []]);
});
