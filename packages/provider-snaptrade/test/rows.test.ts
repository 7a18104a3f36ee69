import { requestsFor } from "@org/provider-kit/testing";
import { expect, it } from "vitest";
import { ACCOUNT, CONNECTION, openPortal } from "./scripted-portal.js";

const requests = requestsFor("usa:snaptrade-lighthouse", "LIGHTHOUSE");
const access = { connection_id: CONNECTION, user: null, user_key: "accounts 54953432" };

/** The snapshot of an account with these rows. */
async function fetched(rows: { account?: object; positions?: object[]; cash?: object[]; activities?: object[] }) {
  const { provider, ...portal } = await openPortal({ key_type: "personal" });
  portal.accounts[0] = { ...portal.accounts[0], ...rows.account };
  portal.positions.push(...(rows.positions ?? []));
  portal.cash.push(...(rows.cash ?? []));
  portal.activities.push(...(rows.activities ?? []));
  const { snapshot } = await provider.fetch(requests.fetch(access));
  if (snapshot === undefined) throw new Error("there are no data");
  return snapshot;
}

const held = { units: "3", price: "10.5", cost_basis: "9.25", currency: "USD" };
const option = { symbol: "AAPL  261218C00240000", multiplier: "10" };

it.each<[string, object, object, object]>([
  ["stock", {}, {}, { type: "VI", balance: "31.5", cost: "27.75", identifiers: { ticker: "S.L" } }],
  ["adr", { raw_symbol: "S" }, {}, { type: "VI", identifiers: { ticker: "S" } }],
  [
    "etf",
    { figi_instrument: { figi_code: "BBG000B9XRY4" } },
    {},
    { type: "ETF", identifiers: { figi: "BBG000B9XRY4" } },
  ],
  ["mutualfund", {}, {}, { type: "F" }],
  ["cef", { exchange: "XNYS" }, {}, { type: "F", identifiers: { mic: "XNYS" } }],
  ["crypto", { exchange: "COINBASE" }, {}, { type: "C", identifiers: { ticker: "S.L" } }],
  ["option", option, {}, { type: "DV", subtype: "OP", balance: "315.0", price: "10.5", cost: "277.50" }],
  ["option", { ...option, multiplier: null }, { units: "-3" }, { amount: "-3", balance: "-3150.0", cost: "-2775.00" }],
  ["future", { multiplier: "50" }, {}, { type: "DV", subtype: "FT", balance: "1575.0", is_notional: true }],
  ["future", {}, {}, { type: "DV", balance: null }],
  ["cfd", {}, {}, { type: "CFD", balance: "3.75" }],
  ["cfd", {}, { cost_basis: null }, { type: "CFD", balance: null }],
  ["other", {}, { currency: null }, { type: "O", currency: "CHF" }],
  ["a kind that comes later", { currency: "CAD" }, { currency: null }, { type: "O", currency: "CAD" }],
  ["stock", {}, { currency: "GBX" }, { currency: "GBP", price: "0.105", balance: "0.315", cost: "0.2775" }],
  ["crypto", {}, { currency: "USDT" }, { currency: "CHF", balance: null, amount: "3" }],
  ["stock", {}, { units: null, price: null }, { amount: null, balance: null }],
  ["stock", {}, { units: "1e3" }, { amount: null, balance: null, price: "10.5" }],
])("[C-5.249] a position of SnapTrade, %s: %j %j", async (kind, instrument, position, expected) => {
  const own = { id: "i-1", kind, symbol: "S.L", description: "Name", ...instrument };
  const { holdings, portfolios } = await fetched({
    account: { balance: null },
    positions: [{ ...held, ...position, instrument: own }],
    cash: [{ currency: { code: "CHF" }, cash: "1" }],
  });
  expect(holdings?.[0]).toMatchObject({ key: "i-1", portfolio_key: ACCOUNT, name: "Name", ...expected });
  expect(portfolios).toMatchObject([{ currency: "CHF", balance: null }]);
});

it("[C-5.249] money market funds are positions, and the cash is what is left of it; coins in the cash are coins", async () => {
  const fund = { id: "f-1", kind: "mutualfund", symbol: "VMFXX" };
  const positions = [
    { ...held, price: "1", instrument: fund, cash_equivalent: true },
    { ...held, price: "1", units: "900", instrument: { ...fund, id: "f-2" }, cash_equivalent: true },
  ];
  const cash = [
    { currency: { code: "USD" }, cash: "5.25" },
    { currency: { code: "USDC" }, cash: "7.5" },
    { currency: { code: "CAD" }, cash: null },
  ];
  const { holdings } = await fetched({ positions, cash });
  expect(holdings).toMatchObject([
    { key: "f-1", balance: "3" },
    // More than the cash is no part of it.
    { key: "f-2", balance: "900" },
    { key: "cash:USD", type: "L", amount: "2.25", balance: "2.25" },
    { key: "cash:USDC", type: "C", amount: "7.5", balance: null, currency: "USD" },
    { key: "cash:CAD", type: "L", amount: null, balance: null },
  ]);
});

it("[C-5.249] a money market fund is a part of one cash amount", async () => {
  const fund = { id: "f-1", kind: "mutualfund", symbol: "VMFXX" };
  const positions = [{ ...held, price: "1", instrument: fund, cash_equivalent: true }];
  const two = ["5.25", "7.5"].map((cash) => ({ currency: { code: "USD" }, cash }));
  const { holdings } = await fetched({ positions, cash: two });
  expect(holdings?.map(({ balance }) => balance)).toEqual(["3", "2.25", "7.5"]);
});

const moved = { amount: "-12.5", units: "0", price: "0", fee: "0", currency: { code: "USD" } };

it.each<[string, object, object]>([
  ["BUY", { units: "2", fee: "-0.5", price: "6.25" }, { kind: "buy", amount: "2", unit_price: "6.25", fees: "0.5" }],
  ["SELL", { units: "-2", amount: "12.5" }, { kind: "sell", amount: "-2", balance: "12.5" }],
  ["REI", { units: "2" }, { kind: "buy", amount: "2" }],
  ["DIVIDEND", { units: "40", amount: "8" }, { kind: "dividend", amount: null, balance: "8" }],
  ["SUBSTITUTE_DIVIDEND", { amount: "8" }, { kind: "dividend" }],
  ["STOCK_DIVIDEND", { units: "2", amount: "0" }, { kind: "dividend", amount: "2", balance: null }],
  ["DISTRIBUTION", { amount: "8" }, { kind: "dividend" }],
  ["RETURN_OF_CAPITAL", { amount: "8" }, { kind: "other", balance: "8" }],
  ["CONTRIBUTION", { amount: "8" }, { kind: "deposit" }],
  ["WITHDRAWAL", {}, { kind: "withdrawal" }],
  ["INTEREST", {}, { kind: "interest", balance: "-12.5" }],
  ["FEE", {}, { kind: "fee" }],
  ["TAX", {}, { kind: "tax" }],
  ["REBATE", { amount: "8" }, { kind: "other" }],
  ["OPTIONEXPIRATION", { units: "-1", amount: "0" }, { kind: "other", amount: "-1" }],
  ["OPTIONASSIGNMENT", { units: "1" }, { kind: "other" }],
  ["OPTIONEXERCISE", { units: "-1" }, { kind: "other" }],
  ["TRANSFER", { units: "5", amount: null }, { kind: "transfer_in" }],
  ["TRANSFER", { units: "0" }, { kind: "transfer_out" }],
  ["TRANSFER", { units: "0", amount: null }, { kind: "other" }],
  ["EXTERNAL_ASSET_TRANSFER_IN", { units: "5" }, { kind: "transfer_in" }],
  ["EXTERNAL_ASSET_TRANSFER_OUT", { units: "-5" }, { kind: "transfer_out" }],
  ["INTERNAL_ASSET_TRANSFER_IN", { units: "5" }, { kind: "transfer_in" }],
  ["INTERNAL_ASSET_TRANSFER_OUT", { units: "-5" }, { kind: "transfer_out" }],
  ["INTERNAL_CASH_TRANSFER_IN", { amount: "8" }, { kind: "transfer_in" }],
  ["INTERNAL_CASH_TRANSFER_OUT", {}, { kind: "transfer_out" }],
  ["SPLIT", { units: "5" }, { kind: "split" }],
  ["REVERSE_SPLIT", { units: "-5" }, { kind: "split" }],
  ["SPINOFF", { units: "5" }, { kind: "spin_off" }],
  ["STOCK_MERGER", { units: "5" }, { kind: "merger" }],
  ["ADJUSTMENT", {}, { kind: "other" }],
  ["A_TYPE_OF_A_BROKERAGE", {}, { kind: "other", balance: "-12.5", description: "A_TYPE_OF_A_BROKERAGE" }],
  ["BUY", { currency: null, units: "2" }, { currency: "USD", balance: null, unit_price: null, amount: "2" }],
  ["BUY", { currency: { code: "GBX" } }, { currency: "GBP", balance: "-0.125" }],
  ["FEE", { trade_date: null, settlement_date: "2026-01-03T00:00:00Z" }, { operation_date: "2026-01-03" }],
])("[C-5.249] an activity of SnapTrade, %s: %j", async (type, more, expected) => {
  const { transactions } = await fetched({
    activities: [{ id: "t-1", type, trade_date: "2026-01-02T23:30:00Z", ...moved, ...more }],
  });
  const day = { operation_date: "2026-01-02" };
  expect(transactions).toMatchObject([{ key: "t-1", portfolio_key: ACCOUNT, ...day, ...expected }]);
});

it("[C-5.249] activities of several accounts go on where a fetch ended, and what is not synced is waited for", async () => {
  const { provider, accounts, activities, asked } = await openPortal({ key_type: "personal" });
  const [first = {}] = accounts;
  const pending = {
    ...first,
    id: "22",
    sync_status: { holdings: {}, transactions: { initial_sync_completed: false } },
  };
  accounts.push(pending);
  activities.push({ id: "t-1", type: "FEE", trade_date: "2026-01-02", ...moved });
  const begun = await provider.fetch(requests.fetch(access));
  expect(begun).toMatchObject({ snapshot: { transactions: null, portfolios: [{}, {}] }, more: { retry_after: 900 } });
  const pending_state = begun.snapshot && begun.more?.state;
  const again = await provider.fetch(requests.fetch(access, { pending_state }));
  expect(again).toEqual({ throttled: { retry_after: 900 } });
  accounts[1] = { ...pending, sync_status: null };
  const { snapshot } = await provider.fetch(requests.fetch(access, { pending_state }));
  expect(snapshot).toMatchObject({ portfolios: null, holdings: null });
  expect(snapshot?.transactions?.map(({ portfolio_key }) => portfolio_key)).toEqual([ACCOUNT, "22"]);
  expect(asked.filter(({ path }) => path.endsWith("/balances"))).toHaveLength(2);
});
