import alpaca from "@org/provider-alpaca";
import type { BankProvider } from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import { conformanceCases, requestsFor } from "@org/provider-kit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Activity, KNOWN_KEY, openGate, startPrism } from "./judged-alpaca.js";

const now = new Date("2025-12-01T08:00:00.000Z");
const connector = { connector_id: "usa:alpaca-paper", provider_ref: "paper" };
const requests = requestsFor(connector.connector_id, connector.provider_ref);
const fields = { key_id: KNOWN_KEY, secret_key: "secret-of-larkspur" };
const settingsAt = (url: string) => ({ base_urls: { live: url, paper: url } });

let prism: Awaited<ReturnType<typeof startPrism>>;
beforeAll(async () => {
  prism = await startPrism();
});
afterAll(() => prism.close());

/** The provider against a gate with these activities, after a login. */
async function opened(more: readonly Activity[] = []) {
  const gate = await openGate(prism.url, more);
  const settings = alpaca.settings.parse(settingsAt(gate.url));
  const http = createHttpClient({ hosts: [new URL(gate.url).host], clock: () => now });
  const unused = { random: (bytes: number) => new Uint8Array(bytes), sleep: async () => {}, pace: async () => null };
  const log = { info() {}, warn() {} };
  const given = { settings, http, clock: () => now, log, ...unused };
  const provider: BankProvider = { name: "alpaca", ...(await alpaca.create(given)) };
  const close = async () => {
    await http.close();
    gate.close();
  };
  const step = await provider.login(requests.login(fields));
  if (step.kind !== "authenticated") throw new Error(`the login ended in ${step.kind}`);
  return { gate, provider, step, close };
}

describe("[C-10.22] [C-5.147] Alpaca, by a key of its customer, keeps the rule:", () => {
  const cases = conformanceCases(async () => {
    const gate = await openGate(prism.url);
    return {
      definition: alpaca,
      settings: settingsAt(gate.url),
      connector,
      clock: () => now,
      customer: { fields },
      stranger: { ...fields, key_id: "a-key-that-is-not-known" },
      figures: ["123346.11", "122086.5", "174.78", "-349.56", "1.02"],
      institution: gate.institution,
      close: gate.close,
    };
  });
  for (const { name, run } of cases)
    it(name, async () => {
      await run();
    });
});

it("[C-5.148] every request keeps to Alpaca's description, and its examples arrive with their figures", async () => {
  const { gate, provider, step, close } = await opened();
  expect(step).toMatchObject({ user_key: "1d9eed04-be39-4e01-9b84-a48ac5bbafcf", consent_expires_at: null });
  const { snapshot } = await provider.fetch(requests.fetch(step.access, { since: new Date("2025-11-20T03:00:00Z") }));
  await close();
  expect(gate.asked).toEqual([
    "/v2/account",
    "/v2/account",
    "/v2/positions",
    // Seven days before the day in New York, and 90.
    "/v2/account/activities?category=trade_activity&page_size=100&after=2025-11-12T00%3A00%3A00Z",
    "/v2/account/activities?category=non_trade_activity&page_size=100&after=2025-08-21T00%3A00%3A00Z",
  ]);
  expect(snapshot?.as_of).toEqual(now);
  expect(snapshot?.portfolios).toEqual([
    {
      key: step.user_key,
      name: "Alpaca PALPACA_123",
      balance: "123346.11",
      currency: "USD",
      ref_account: "PALPACA_123",
      type: "S",
    },
  ]);
  const held = {
    portfolio_key: step.user_key,
    isin: null,
    currency: "USD",
    valuation_date: "2025-12-01",
    subtype: null,
  };
  const apple = {
    ...held,
    key: "AAPL",
    name: "AAPL",
    type: "VI",
    identifiers: { ticker: "AAPL", mic: "XNAS" },
  };
  expect(snapshot?.holdings).toEqual([
    { ...apple, amount: "5", balance: "600.0", price: "120.0", cost: "500.0" },
    { ...apple, amount: "2", balance: "348.58", price: "174.29", cost: "349.56" },
    { ...held, key: "cash:USD", name: "Cash USD", amount: "122086.5", balance: "122086.5", type: "L" },
  ]);
  expect(snapshot?.transactions).toEqual([
    {
      key: "20220202135509981::2d7be4ff-d1f3-43e9-856a-0f5cf5c5088e",
      portfolio_key: step.user_key,
      holding_key: "AAPL",
      operation_date: "2022-02-02",
      description: "Buy AAPL",
      amount: "2",
      balance: "-349.56",
      currency: "USD",
      unit_price: "174.78",
      kind: "buy",
      identifiers: { ticker: "AAPL" },
    },
    {
      key: "20190801011955195::5f596936-6f23-4cef-bdf1-3806aae57dbf",
      portfolio_key: step.user_key,
      holding_key: "T",
      operation_date: "2019-08-01",
      description: "Dividend T",
      amount: null,
      balance: "1.02",
      currency: "USD",
      unit_price: null,
      kind: "dividend",
      identifiers: { ticker: "T" },
    },
  ]);
});

const option = { side: "sell", qty: "2", price: "1.05", transaction_time: "2025-11-03T03:30:00Z" };
const booked = { date: "2025-11-04", status: "executed", net_amount: "0", currency: "USD" };

it.each<[string, { readonly activity_type: string; readonly [more: string]: string }, object]>([
  [
    "an option is 100 units a contract, and its day is New York's",
    { ...option, activity_type: "FILL", symbol: "AAPL260116C00200000" },
    { operation_date: "2025-11-02", amount: "-2", balance: "210.00", unit_price: "1.05", kind: "sell" },
  ],
  [
    "a contract of unknown size has no total",
    { ...option, activity_type: "FILL", symbol: "AAPL1260116C00200000" },
    { amount: "-2", balance: null, kind: "sell" },
  ],
  [
    "what is corrected says what it says now",
    { ...booked, activity_type: "DIV", status: "correct", symbol: "T", net_amount: "1.03", qty: "2" },
    { balance: "1.03", amount: null, description: "Dividend T" },
  ],
  [
    "securities journaled away are a transfer out",
    { ...booked, activity_type: "JNLS", symbol: "T", qty: "-4" },
    { kind: "transfer_out", amount: "-4", holding_key: "T" },
  ],
  [
    "a fee has no security",
    { ...booked, activity_type: "FEE", net_amount: "-0.02" },
    { kind: "fee", balance: "-0.02", holding_key: null, description: "Fee" },
  ],
  [
    "an activity that Alpaca adds later is there under its name",
    { ...booked, activity_type: "NEWTYPE", net_amount: "7" },
    { kind: "other", balance: "7", description: "NEWTYPE" },
  ],
  [
    "a coin has the name that it has as a position",
    { ...option, side: "buy", activity_type: "FILL", symbol: "BTC/USD" },
    { holding_key: "BTCUSD", description: "Buy BTCUSD", identifiers: { ticker: "BTCUSD" } },
  ],
  [
    "a price with many digits has a total with as many as can be stored",
    { ...option, activity_type: "FILL", symbol: "T", qty: "0.123456789", price: "33481.2123456789012345" },
    { balance: "4133.48296802467517145951" },
  ],
  [
    "without amounts",
    { ...booked, activity_type: "OPEXP", symbol: "AAPL260116C00200000", qty: "-1", net_amount: "" },
    { kind: "other", amount: "-1", balance: null, description: "Option expiration AAPL260116C00200000" },
  ],
  [
    "with id and type alone, under the day of the id",
    { activity_type: "SPLIT" },
    { kind: "split", operation_date: "2025-11-04", amount: null, balance: null, currency: "USD" },
  ],
  [
    "an execution without its price",
    { ...option, activity_type: "FILL", symbol: "T", price: "1e-3" },
    { kind: "other", amount: null, balance: null, description: "Execution T" },
  ],
  [
    "an amount in what is no currency is left out",
    { ...booked, activity_type: "JNLC", net_amount: "5", currency: "USDC" },
    { balance: null, currency: "USD" },
  ],
])("[C-5.148] [C-5.180] Alpaca's activities: %s", async (_, activity, expected) => {
  const { provider, step, close } = await opened([{ id: "20251104000000000::one", ...activity }]);
  const { snapshot } = await provider.fetch(requests.fetch(step.access));
  await close();
  expect(snapshot?.transactions?.find(({ key }) => key?.endsWith("::one"))).toMatchObject({
    key: "20251104000000000::one",
    ...expected,
  });
});

it("[C-5.148] an activity that Alpaca cancels is withdrawn", async () => {
  const dividend = { ...booked, activity_type: "DIV", symbol: "T", net_amount: "1.02" };
  const told = [
    { ...dividend, id: "20251104000000000::one", status: "canceled" },
    { ...dividend, id: "20251104000000000::two" },
  ];
  const { provider, step, close } = await opened(told);
  const { snapshot } = await provider.fetch(requests.fetch(step.access));
  await close();
  const keys = snapshot?.transactions?.map(({ key }) => key);
  expect(keys).toContain("20251104000000000::two");
  expect(keys).not.toContain("20251104000000000::one");
  expect(snapshot?.withdrawn).toEqual([{ portfolio_key: step.user_key, key: "20251104000000000::one" }]);
});
