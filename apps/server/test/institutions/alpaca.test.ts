import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { expect, it, onTestFinished } from "vitest";
import { type AlpacaKey, startAlpaca } from "./alpaca.js";

const description = JSON.parse(
  readFileSync(
    new URL("../../../../packages/provider-alpaca/test/description/trading-api.json", import.meta.url),
    "utf8",
  ),
);
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(description, "alpaca");

/** What the description has for an answer with status 200. */
function answerOf(path: string): ValidateFunction {
  const pointer = `#/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/get/responses/200`;
  return ajv.compile({ $ref: `alpaca${pointer}/content/application~1json/schema` });
}

async function broker() {
  let now = Date.parse("2026-11-20T15:00:00.123Z");
  const started = await startAlpaca({ clock: () => new Date(now) });
  onTestFinished(() => started.close());
  started.list("AAPL", "Apple Inc. Common Stock", "120.00");
  started.list("TSLA", "Tesla, Inc. Common Stock", "250.5");
  started.list("BTC/USD", "BTC/USD pair", "60000", { asset_class: "crypto", exchange: "ALPACA" });
  started.list("AAPL261218C00150000", "AAPL Dec 18 2026 150 Call", "1.5", { asset_class: "us_option", exchange: "" });
  return {
    ...started,
    later: (milliseconds: number) => {
      now += milliseconds;
    },
    async get(key: AlpacaKey, path: string) {
      const headers = { "APCA-API-KEY-ID": key.id, "APCA-API-SECRET-KEY": key.secret };
      const answer = await fetch(started.base_url + path, { headers });
      return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
    },
  };
}

it("[C-5.141] Alpaca: account, positions, activities and assets fit the published description, and add up", async () => {
  const alpaca = await broker();
  const account = alpaca.open();
  const key = account.makeKey();
  account.deposit("10000");
  account.trade("buy", "AAPL", "100", "2", "3");
  account.trade("sell", "TSLA", "250", "2");
  account.trade("buy", "AAPL261218C00150000", "1.5", "1");
  account.trade("buy", "BTC/USD", "50000", "0.1");
  account.book("CFEE", { symbol: "BTCUSD", qty: "-0.00025", price: "50000" }, { symbol: "BTC/USD", qty: "-0.00025" });
  account.book("DIV", { symbol: "AAPL", per_share_amount: "0.25", qty: "5", net_amount: "1.25" });
  const wrong = account.book("FEE", { net_amount: "-7" });
  account.correct(account.book("FEE", { activity_sub_type: "TAF", net_amount: "-0.05" }).id, "-0.04");
  account.cancel(wrong.id);
  account.withdraw("100.5");

  const its = await alpaca.get(key, "/v2/account");
  expect(answerOf("/v2/account")(its.body)).toBe(true);
  // 10000 - 500 + 500 - 150 - 5000 + 1.25 - 0.04 - 100.5; then 600 + 150 + 0.09975 × 60000 long, 501 short.
  expect(its.body).toMatchObject({
    cash: "4750.71",
    long_market_value: "6735",
    short_market_value: "-501",
    equity: "10984.71",
  });

  const positions = await alpaca.get(key, "/v2/positions");
  const fits = answerOf("/v2/positions");
  expect([fits(positions.body), fits.errors]).toEqual([true, null]);
  const figures = ["symbol", "side", "qty", "avg_entry_price", "cost_basis", "market_value", "unrealized_pl"];
  expect(positions.body.map((each: Record<string, string>) => figures.map((name) => each[name]).join(" "))).toEqual([
    "AAPL long 5 100 500 600 100",
    "TSLA short -2 250 -500 -501 -1",
    "AAPL261218C00150000 long 1 1.5 150 150 0",
    "BTCUSD long 0.09975 50000 4987.5 5985 997.5",
  ]);

  const activities = await alpaca.get(key, "/v2/account/activities");
  const areFit = answerOf("/v2/account/activities");
  expect([areFit(activities.body), areFit.errors]).toEqual([true, null]);
  expect(activities.body.map((each: Record<string, string>) => each.status ?? each.order_status)).toEqual([
    ...["executed", "correct", "canceled", "executed", "executed"],
    ...["filled", "filled", "filled", "filled", "partially_filled", "executed"],
  ]);
  const assets = await alpaca.get(key, "/v2/assets");
  expect(answerOf("/v2/assets")(assets.body)).toBe(true);
  // "The symbol has to follow old symbology, e.g. BTCUSD."
  expect((await alpaca.get(key, "/v2/assets/BTCUSD")).body).toMatchObject({ symbol: "BTC/USD", class: "crypto" });
  expect((await alpaca.get(key, "/v2/assets/NONE")).status).toBe(404);
});

it("[C-5.141] Alpaca: pages by the last id, filters by creation, refuses what the documents refuse", async () => {
  const alpaca = await broker();
  const account = alpaca.open();
  const key = account.makeKey();
  for (let day = 0; day < 5; day += 1) {
    account.deposit(String(day + 1));
    alpaca.later(24 * 60 * 60_000);
  }
  // Its date is long before the others', and it is created after them.
  const backdated = account.book("FEE", { date: "2026-11-01", net_amount: "-1" });
  const page = async (query: string) => (await alpaca.get(key, `/v2/account/activities?${query}`)).body;
  const first = await page("page_size=4");
  const second = await page(`page_size=4&page_token=${encodeURIComponent(first.at(-1).id)}`);
  expect([...first, ...second].map((each) => each.net_amount)).toEqual(["5", "4", "3", "2", "1", "-1"]);
  expect(second.at(-1).id).toMatch(/^20261101000000000::/);
  const ascending = await page("direction=asc&activity_types=TRANS&page_size=2");
  expect(ascending.map((each: { net_amount: string }) => each.net_amount)).toEqual(["1", "2"]);
  expect(await page("after=2026-11-24T15:30:00Z")).toEqual([backdated]);
  expect(await page("until=2026-11-20T15:30:00Z")).toHaveLength(1);
  expect(await page("date=2026-11-22")).toHaveLength(1);
  for (const refused of ["page_size=101", "page_size=0", "activity_types=FFFFF", "page_token=1::2"])
    expect((await alpaca.get(key, `/v2/account/activities?${refused}`)).status, refused).toBe(422);
  expect((await alpaca.get(key, "/v2/account/activities/FEE")).body).toEqual([backdated]);
});

it("[C-5.141] Alpaca: two headers, keys that are made, replaced and revoked, 200 requests a minute with when it goes on", async () => {
  const alpaca = await broker();
  const account = alpaca.open({ currency: "GBP", swap_rate: "1.25" });
  const key = account.makeKey();
  const other = account.makeKey();
  expect((await alpaca.get({ ...key, secret: "other" }, "/v2/account")).status).toBe(401);
  expect((await fetch(`${alpaca.base_url}/v2/account`)).status).toBe(401);
  account.trade("buy", "AAPL", "80", "10");
  const [position] = (await alpaca.get(key, "/v2/positions")).body;
  expect(position).toMatchObject({ market_value: "1200", swap_rate: "1.25", usd: { market_value: "1500" } });

  alpaca.allow(2);
  const well = await alpaca.get(key, "/v2/account");
  expect([well.status, well.headers.get("x-ratelimit-remaining")]).toEqual([200, "1"]);
  // The limit is the account's, whichever of its keys.
  expect((await alpaca.get(other, "/v2/account")).status).toBe(200);
  const slowed = await alpaca.get(key, "/v2/account");
  const at = Date.parse("2026-11-20T15:01:00Z") / 1000 + 1;
  expect([slowed.status, slowed.headers.get("x-ratelimit-reset")]).toEqual([429, String(at)]);
  alpaca.later(60_000);
  expect((await alpaca.get(key, "/v2/account")).status).toBe(200);
  alpaca.allow(200);
  alpaca.revoke(key);
  expect([(await alpaca.get(key, "/v2/account")).status, (await alpaca.get(other, "/v2/account")).status]).toEqual([
    401, 200,
  ]);
  account.state({ status: "ACCOUNT_CLOSED", cash: null });
  expect((await alpaca.get(other, "/v2/account")).body).toMatchObject({ status: "ACCOUNT_CLOSED", cash: null });
  expect(alpaca.violations).toEqual([]);
});
