import { account, facts, movement, rate, type WorkedCase } from "./build.js";

const onDay = { from: "2026-03-09", to: "2026-03-09" };

/** What 100 dollars of 2026-03-09 are worth in francs that day, by `rates`. */
function dollarsInFrancs(...rates: readonly ReturnType<typeof rate>[]) {
  return facts([account("A", { values: { "2026-03-09": "100.00" }, currency: "USD" })], [], rates);
}

const inFrancs = { ...onDay, currency: "CHF" };

function worth(balance: string, used: readonly object[]) {
  return {
    items: [{ date: "2026-03-09", totals: [{ currency: "CHF", balance }], complete: true, rates: used }],
  };
}

/** How rates are formed, and what is rounded. */
export const currencyCases: readonly WorkedCase[] = [
  {
    name: "a rate directly, with ten significant digits",
    question: "history",
    // 100 · 0.8 = 80.
    facts: dollarsInFrancs(rate("2026-03-09", "USD/CHF", "0.8")),
    asked: inFrancs,
    answer: worth("80.00", [{ currency: "USD", rate: "0.8000000000", date: "2026-03-09", source: "rates.csv" }]),
  },
  {
    name: "a rate inverted",
    question: "history",
    // 100 / 1.2 = 83.333…
    facts: dollarsInFrancs(rate("2026-03-09", "CHF/USD", "1.2")),
    asked: inFrancs,
    answer: worth("83.33", [{ currency: "USD", rate: "0.8333333333", date: "2026-03-09", source: "rates.csv" }]),
  },
  {
    name: "directly comes before inverted, and both before the euro",
    question: "history",
    // 100 · 0.9 = 90.
    facts: dollarsInFrancs(
      rate("2026-03-09", "CHF/USD", "2"),
      rate("2026-03-09", "EUR/USD", "2"),
      rate("2026-03-09", "EUR/CHF", "1"),
      rate("2026-03-09", "USD/CHF", "0.9"),
    ),
    asked: inFrancs,
    answer: worth("90.00", [{ currency: "USD", rate: "0.9000000000" }]),
  },
  {
    name: "a rate through the euro, reckoned with its exact legs",
    question: "history",
    // 100 / 1.1 · 0.99 = 90 exactly; 0.99 / 1.1 = 0.9.
    facts: dollarsInFrancs(rate("2026-03-09", "EUR/USD", "1.1"), rate("2026-03-09", "EUR/CHF", "0.99")),
    asked: inFrancs,
    answer: worth("90.00", [{ currency: "USD", rate: "0.9000000000", date: "2026-03-09" }]),
  },
  {
    name: "the euro comes before other codes, and those in order",
    question: "history",
    // Through the euro: 100 / 2 · 1 = 50. Through AUD it would be 100 · 1 · 3.
    facts: dollarsInFrancs(
      rate("2026-03-09", "USD/AUD", "1"),
      rate("2026-03-09", "AUD/CHF", "3"),
      rate("2026-03-09", "EUR/USD", "2"),
      rate("2026-03-09", "EUR/CHF", "1"),
    ),
    asked: inFrancs,
    answer: worth("50.00", [{ rate: "0.5000000000" }]),
  },
  {
    name: "through another code, the first in order",
    question: "history",
    // Through GBP: 100 · 0.75 · 1.12 = 84. Through NOK it would be 100 · 10 · 0.09 = 90.
    facts: dollarsInFrancs(
      rate("2026-03-09", "USD/NOK", "10"),
      rate("2026-03-09", "NOK/CHF", "0.09"),
      rate("2026-03-09", "USD/GBP", "0.75"),
      rate("2026-03-09", "GBP/CHF", "1.12"),
    ),
    asked: inFrancs,
    answer: worth("84.00", [{ rate: "0.8400000000" }]),
  },
  {
    name: "the latest day on which the pair can be formed comes before the way",
    question: "history",
    // On 03-06 through the euro: 100 / 1.25 · 1 = 80. The direct rate is a day older.
    facts: dollarsInFrancs(
      rate("2026-03-05", "USD/CHF", "0.7"),
      rate("2026-03-06", "EUR/USD", "1.25"),
      rate("2026-03-06", "EUR/CHF", "1"),
    ),
    asked: inFrancs,
    answer: worth("80.00", [{ rate: "0.8000000000", date: "2026-03-06" }]),
  },
  {
    name: "both legs are of one day",
    question: "history",
    // Of 03-06 there is one leg only. On 03-05: 100 / 1 · 0.9 = 90.
    facts: dollarsInFrancs(
      rate("2026-03-06", "EUR/USD", "1.25"),
      rate("2026-03-05", "EUR/USD", "1"),
      rate("2026-03-05", "EUR/CHF", "0.9"),
    ),
    asked: inFrancs,
    answer: worth("90.00", [{ rate: "0.9000000000", date: "2026-03-05" }]),
  },
  {
    name: "a rate that is seven days old will do",
    question: "history",
    // 100 · 0.8 = 80.
    facts: dollarsInFrancs(rate("2026-03-02", "USD/CHF", "0.8")),
    asked: inFrancs,
    answer: worth("80.00", [{ rate: "0.8000000000", date: "2026-03-02" }]),
  },
  {
    name: "a rate that is eight days old, or of a later day, is none",
    question: "history",
    facts: dollarsInFrancs(rate("2026-03-01", "USD/CHF", "0.8"), rate("2026-03-10", "USD/CHF", "0.8")),
    asked: inFrancs,
    answer: {
      items: [
        {
          date: "2026-03-09",
          totals: [],
          complete: false,
          refused: [{ reason: "rate_missing", from: "USD", to: "CHF", date: "2026-03-09" }],
        },
      ],
    },
  },
  {
    name: "zero needs no rate",
    question: "history",
    facts: facts([
      account("A", { values: { "2026-03-09": "0.00" }, currency: "USD" }),
      account("B", { values: { "2026-03-09": "5.00" }, currency: "CHF" }),
    ]),
    asked: inFrancs,
    answer: worth("5.00", []),
  },
  {
    name: "a sum is rounded once",
    question: "history",
    // 0.10 / 3 twice is 0.0666…: 0.07. Each rounded would make 0.03 + 0.03 = 0.06.
    facts: facts(
      [
        account("A", { values: { "2026-03-09": "0.10" }, currency: "USD" }),
        account("B", { values: { "2026-03-09": "0.10" }, currency: "USD" }),
      ],
      [],
      [rate("2026-03-09", "CHF/USD", "3")],
    ),
    asked: inFrancs,
    answer: worth("0.07", [{ rate: "0.3333333333" }]),
  },
  {
    name: "yen have no decimals, and halves go to the even one",
    question: "history",
    // 2.5 → 2.
    facts: facts([account("A", { values: { "2026-03-09": "2.50" }, currency: "JPY" })]),
    asked: { ...onDay, currency: "JPY" },
    answer: { items: [{ totals: [{ currency: "JPY", balance: "2" }] }] },
  },
  {
    name: "yen: the other half",
    question: "history",
    // 3.5 → 4.
    facts: facts([account("A", { values: { "2026-03-09": "3.50" }, currency: "JPY" })]),
    asked: { ...onDay, currency: "JPY" },
    answer: { items: [{ totals: [{ currency: "JPY", balance: "4" }] }] },
  },
  {
    name: "dinars of Bahrain have three decimals",
    question: "history",
    // 1.2345 → 1.234.
    facts: facts([account("A", { values: { "2026-03-09": "1.2345" }, currency: "BHD" })]),
    asked: { ...onDay, currency: "BHD" },
    answer: { items: [{ totals: [{ currency: "BHD", balance: "1.234" }] }] },
  },
  {
    name: "a negative half goes to the even one too",
    question: "history",
    // −0.125 → −0.12; −0.005 would be 0.00 without a sign.
    facts: facts([account("A", { values: { "2026-03-09": "-0.125" } })]),
    asked: { ...onDay, currency: "EUR" },
    answer: { items: [{ totals: [{ currency: "EUR", balance: "-0.12" }] }] },
  },
  {
    name: "what rounds to zero has no sign",
    question: "history",
    // −0.005 → 0.00.
    facts: facts([account("A", { values: { "2026-03-09": "-0.005" } })]),
    asked: { ...onDay, currency: "EUR" },
    answer: { items: [{ totals: [{ currency: "EUR", balance: "0.00" }] }] },
  },
  {
    name: "without a currency amounts are as stated, sums with the largest scale",
    question: "history",
    // 1.5 + 2.125 = 3.625.
    facts: facts([
      account("A", { values: { "2026-03-09": "1.5" } }),
      account("B", { values: { "2026-03-09": "2.125" } }),
      account("C", { values: { "2026-03-09": "7" }, currency: "CHF" }),
    ]),
    asked: onDay,
    answer: {
      items: [
        {
          totals: [
            { currency: "CHF", balance: "7" },
            { currency: "EUR", balance: "3.625" },
          ],
          rates: [],
        },
      ],
    },
  },
  {
    name: "what currencies do is earned",
    question: "performance",
    // 1000 / 1.25 = 800; 1000 / 1.2 = 833.333…; 1.25 / 1.2 = 1.0416666…
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "1000.00" }, currency: "USD" })],
      [],
      [rate("2026-03-02", "EUR/USD", "1.25"), rate("2026-03-03", "EUR/USD", "1.2")],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03", currency: "EUR" },
    answer: {
      currency: "EUR",
      return: "0.041667",
      gain: "33.33",
      opening: { date: "2026-03-02", balance: "800.00" },
      closing: { date: "2026-03-03", balance: "833.33" },
    },
  },
  {
    name: "the period closes with the rate of its last day, also where no account is valued then",
    question: "performance",
    // 1000 / 1.25 = 800; on 03-04 1000 / 1 = 1000: 1.25.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "1000.00" }, currency: "USD" })],
      [],
      [rate("2026-03-02", "EUR/USD", "1.25"), rate("2026-03-03", "EUR/USD", "1.2"), rate("2026-03-04", "EUR/USD", "1")],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04", currency: "EUR" },
    answer: { return: "0.250000", closing: { date: "2026-03-04", balance: "1000.00" } },
  },
  {
    name: "movements have the rate of their own date",
    question: "performance",
    // The 100 dollars of 03-03 are 80 euros (1.25), though they count on 03-04, when the 200 dollars are 200 euros (1). 200 − 80 − 80 = 40. In since
    // Tuesday of Tuesday and Wednesday: w = 1. 40 on 160 = 0.25.
    facts: facts(
      [account("A", { values: { "2026-03-02": "100.00", "2026-03-04": "200.00" }, currency: "USD" })],
      [movement("A", "2026-03-03", { kind: "deposit", balance: "100.00", currency: "USD" })],
      [
        rate("2026-03-02", "EUR/USD", "1.25"),
        rate("2026-03-03", "EUR/USD", "1.25"),
        rate("2026-03-04", "EUR/USD", "1"),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04", currency: "EUR" },
    answer: { return: "0.250000", gain: "40.00", flows: { in: "80.00", out: "0.00", count: 1 } },
  },
  {
    name: "a missing rate is refused also where gaps are allowed",
    question: "performance",
    facts: facts([account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "100.00" }, currency: "USD" })]),
    asked: { from: "2026-03-03", to: "2026-03-03", currency: "EUR", allow_gaps: true },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [
        { reason: "rate_missing", from: "USD", to: "EUR", date: "2026-03-02" },
        { reason: "rate_missing", from: "USD", to: "EUR", date: "2026-03-03" },
      ],
    },
  },
];
