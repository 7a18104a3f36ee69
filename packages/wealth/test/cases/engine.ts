import { account, depot, facts, holding, movement, type WorkedCase } from "./build.js";

/** What the engine or the reference had otherwise: histories as small as they can be. */
export const engineCases: readonly WorkedCase[] = [
  {
    name: "a transfer that states 0.00 says that no cash moved, not that its units are worth nothing",
    question: "performance",
    // 10 units came that are worth 210 at the close: 100 to 310 is no gain. By the letter, 0.00 would be 210 gained.
    facts: facts(
      [
        account("A", {
          values: { "2026-03-02": "100.00", "2026-03-03": held("310.00", "210.00", "10") },
        }),
      ],
      [movement("A", "2026-03-03", { kind: "transfer_in", amount: "10", balance: "0.00", holding_id: "X" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { flows: { in: "210.00", out: "0.00", count: 1 }, gain: "0.00", return: "0.000000" },
  },
  {
    name: "with gaps, units are worth a price of any age, and that is told",
    question: "performance",
    // 5 of 10 units leave on 03-12, all are gone then; the last price, 20, is of 03-02: 5 × 20 at the start. (300 − 200 + 100) / (200 − 100) = 2.
    facts: facts(
      [account("A", { values: { "2026-03-02": held("200.00", "200.00", "10"), "2026-03-12": "300.00" } })],
      [movement("A", "2026-03-12", { id: "t1", kind: "transfer_out", amount: "-5", holding_id: "X" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-12", allow_gaps: true },
    answer: {
      flows: { in: "0.00", out: "-100.00", count: 1 },
      gain: "200.00",
      return: "2.000000",
      gaps: [{ reason: "flow_value_unknown", portfolio_id: "A", transaction_id: "t1", date: "2026-03-12" }],
    },
  },
  {
    name: "one portfolio with statements of months is not too old on the days on which it is valued",
    question: "performance",
    // 1.1 × 1.1: no other value is used.
    facts: facts([
      account("A", { values: { "2026-01-31": "100.00", "2026-02-28": "110.00", "2026-03-31": "121.00" } }),
    ]),
    asked: { from: "2026-02-01", to: "2026-03-31" },
    answer: { return: "0.210000", gaps: [] },
  },
  {
    name: "the money-weighted return needs no rate of days between",
    question: "performance",
    // 100 USD to 110 USD at 1 EUR each; of 03-20 there is no rate of the days 03-13 to 03-20.
    facts: facts(
      [
        account("A", {
          currency: "USD",
          values: { "2026-03-02": "100.00", "2026-03-20": "105.00", "2026-03-31": "110.00" },
        }),
      ],
      [],
      ["2026-03-02", "2026-03-31"].map((date) => ({ date, base: "USD", quote: "EUR", rate: "1", source: "r" })),
    ),
    asked: { from: "2026-03-03", to: "2026-03-31", method: "mwr", currency: "EUR" },
    answer: { return: "0.100000", return_gross_of_fees: null, return_gross_of_fees_and_taxes: null, estimated: [] },
  },
  {
    name: "every day with a gain on nothing is told",
    question: "performance",
    facts: facts([
      account("A", {
        values: { "2026-03-02": "0.00", "2026-03-03": "5.00", "2026-03-04": "-5.00", "2026-03-05": "1.00" },
      }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-05" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: ["2026-03-03", "2026-03-05"].map((date) => ({ reason: "return_undefined", date })),
    },
  },
  {
    name: "a gross return is null where there was nothing to earn the costs with, the net one stands",
    question: "performance",
    facts: facts(
      [account("A", { values: { "2026-03-02": "0.00", "2026-03-03": "0.00" } })],
      [movement("A", "2026-03-03", { kind: "fee", balance: "-1.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.000000", return_gross_of_fees: null, return_gross_of_fees_and_taxes: null },
  },
  {
    name: "units of one date that move between accounts are one flow, also where their prices differ",
    question: "performance",
    // 10 × 20 leave at the start, 10 × 21 come at the end: 10 came in.
    facts: facts(
      [
        account("A", { values: { "2026-03-02": held("200.00", "200.00", "10"), "2026-03-03": "0.00" } }),
        account("B", { values: { "2026-03-02": "0.00", "2026-03-03": held("210.00", "210.00", "10") } }),
      ],
      [
        movement("A", "2026-03-03", { kind: "transfer_out", amount: "-10", holding_id: "X" }),
        movement("B", "2026-03-03", { kind: "transfer_in", amount: "10", holding_id: "X" }),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { flows: { in: "10.00", out: "0.00", count: 1 }, gain: "0.00", return: "0.000000" },
  },
  {
    name: "the first value is told also where it is of later",
    question: "performance",
    facts: facts([account("A", { values: { "2026-03-20": "100.00" } })]),
    asked: { from: "2026-03-03", to: "2026-03-05" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "no_opening_value", date: "2026-03-02", first_valuation: "2026-03-20" }],
    },
  },
  {
    name: "an account without a value does not decide the currency",
    question: "performance",
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" } }),
      account("B", { currency: "USD", values: { "2026-04-01": "1.00" } }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { currency: "EUR", return: "0.100000" },
  },
  {
    name: "a portfolio without a holding is worth zero of its currency",
    question: "history",
    facts: facts([account("A", { currency: "CHF", values: { "2026-03-02": [] } })]),
    asked: { from: "2026-03-02", to: "2026-03-02" },
    answer: { items: [{ date: "2026-03-02", totals: [{ currency: "CHF", balance: "0" }], complete: true }] },
  },
  {
    name: "the worst part of a portfolio is the one of which least is known",
    question: "history",
    facts: facts([
      depot("D", { values: { "2026-03-20": "1.00" } }),
      account("C", { is_cash: true, lists_securities: false, lists_cash: false, shown_as: "D", values: {} }),
    ]),
    asked: { from: "2026-03-02", to: "2026-03-02", include_coverage: true },
    answer: {
      items: [
        {
          coverage: {
            portfolios: 1,
            details: [{ portfolio_id: "D", state: "missing", since: null, reason: "no_data" }],
          },
        },
      ],
    },
  },
  {
    name: "gross income is known where only the fees are not told",
    question: "income",
    facts: facts(
      [account("A", { values: {} })],
      [movement("A", "2026-03-03", { kind: "dividend", balance: "15.00", taxes: "5.00" })],
    ),
    asked: { from: "2026-03-01", to: "2026-03-31", by: "month" },
    answer: { totals: [{ currency: "EUR", net: "15.00", taxes: "5.00", gross: "20.00", count: 1 }] },
  },
  {
    name: "what a stated balance and its rows differ by vanishes where accounts make it nothing",
    question: "summary",
    facts: facts([
      account("A", { values: { "2026-03-02": held("110.00", "100.00", "1") } }),
      account("B", { values: { "2026-03-02": held("90.00", "100.00", "1") } }),
    ]),
    asked: { date: "2026-03-02", by: "type" },
    answer: { items: [{ key: "S", totals: [{ currency: "EUR", balance: "200.00" }], share: "1.000000" }] },
  },
];

/** A stated balance and one holding. */
function held(balance: string, worth: string, amount: string) {
  return {
    balance,
    has_holdings: true,
    holdings_value: [{ amount: worth, currency: "EUR" }],
    holdings: [holding("X", { amount, balance: worth })],
  };
}
