import { expect, test } from "vitest";
import { exactJson, example } from "../test/examples.js";
import { lists } from "./custody-answers.js";
import { portfolioOf, toHolding } from "./holdings.js";

const positionOf = (text: string) => lists.positions.row.parse(exactJson(text));
const held = (name: string) => toHolding(positionOf(example(`positions/${name}`)));

test.each([
  ["000-cash-account-chf", "L", null, "Swiss francs", "500000", "500000", "CHF", "2022-12-31"],
  ["001-bond", "FI", null, "Schweizerische Eidgenossenschaft 0,5% 18/32", "200000", "180000", "CHF", "2023-01-04"],
  ["002-equity", "VI", null, "CREDIT SUISSE GROUP AG", "1000", "10000", "CHF", "2022-12-31"],
  ["002-equity-with-fx", "VI", null, "Apple Inc.", "40", "6000", "USD", "2023-01-04"],
  ["003-fund", "F", null, "SILVERH AS L SQ GC", "9956.192", "1144962.08", "CHF", "2022-12-31"],
  ["006-option-put-with-fx", "DV", "OP", "Put Option Apple Inc., 185, 2024-06-01", "20", "3000", "USD", "2023-01-04"],
  ["008-fx-forward", "DV", "FF", "FX Forward Sell, 200'000 USD at 170'000 CHF", "1", "11111.1", "USD", "2023-01-04"],
  ["009-fx-swap", "DV", null, "FX Swap, 200'000 USD to CHF", "1", "10000", "CHF", "2023-01-04"],
  ["011-callable-deposit", "BP", null, "Callable Deposit 6'000'000 CHF", "1", "6000000", "CHF", "2022-12-31"],
  [
    "012-fixed-deposit",
    "BP",
    null,
    "Fixed Deposit 100'000 USD, Expiry Date 2023-06-27",
    "1",
    "100000",
    "USD",
    "2022-12-31",
  ],
  ["013-interest-rate-swap", "DV", null, "Payer interest rate swap", "1", "-1200", "CHF", "2022-12-31"],
  [
    "014-total-return-swap",
    "DV",
    null,
    "Total return swap, Apple Inc., Expiry Date 2023-06-27",
    "1",
    "1300",
    "CHF",
    "2022-12-31",
  ],
  ["015-credit", "BP", null, "Credit 50'000 CHF", "1", "-50000", "CHF", "2025-12-30"],
])(
  "[C-5.109] the description's position %s",
  (name, type, subtype, title, amount, balance, currency, valuation_date) => {
    expect(held(name)).toMatchObject({ type, subtype, name: title, amount, balance, currency, valuation_date });
  },
);

test("[C-5.140] a position in pence is one in pounds", () => {
  const position = JSON.parse(example("positions/002-equity"));
  position.valuation.valueInPositionCurrency = { amount: 123450, currency: "GBX" };
  position.price = { type: "actual", value: 123.45, currency: "GBX" };
  expect(toHolding(positionOf(JSON.stringify(position)))).toMatchObject({
    ...{ balance: "1234.50", currency: "GBP", price: "1.2345", price_currency: "GBP" },
  });
});

test("facts: price, percent, identifiers, accrued interest", () => {
  expect(held("001-bond")).toEqual({
    key: "pos-001",
    portfolio_key: "safekeeping-account-1",
    name: "Schweizerische Eidgenossenschaft 0,5% 18/32",
    isin: "CH0344958688",
    amount: "200000",
    balance: "180000",
    currency: "CHF",
    valuation_date: "2023-01-04",
    type: "FI",
    subtype: null,
    price: "90",
    price_unit: "percent",
    identifiers: { isin: "CH0344958688" },
  });
  expect(held("002-equity-with-fx")).toMatchObject({ price: "150.0", price_unit: "currency", price_currency: "USD" });
  expect(held("015-credit").accrued_interest).toBe("-250");
});

const base = JSON.parse(example("positions/002-equity"));
const changed = (change: object) => toHolding(positionOf(JSON.stringify({ ...base, ...change })));
const instrument = (change: object) => changed({ financialInstrument: { ...base.financialInstrument, ...change } });

test("the cost is exact and in the holding's currency, or is left out", () => {
  expect(changed({ costPrice: { type: "actual", value: 12.345, currency: "CHF" } }).cost).toBe("12345.000");
  expect(changed({ costPrice: { type: "actual", value: 12.345, currency: "USD" } }).cost).toBeUndefined();
  expect(changed({ costPrice: { type: "percentage", value: 98.5 } }).cost).toBe("985.00");
  const factor = { ...base.financialInstrument, factor: 0.85 };
  expect(changed({ financialInstrument: factor, costPrice: { type: "actual", value: 1 } }).cost).toBeUndefined();
  const option = JSON.parse(example("positions/006-option-put-with-fx"));
  const withCost = { ...option, costPrice: { type: "actual", value: 30, currency: "USD" } };
  expect(toHolding(positionOf(JSON.stringify(withCost))).cost).toBe("3000");
});

test("a CFI code or an underlying says more than the type", () => {
  expect(instrument({ type: "fund", cfiCode: "CEOGES" })).toMatchObject({ type: "ETF", subtype: null });
  expect(instrument({ type: "fund", cfiCode: "CPXXXX" })).toMatchObject({ type: "AEP", subtype: "PE" });
  expect(instrument({ type: "option", underlyingFinancialInstrument: { type: "future", name: "" } }).subtype).toBe(
    "FOP",
  );
  expect(instrument({ type: "future", cfiCode: "FC" }).subtype).toBe("COM");
  expect(instrument({ type: "fxOption" })).toMatchObject({ type: "DV", subtype: "OP" });
  for (const type of ["index", "commodity", "other", "somethingNew"]) expect(instrument({ type }).type).toBe("O");
  for (const type of ["mortgage", "fixedLoan", "callableLoan"]) expect(instrument({ type }).type).toBe("BP");
  expect(instrument({ type: "cryptoAsset" }).type).toBe("C");
});

test("[C-5.109] identifiers by their schemes, the ISIN with them; a FIGI is known by its form", () => {
  const identificationList = [
    ["isin", "US0378331005"],
    ["valoren", "908440"],
    ["wertpapier", "865985"],
    ["tickerSymbol", "AAPL"],
    ["cusip", "037833100"],
    ["bloomberg", "AAPL US"],
    ["bloomberg", "BBG000B9XRY4"],
    ["common", "12"],
  ].map(([type, identifier]) => ({ type, identifier }));
  const holding = instrument({ identificationList });
  expect(holding.isin).toBe("US0378331005");
  expect(holding.identifiers).toEqual({
    isin: "US0378331005",
    valor: "908440",
    wkn: "865985",
    ticker: "AAPL",
    cusip: "037833100",
    figi: "BBG000B9XRY4",
  });
});

test("a portfolio's balance is the sum in the account's currency, as far as values are stated in it", () => {
  const equity = positionOf(example("positions/002-equity-with-fx"));
  const bond = positionOf(example("positions/001-bond"));
  const account = bond.account;
  expect(portfolioOf(account, [equity, bond])).toEqual({
    key: "safekeeping-account-1",
    name: "safekeeping-account-1",
    balance: "185100",
    currency: "CHF",
    ref_account: null,
    type: "S",
  });
  expect(portfolioOf({ ...account, referenceCurrency: "GBP" }, [bond]).balance).toBeNull();
  expect(portfolioOf({ ...account, designation: "Depot", iban: "CH93", number: "1" }, [])).toMatchObject({
    name: "Depot",
    balance: "0",
    ref_account: "CH93",
  });
});
