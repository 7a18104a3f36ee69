import { account, connection, facts, holding, movement, type WorkedCase } from "./build.js";

/** What a performance is refused for, and what it is in spite of that. */
export const refusalCases: readonly WorkedCase[] = [
  {
    name: "a value that is too old on a day of another account",
    question: "performance",
    // On 03-10 B is 8 days old.
    facts: twoAccounts({ "2026-03-02": "100.00", "2026-03-16": "110.00" }),
    asked: { from: "2026-03-03", to: "2026-03-16" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "stale", portfolio_id: "B", from: "2026-03-02", to: "2026-03-16" }],
    },
  },
  {
    name: "a value that is too old at the end",
    question: "performance",
    facts: twoAccounts({ "2026-03-02": "100.00" }),
    asked: { from: "2026-03-03", to: "2026-03-16" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "stale", portfolio_id: "B", from: "2026-03-02", to: "2026-03-16" }],
    },
  },
  {
    name: "with gaps a value is carried without limit",
    question: "performance",
    // 03-09: 110 + 100 − 200 = 10 on 200: 1.05. 03-10: 0. 03-16: 110 + 110 − 210 = 10 on 210: 22/21. 1.05 · 22/21 = 1.1.
    facts: twoAccounts({ "2026-03-02": "100.00", "2026-03-16": "110.00" }),
    asked: { from: "2026-03-03", to: "2026-03-16", allow_gaps: true },
    answer: {
      return: "0.100000",
      gaps: [{ reason: "stale", portfolio_id: "B", from: "2026-03-02", to: "2026-03-16" }],
    },
  },
  {
    name: "stale_after says how old a value may be",
    question: "performance",
    facts: twoAccounts({ "2026-03-02": "100.00", "2026-03-16": "110.00" }),
    asked: { from: "2026-03-03", to: "2026-03-16", stale_after: 8 },
    answer: { return: "0.100000", gaps: [] },
  },
  {
    name: "one account that is valued seldom is not too old on its own days",
    question: "performance",
    // 10 on 100: no day between is used.
    facts: facts([account("B", { values: { "2026-03-02": "100.00", "2026-03-16": "110.00" } })]),
    asked: { from: "2026-03-03", to: "2026-03-16" },
    answer: { return: "0.100000", gaps: [] },
  },
  {
    name: "zero is carried without limit",
    question: "performance",
    // 03-09: 10 on 100.
    facts: twoAccounts({ "2026-03-02": "0.00" }),
    asked: { from: "2026-03-03", to: "2026-03-16" },
    answer: { return: "0.100000", gaps: [] },
  },
  {
    name: "a connection that never delivered",
    question: "performance",
    facts: {
      connections: [
        connection("c1", [account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" } })]),
        connection("c2", []),
      ],
      rates: [],
    },
    asked: { from: "2026-03-03", to: "2026-03-03" },
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "no_data" }] },
  },
  {
    name: "an account whose value was never known",
    question: "performance",
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" } }),
      account("B", { values: { "2026-03-02": [holding("X")] } }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "value_unknown", portfolio_id: "B" }] },
  },
  {
    name: "with gaps an account whose value is unknown is left out",
    question: "performance",
    // 10 on 100.
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" } }),
      account("B", { values: { "2026-03-02": [holding("X")] } }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-03", allow_gaps: true },
    answer: { return: "0.100000", gaps: [{ reason: "value_unknown", portfolio_id: "B" }] },
  },
  {
    name: "no value to open with",
    question: "performance",
    facts: facts([account("A", { values: { "2026-03-04": "100.00", "2026-03-05": "110.00" } })]),
    asked: { from: "2026-03-03", to: "2026-03-05" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "no_opening_value", date: "2026-03-02", first_valuation: "2026-03-04" }],
    },
  },
  {
    name: "with gaps the period opens at the first value",
    question: "performance",
    // 10 on 100; what opens does not enter.
    facts: facts([account("A", { values: { "2026-03-04": "100.00", "2026-03-05": "110.00" } })]),
    asked: { from: "2026-03-03", to: "2026-03-05", allow_gaps: true },
    answer: {
      from: "2026-03-03",
      opening: { date: "2026-03-04", balance: "100.00" },
      return: "0.100000",
      entries: [],
      gaps: [{ reason: "no_opening_value", date: "2026-03-02", first_valuation: "2026-03-04" }],
    },
  },
  {
    name: "units that do not follow from the movements, where the later statement is of the period",
    question: "performance",
    facts: withDifferences(),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [
        {
          reason: "difference",
          portfolio_id: "A",
          name: "Fern",
          isin: null,
          from: "2026-03-02",
          to: "2026-03-04",
          difference: "5",
        },
      ],
    },
  },
  {
    name: "a difference that ended before the period is none of it",
    question: "performance",
    // 5 on 100.
    facts: withDifferences(),
    asked: { from: "2026-03-05", to: "2026-03-05" },
    answer: { return: "0.050000" },
  },
  {
    name: "values that are newer than the last movements",
    question: "performance",
    facts: {
      connections: [
        connection("c1", [account("A", { values: { "2026-03-02": "100.00", "2026-03-05": "110.00" } })], {
          movements_until: "2026-03-04",
        }),
      ],
      rates: [],
    },
    asked: { from: "2026-03-03", to: "2026-03-05" },
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "movements_unread", credentials_token: "c1" }] },
  },
  {
    name: "movements that were read up to the last value",
    question: "performance",
    // 10 on 100.
    facts: {
      connections: [
        connection("c1", [account("A", { values: { "2026-03-02": "100.00", "2026-03-05": "110.00" } })], {
          movements_until: "2026-03-05",
        }),
      ],
      rates: [],
    },
    asked: { from: "2026-03-03", to: "2026-03-06" },
    answer: { return: "0.100000" },
  },
  {
    name: "all that is missing is told in one order",
    question: "performance",
    facts: {
      connections: [
        connection(
          "c1",
          [
            account("A", { values: { "2026-03-02": "100.00", "2026-03-16": "110.00" } }),
            account("B", { values: { "2026-03-02": "100.00" } }),
            account("C", { values: { "2026-03-02": [holding("X")] } }),
          ],
          {
            movements: [
              movement("A", "2026-03-16", { id: "units", kind: "transfer_in", amount: "1" }),
              movement("A", "2026-03-16", { id: "unclear", kind: "other", balance: "1.00" }),
            ],
            movements_until: null,
            differences: [
              { portfolio_id: "A", name: "Fern", isin: null, from: "2026-03-02", to: "2026-03-16", difference: "-1" },
            ],
          },
        ),
        connection("c2", []),
      ],
      rates: [],
    },
    asked: { from: "2026-03-03", to: "2026-03-16" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [
        { reason: "stale", portfolio_id: "B" },
        { reason: "no_data" },
        { reason: "value_unknown", portfolio_id: "C" },
        { reason: "difference", portfolio_id: "A" },
        { reason: "movements_unread", credentials_token: "c1" },
        { reason: "movement_unclear", transaction_id: "unclear" },
        { reason: "flow_value_unknown", transaction_id: "units" },
      ],
    },
  },
  {
    name: "several currencies and none asked for",
    question: "performance",
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" } }),
      account("B", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" }, currency: "USD" }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    refused: { code: "VALIDATION_ERROR" },
  },
  {
    name: "one currency need not be asked for, and has its digits",
    question: "performance",
    // 1000 yen to 1005.5: 5.5 on 1000; 1005.5 is halfway, the even one is 1006; 5.5 is halfway, the even one is 6.
    facts: facts([account("A", { values: { "2026-03-02": "1000", "2026-03-03": "1005.5" }, currency: "JPY" })]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: {
      currency: "JPY",
      return: "0.005500",
      opening: { date: "2026-03-02", balance: "1000" },
      closing: { date: "2026-03-03", balance: "1006" },
      gain: "6",
      flows: { in: "0", out: "0", count: 0 },
    },
  },
  {
    name: "a period cannot end later than today",
    question: "performance",
    facts: facts([]),
    asked: { from: "2026-03-03", to: "2026-12-01" },
    refused: { code: "VALIDATION_ERROR" },
  },
  {
    name: "a portfolio that there is not",
    question: "performance",
    facts: facts([]),
    asked: { from: "2026-03-03", to: "2026-03-03", portfolio_ids: ["nowhere"] },
    refused: { code: "NOT_FOUND" },
  },
];

/** A is valued on Mondays and on 03-10, B as it is told. */
function twoAccounts(values: Readonly<Record<string, string>>) {
  return facts([
    account("A", {
      values: { "2026-03-02": "100.00", "2026-03-09": "110.00", "2026-03-10": "110.00", "2026-03-16": "110.00" },
    }),
    account("B", { values }),
  ]);
}

function withDifferences() {
  const values = { "2026-03-02": "100.00", "2026-03-04": "100.00", "2026-03-05": "105.00" };
  return {
    connections: [
      connection("c1", [account("A", { values })], {
        differences: [
          { portfolio_id: "A", name: "Fern", isin: null, from: "2026-02-27", to: "2026-03-02", difference: "3" },
          { portfolio_id: "A", name: "Fern", isin: null, from: "2026-03-02", to: "2026-03-04", difference: "5" },
        ],
      }),
    ],
    rates: [],
  };
}
