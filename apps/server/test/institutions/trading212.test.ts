import { expect, it, onTestFinished } from "vitest";
import { startTrading212, type Trading212Key } from "./trading212.js";

async function broker() {
  let now = Date.parse("2026-11-20T15:00:00Z");
  const started = await startTrading212({ clock: () => new Date(now) });
  onTestFinished(() => started.close());
  started.list("AAPL_US_EQ", "Apple", "US0378331005", "USD", "200", "0.8");
  started.list("VODl_EQ", "Vodafone", "GB00BH4HKS39", "GBX", "75.5", "0.01");
  return {
    ...started,
    later: (seconds: number) => {
      now += seconds * 1000;
    },
    async get({ key, secret }: Trading212Key, path: string) {
      const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
      const answer = await fetch(started.institution.url + path, { headers: { authorization } });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
  };
}

it("[C-5.145] Trading 212: cash, positions in the currency of their prices and of the account, orders, dividends, movements", async () => {
  const trading212 = await broker();
  const account = trading212.open("GBP");
  const key = account.makeKey();
  account.move("DEPOSIT", "1000.00");
  account.trade("VODl_EQ", "100", "70", { STAMP_DUTY_RESERVE_TAX: "0.35" });
  account.trade("AAPL_US_EQ", "0.5", "190", { CURRENCY_CONVERSION_FEE: "0.11" });
  account.trade("VODl_EQ", "-40", "72");
  account.dividend("VODl_EQ", "3.7", "2.22");
  account.event("STOCK_SPLIT", "AAPL_US_EQ", "1.5");
  account.rejectedOrder("AAPL_US_EQ", "3");
  const ofEquity = async (path: string) => JSON.parse((await trading212.get(key, `/api/v0/equity${path}`)).text);
  // 1000 − 70.35 − 76.11 + 28.8 + 2.22; 60 × 0.755 and 2 × 160.
  const summary = await ofEquity("/account/summary");
  expect(summary).toMatchObject({ currency: "GBP", totalValue: 1249.86, cash: { availableToTrade: 884.56 } });
  const positions = await ofEquity("/positions");
  expect(positions).toMatchObject([
    {
      instrument: { currency: "GBX", isin: "GB00BH4HKS39" },
      quantity: 60,
      averagePricePaid: 70,
      walletImpact: { currency: "GBP", currentValue: 45.3, totalCost: 42, unrealizedProfitLoss: 3.3 },
    },
    { quantity: 2, currentPrice: 200, walletImpact: { currentValue: 320, totalCost: 76 } },
  ]);
  const { items, nextPagePath } = await ofEquity("/history/orders");
  expect(
    items.map(({ order, fill }: { order: { status: string }; fill?: { type: string } }) => [order.status, fill?.type]),
  ).toEqual([
    ["REJECTED", undefined],
    ["FILLED", "STOCK_SPLIT"],
    ["FILLED", "TRADE"],
    ["FILLED", "TRADE"],
    ["FILLED", "TRADE"],
  ]);
  expect(items[2]).toMatchObject({
    order: { side: "SELL", quantity: -40 },
    fill: { walletImpact: { netValue: 28.8 } },
  });
  expect(nextPagePath).toBeNull();
  expect((await ofEquity("/history/dividends")).items).toMatchObject([
    { amount: 2.22, quantity: 60, tickerCurrency: "GBX" },
  ]);
  // The digits of the JSON text are those that were booked.
  expect((await trading212.get(key, "/api/v0/equity/history/transactions")).text).toContain('"amount":1000.00,');
});

it("[C-5.145] Trading 212: pages by nextPagePath, limits for each endpoint, keys", async () => {
  const trading212 = await broker();
  const account = trading212.open("EUR");
  const key = account.makeKey();
  for (let row = 1; row <= 45; row += 1) account.move("DEPOSIT", String(row));
  const amounts: number[] = [];
  for (let path: string | null = "/api/v0/equity/history/transactions"; path !== null; ) {
    const page: { items: { amount: number }[]; nextPagePath: string | null } = JSON.parse(
      (await trading212.get(key, path)).text,
    );
    // What arrives meanwhile moves no page.
    account.move("FEE", "-1");
    amounts.push(...page.items.map(({ amount }) => amount));
    path = page.nextPagePath;
  }
  expect(amounts).toEqual(Array.from({ length: 45 }, (_, row) => 45 - row));
  const summary = "/api/v0/equity/account/summary";
  expect((await trading212.get(key, summary)).status).toBe(200);
  const slowed = await trading212.get(account.makeKey(), summary);
  const reset = String(Date.parse("2026-11-20T15:00:05Z") / 1000);
  expect([slowed.status, slowed.headers.get("x-ratelimit-reset"), slowed.headers.get("x-ratelimit-period")]).toEqual([
    ...[429, reset, "5"],
  ]);
  trading212.later(5);
  expect((await trading212.get(key, summary)).status).toBe(200);
  expect((await trading212.get(key, "/api/v0/equity/history/orders?limit=51")).status).toBe(400);
  expect((await trading212.get({ ...key, secret: "other" }, summary)).status).toBe(401);
  trading212.revoke(key);
  expect((await trading212.get(key, summary)).status).toBe(401);
  expect(trading212.violations).toEqual([]);
});
