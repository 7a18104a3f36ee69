import { expect, it } from "vitest";
import { faultsOfAnswer } from "../answers.js";
import { signByDirection } from "./kind-by-sign.js";
import { cashFrom, holdingFrom, type StatedHolding, transactionFrom } from "./rows.js";

const held: StatedHolding = { key: "ACME", portfolio_key: "1", name: "Acme", currency: "EUR", type: "VI" };
const moved = { key: null, portfolio_key: "1", operation_date: "2026-03-02", description: "Fee", currency: "EUR" };
const portfolio = { key: "1", name: "Depot", balance: null, currency: "EUR", ref_account: null, type: "S" };

it("[C-5.203] a row of the least that an institution states is one that the guard takes: unknown fields are null, unknown facts missing", () => {
  const holdings = [holdingFrom({ ...held, price: null, cost: undefined, identifiers: { ticker: null } })];
  const transactions = [transactionFrom({ ...moved, fees: null, identifiers: null })];
  expect(holdings).toStrictEqual([
    { ...held, isin: null, amount: null, balance: null, valuation_date: null, subtype: null },
  ]);
  expect(transactions).toStrictEqual([{ ...moved, holding_key: null, amount: null, balance: null, unit_price: null }]);
  const snapshot = { as_of: new Date(0), portfolios: [portfolio], holdings, transactions };
  expect(faultsOfAnswer("fetch", { snapshot, consent_expires_at: null }, { now: new Date(0) })).toEqual([]);
});

it("[C-5.203] what is stated stays as it is, and a subtype brings its type", () => {
  const stated = { ...held, amount: "0", price: "1.50", identifiers: { ticker: "ACME", mic: undefined } };
  expect(holdingFrom({ ...stated, type: "FT" })).toStrictEqual({
    ...held,
    isin: null,
    amount: "0",
    balance: null,
    valuation_date: null,
    price: "1.50",
    identifiers: { ticker: "ACME" },
    type: "DV",
    subtype: "FT",
  });
  expect(transactionFrom({ ...moved, key: "7", kind: "fee" })).toMatchObject({ key: "7", kind: "fee" });
});

it("[C-5.203] cash is a holding of type L whose units are its value, under a key of its own", () => {
  const ofAccount = { portfolio_key: "1", currency: "EUR", valuation_date: "2026-03-02" };
  const row = { ...ofAccount, isin: null, amount: "-3.50", balance: "-3.50", type: "L", subtype: null };
  expect(cashFrom({ ...ofAccount, amount: "-3.50" })).toStrictEqual({ ...row, key: "cash:EUR", name: "Cash EUR" });
  expect(cashFrom({ ...ofAccount, amount: null, key: "c" })).toMatchObject({
    key: "c",
    amount: null,
    balance: null,
  });
});

it.each([
  ["2.50", false, "2.50"],
  ["-2.50", false, "2.50"],
  ["2.50", true, "-2.50"],
  ["-2.50", true, "-2.50"],
  ["0", true, "0"],
  [null, true, null],
  [undefined, false, null],
])("[C-5.203] the amount %s has the sign of its direction (outgoing: %s)", (stated, isOutgoing, signed) => {
  expect(signByDirection(stated, isOutgoing)).toBe(signed);
});
