import { describe, expect, it } from "vitest";
import { account, connection, factsOf, holding, movement, resultOf, valuation } from "../test/sample-facts.js";
import { performanceAnswer } from "./answers.js";
import type { ConnectionFacts } from "./facts.js";
import { type PerformanceArguments, performance } from "./performance.js";
import { WealthError } from "./wealth-error.js";

const TODAY = "2026-12-31";
const asked = { portfolio_ids: null, currency: null, stale_after: 7, method: "twr" } as const;

function returned(connections: readonly ConnectionFacts[], args: Partial<PerformanceArguments>) {
  const answer = resultOf(performance(factsOf(connections), { from: "2026-03-03", ...asked, ...args }, TODAY));
  return performanceAnswer.strict().parse(answer);
}

function refusal(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof WealthError) return { code: error.code, details: error.details };
    throw error;
  }
  return null;
}

/** 1000 → 1010 → (+500 in the morning) 1525.10: 1.01 × 1525.10 / 1510. */
const fern = connection(
  [
    account("p1", [
      valuation("2026-03-02", "1000.00"),
      valuation("2026-03-03", "1010.00"),
      valuation("2026-03-04", "1525.10"),
      valuation("2026-03-05", "1525.10"),
    ]),
  ],
  [movement("p1", "2026-03-04", "deposit", "500.00")],
);

it("[C-8.106] a deposit earns from its day on: the answer of the documentation, field by field", () => {
  expect(returned([fern], { to: "2026-03-05" })).toEqual({
    from: "2026-03-03",
    to: "2026-03-05",
    method: "twr",
    rules: 1,
    currency: "EUR",
    opening: { date: "2026-03-02", balance: "1000.00" },
    closing: { date: "2026-03-05", balance: "1525.10" },
    flows: { in: "500.00", out: "0.00", count: 1 },
    entries: [],
    gain: "25.10",
    return: "0.020100",
    annualised: null,
    return_gross_of_fees: "0.020100",
    return_gross_of_fees_and_taxes: "0.020100",
    estimated: [],
    gaps: [],
    coverage: { portfolios: 1, valued: 1, carried: 0, missing: 0, details: [] },
  });
});

describe("[C-8.106] time-weighted", () => {
  it("a withdrawal leaves at the end of its day", () => {
    const accounts = [account("p1", [valuation("2026-03-02", "1000"), valuation("2026-03-03", "600")])];
    const facts = connection(accounts, [movement("p1", "2026-03-03", "withdrawal", "-500")]);
    expect(returned([facts], { to: "2026-03-03" })).toMatchObject({
      flows: { in: "0.00", out: "-500.00", count: 1 },
      gain: "100.00",
      return: "0.100000",
    });
  });

  it("what moves between accounts on one day is no flow, and what an account enters with is no gain", () => {
    const accounts = [
      account("p1", [valuation("2026-03-02", "1000"), valuation("2026-03-03", "400")]),
      account("p2", [valuation("2026-03-03", "600")]),
      account("p3", [valuation("2026-03-02", "100"), valuation("2026-03-03", "300")]),
    ];
    const moved = [
      movement("p1", "2026-03-03", "withdrawal", "-600"),
      movement("p2", "2026-03-03", "deposit", "400"),
      movement("p3", "2026-03-03", "deposit", "200"),
    ];
    expect(returned([connection(accounts, moved)], { to: "2026-03-03" })).toMatchObject({
      flows: { in: "0.00", out: "-400.00", count: 1 },
      entries: [{ portfolio_id: "p2", date: "2026-03-03", balance: "600.00" }],
      gain: "0.00",
    });
  });

  it("flows between valuations are weighted by Mondays to Fridays, and that is told", () => {
    // Friday to Friday; 500 on Wednesday: three of five days. 1 + 65 / (1000 + 300).
    const accounts = [account("p1", [valuation("2026-03-06", "1000"), valuation("2026-03-13", "1565")])];
    const facts = connection(accounts, [movement("p1", "2026-03-11", "deposit", "500")]);
    expect(returned([facts], { from: "2026-03-07", to: "2026-03-13" })).toMatchObject({
      return: "0.050000",
      estimated: [{ from: "2026-03-07", to: "2026-03-13", flows: "500.00", large: true }],
    });
  });

  it("fees and taxes are added back", () => {
    const accounts = [account("p1", [valuation("2026-03-02", "1000"), valuation("2026-03-03", "1070")])];
    const facts = connection(accounts, [
      movement("p1", "2026-03-03", "fee", "-10"),
      movement("p1", "2026-03-03", "tax", "-5"),
      movement("p1", "2026-03-03", "dividend", "85", { taxes: "15" }),
    ]);
    expect(returned([facts], { to: "2026-03-03" })).toMatchObject({
      return: "0.070000",
      return_gross_of_fees: "0.080000",
      return_gross_of_fees_and_taxes: "0.100000",
    });
  });

  it("a year more or less is annualised", () => {
    const facts = connection([account("p1", [valuation("2024-03-02", "1000"), valuation("2026-03-02", "1210")])]);
    const args = { from: "2024-03-03", to: "2026-03-02", stale_after: 400, allow_gaps: true };
    expect(returned([facts], args)).toMatchObject({ return: "0.210000", annualised: "0.100000" });
    expect(returned([facts], { ...args, method: "mwr" })).toMatchObject({ return: "0.210000", annualised: "0.100000" });
  });

  it("a gain out of nothing is refused", () => {
    const facts = connection([account("p1", [valuation("2026-03-02", "0"), valuation("2026-03-03", "5")])]);
    expect(refusal(() => returned([facts], { to: "2026-03-03", allow_gaps: true }))).toEqual({
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "return_undefined", date: "2026-03-03" }],
    });
  });
});

describe("[C-8.105] flows by account", () => {
  const depot = { lists_cash: false };
  const cash = { is_cash: true, lists_securities: false };

  it("a depot's trades and income are flows, and vanish against its cash account", () => {
    const accounts = [
      account("depot", [valuation("2026-03-02", "1000"), valuation("2026-03-03", "1500")], depot),
      account("cash", [valuation("2026-03-02", "700"), valuation("2026-03-03", "225")], { ...cash, shown_as: "depot" }),
    ];
    const moved = [
      movement("depot", "2026-03-03", "buy", "-500", { amount: "5" }),
      movement("cash", "2026-03-03", "buy", "-500"),
      movement("depot", "2026-03-03", "dividend", "25"),
      movement("cash", "2026-03-03", "dividend", "25"),
    ];
    expect(returned([connection(accounts, moved)], { to: "2026-03-03" })).toMatchObject({
      opening: { balance: "1700.00" },
      flows: { in: "0.00", out: "0.00", count: 0 },
      gain: "25.00",
      coverage: { portfolios: 1 },
    });
  });

  it("securities are worth what the account has them at: at the day's close, or at the one before", () => {
    const share = (balance: string, amount: string) => holding("h1", balance, { amount });
    const accounts = [
      account("in", [valuation("2026-03-02", "100", []), valuation("2026-03-03", "310", [share("210", "10")])]),
      account("out", [valuation("2026-03-02", "210", [share("200", "10")]), valuation("2026-03-03", "10", [])]),
    ];
    const moved = [
      movement("in", "2026-03-03", "transfer_in", null, { amount: "10", holding_id: "h1" }),
      movement("out", "2026-03-03", "transfer_out", "0.00", { amount: "-10", holding_id: "h1" }),
    ];
    expect(returned([connection(accounts, moved)], { to: "2026-03-03" })).toMatchObject({
      flows: { in: "10.00", out: "0.00", count: 1 },
      gain: "0.00",
      return: "0.000000",
    });
  });

  it("what nobody can tell is named", () => {
    const accounts = [account("p1", [valuation("2026-03-02", "1000"), valuation("2026-03-03", "1500")])];
    const facts = connection(accounts, [
      movement("p1", "2026-03-03", null, "500", { id: "t1" }),
      movement("p1", "2026-03-03", "transfer_in", null, { id: "t2", amount: "3", isin: "US0378331005" }),
      movement("p1", "2026-03-03", "other", null, { id: "nothing moved" }),
    ]);
    const details = [
      { reason: "movement_unclear", portfolio_id: "p1", transaction_id: "t1", date: "2026-03-03" },
      { reason: "flow_value_unknown", portfolio_id: "p1", transaction_id: "t2", date: "2026-03-03" },
    ];
    expect(refusal(() => returned([facts], { to: "2026-03-03" }))).toEqual({ code: "INSUFFICIENT_DATA", details });
    const answer = returned([facts], { to: "2026-03-03", allow_gaps: true });
    expect(answer).toMatchObject({ gaps: details, return: "0.500000" });
  });
});

describe("[C-8.108] what a return would have to guess is refused, by name", () => {
  it("values that are too old, unread movements, and statements that disagree", () => {
    const accounts = [account("p1", [valuation("2026-03-02", "1000"), valuation("2026-03-20", "1100")])];
    const difference = {
      portfolio_id: "p1",
      name: "A",
      isin: null,
      from: "2026-03-02",
      to: "2026-03-20",
      difference: "3",
    };
    const facts = connection(accounts, [], { movements_until: "2026-03-10", differences: [difference] });
    const details = [
      { reason: "stale", portfolio_id: "p1", from: "2026-03-20", to: "2026-03-31" },
      { reason: "difference", ...difference },
      { reason: "movements_unread", credentials_token: "c1", from: "2026-03-10", to: "2026-03-20" },
    ];
    expect(refusal(() => returned([facts], { to: "2026-03-31" }))).toEqual({ code: "INSUFFICIENT_DATA", details });
    expect(returned([facts], { to: "2026-03-31", allow_gaps: true })).toMatchObject({
      gaps: details,
      return: "0.100000",
    });
  });

  it("no value to open with, no data, values that are unknown", () => {
    const accounts = [
      account("p1", [valuation("2026-03-04", "1000"), valuation("2026-03-05", "1100")]),
      account("p2", [valuation("2026-03-04", null)]),
    ];
    const facts = [connection(accounts), connection([], [], { credentials_token: "c2" })];
    const details = [
      { reason: "no_data", portfolio_id: null },
      { reason: "value_unknown", portfolio_id: "p2" },
      { reason: "no_opening_value", date: "2026-03-02", first_valuation: "2026-03-04" },
    ];
    expect(refusal(() => returned(facts, { to: "2026-03-05" }))).toEqual({ code: "INSUFFICIENT_DATA", details });
    expect(returned(facts, { to: "2026-03-05", allow_gaps: true })).toMatchObject({
      opening: { date: "2026-03-04", balance: "1000.00" },
      return: "0.100000",
      gaps: details,
    });
  });

  it("several currencies need one to be named, and its rates", () => {
    const dollars = [valuation("2026-03-02", "1000"), valuation("2026-03-03", "1100")];
    const facts = [connection([account("p1", dollars), account("p2", dollars, { currency: "USD" })])];
    expect(refusal(() => returned(facts, { to: "2026-03-03" }))).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(refusal(() => returned(facts, { to: "2026-03-03", currency: "EUR" }))).toEqual({
      code: "INSUFFICIENT_DATA",
      details: ["2026-03-02", "2026-03-03"].map((date) => ({ reason: "rate_missing", from: "USD", to: "EUR", date })),
    });
  });
});

describe("[C-8.107] money-weighted", () => {
  it("is the root of XIRR's formula, not annualised", () => {
    // −1000 at 0, −500 after two of three days, +1525.10 at the end: 1000·x + 500·x^(1/3) = 1525.10.
    const answer = returned([fern], { to: "2026-03-05", method: "mwr" });
    const x = 1 + Number(answer.return);
    const miss = (rate: number) => 1000 * rate + 500 * rate ** (1 / 3) - 1525.1;
    expect(miss(x - 0.0000005) < 0 && miss(x + 0.0000005) > 0).toBe(true);
    expect(answer).toMatchObject({ return_gross_of_fees: null, return_gross_of_fees_and_taxes: null, estimated: [] });
  });

  it("names several roots, and says if there is none", () => {
    // 100 in, 230 out at half the time, 132 short at the end: x^(1/2) = 1.1 and 1.2.
    const owes = [
      account("p1", [valuation("2026-03-02", "100"), valuation("2026-03-03", "100"), valuation("2026-03-04", "-132")]),
    ];
    const facts = connection(owes, [movement("p1", "2026-03-03", "withdrawal", "-230")]);
    expect(refusal(() => returned([facts], { to: "2026-03-04", method: "mwr" }))).toEqual({
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "several_roots", returns: ["0.210000", "0.440000"] }],
    });
    const lost = connection([account("p1", [valuation("2026-03-02", "100"), valuation("2026-03-03", "0")])]);
    expect(refusal(() => returned([lost], { to: "2026-03-03", method: "mwr" }))).toMatchObject({
      details: [{ reason: "no_root" }],
    });
    expect(returned([lost], { to: "2026-03-03" })).toMatchObject({ return: "-1.000000" });
  });
});
