import { afterAll, beforeAll, expect, it } from "vitest";
import { START_TIMEOUT } from "./harness.js";
import { type AlpacaActivity, type AlpacaKey, startAlpaca } from "./institutions/alpaca.js";
import { executablePath, startKeyStory } from "./key-story.js";

const start = () => startKeyStory("alpaca", ["live", "paper"], startAlpaca);
let story: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  story = await start();
  story.stand.list("AAPL", "Apple Inc. Common Stock", "120.00");
  await story.setUp();
}, START_TIMEOUT);
afterAll(() => story?.close());

const connect = async ({ id, secret }: AlpacaKey) => {
  const typed = { "API Key ID": id, "Secret Key": secret };
  const session = await story.login({ connector_id: "usa:alpaca" }, [typed, "Your bank is connected"]);
  expect(session).toMatchObject({ status: "Finished:OK" });
  return session.connection_id as string;
};

it("[C-5.143] [C-5.180] [C-5.183] an account in another currency has all in that one, and odd activities keep nobody out", {
  skip: !executablePath,
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
