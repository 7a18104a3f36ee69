import { account, facts, movement, type WorkedCase } from "./build.js";

/** 2026-03-02 is a Monday. */
const week = { from: "2026-03-03", to: "2026-03-05" };

/** The time-weighted return: flows within parts, entries, bases. */
export const timeWeightedCases: readonly WorkedCase[] = [
  {
    name: "the example of the specification",
    question: "performance",
    // 03-03: 1010/1000 = 1.01. 03-04: 500 come in at the start, 1525.10 − 1010 − 500 = 15.10 on 1510 = 1.01. 03-05: 1.
    // 1.01 · 1.01 = 1.0201. Gain 1525.10 − 1000 − 500 = 25.10.
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-02": "1000.00",
            "2026-03-03": "1010.00",
            "2026-03-04": "1525.10",
            "2026-03-05": "1525.10",
          },
        }),
      ],
      [movement("A", "2026-03-04", { kind: "deposit", balance: "500.00" })],
    ),
    asked: week,
    answer: {
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
    },
  },
  {
    name: "money in counts from the start of its day",
    question: "performance",
    // 220 − 100 − 100 = 20 on 100 + 100 = 200: 0.1. At the end of the day it would be 20 on 100.
    facts: facts(
      [account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "220.00" } })],
      [movement("A", "2026-03-03", { kind: "deposit", balance: "100.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.100000", gain: "20.00" },
  },
  {
    name: "money out counts from the end of its day",
    question: "performance",
    // 165 − 200 + 55 = 20 on 200: 0.1. At the start of the day it would be 20 on 145.
    facts: facts(
      [account("A", { values: { "2026-03-02": "200.00", "2026-03-03": "165.00" } })],
      [movement("A", "2026-03-03", { kind: "withdrawal", balance: "-55.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.100000", gain: "20.00", flows: { in: "0.00", out: "-55.00", count: 1 } },
  },
  {
    name: "in and out of one date and account are netted",
    question: "performance",
    // +80 − 30 = +50 at the start: 165 − 100 − 50 = 15 on 150: 0.1.
    facts: facts(
      [account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "165.00" } })],
      [
        movement("A", "2026-03-03", { kind: "deposit", balance: "80.00" }),
        movement("A", "2026-03-03", { kind: "withdrawal", balance: "-30.00" }),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.100000", flows: { in: "50.00", out: "0.00", count: 1 } },
  },
  {
    name: "what moves within a client vanishes",
    question: "performance",
    // −40 + 40 = 0. 210 − 200 = 10 on 200: 0.05.
    facts: facts(
      [
        account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "60.00" } }),
        account("B", { values: { "2026-03-02": "100.00", "2026-03-03": "150.00" } }),
      ],
      [
        movement("A", "2026-03-03", { kind: "transfer_out", balance: "-40.00" }),
        movement("B", "2026-03-03", { kind: "transfer_in", balance: "40.00" }),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.050000", gain: "10.00", flows: { in: "0.00", out: "0.00", count: 0 } },
  },
  {
    name: "of one of the accounts it is a flow",
    question: "performance",
    // 60 − 100 + 40 = 0.
    facts: facts(
      [
        account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "60.00" } }),
        account("B", { values: { "2026-03-02": "100.00", "2026-03-03": "150.00" } }),
      ],
      [
        movement("A", "2026-03-03", { kind: "transfer_out", balance: "-40.00" }),
        movement("B", "2026-03-03", { kind: "transfer_in", balance: "40.00" }),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03", portfolio_ids: ["A"] },
    answer: { return: "0.000000", gain: "0.00", flows: { in: "0.00", out: "-40.00", count: 1 } },
  },
  {
    name: "flows of two dates are not netted",
    question: "performance",
    // 03-03: 160 − 200 + 40 = 0. 03-04: 200 − 160 − 40 = 0.
    facts: facts(
      [
        account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "60.00", "2026-03-04": "60.00" } }),
        account("B", { values: { "2026-03-02": "100.00", "2026-03-03": "100.00", "2026-03-04": "140.00" } }),
      ],
      [
        movement("A", "2026-03-03", { kind: "withdrawal", balance: "-40.00" }),
        movement("B", "2026-03-04", { kind: "deposit", balance: "40.00" }),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: { return: "0.000000", flows: { in: "40.00", out: "-40.00", count: 2 } },
  },
  {
    name: "flows of one date that count on two days are not netted",
    question: "performance",
    // A is valued on 03-03 and 03-04, B on 03-04 only. 03-03: 60 + 100 (carried) − 200 + 40 = 0. 03-04: 200 − 160 − 40 = 0; a return of 0 all the same.
    facts: facts(
      [
        account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "60.00", "2026-03-04": "60.00" } }),
        account("B", { values: { "2026-03-02": "100.00", "2026-03-04": "140.00" } }),
      ],
      [
        movement("A", "2026-03-03", { kind: "transfer_out", balance: "-40.00" }),
        movement("B", "2026-03-03", { kind: "transfer_in", balance: "40.00" }),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: { return: "0.000000", flows: { in: "40.00", out: "-40.00", count: 2 } },
  },
  {
    name: "a portfolio first valued in the period enters at the end of that day",
    question: "performance",
    // 03-03: 100 + 50 − 100 − 50 (entry) = 0. 03-04: 110 + 55 − 150 = 15 on 150: 0.1.
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "100.00", "2026-03-04": "110.00" } }),
      account("B", { values: { "2026-03-03": "50.00", "2026-03-04": "55.00" } }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: {
      return: "0.100000",
      gain: "15.00",
      entries: [{ portfolio_id: "B", date: "2026-03-03", balance: "50.00" }],
      flows: { in: "0.00", out: "0.00", count: 0 },
    },
  },
  {
    name: "what made the value that a portfolio enters with is no flow beside it",
    question: "performance",
    // As before: the deposit of B is within its 50.
    facts: facts(
      [
        account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "100.00", "2026-03-04": "110.00" } }),
        account("B", { values: { "2026-03-03": "50.00", "2026-03-04": "55.00" } }),
      ],
      [movement("B", "2026-03-03", { kind: "deposit", balance: "50.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: { return: "0.100000", gain: "15.00", flows: { in: "0.00", out: "0.00", count: 0 } },
  },
  {
    name: "without a value before it a part begins at its first flow's date",
    question: "performance",
    // From Thursday 03-05: Thursday and Friday. 1000 on Thursday: w = 1. 500 on Friday: w = 1/2. 1512.50 − 1500 = 12.50 on 1000 + 250: 0.01.
    facts: facts(
      [account("A", { values: { "2026-03-02": "0.00", "2026-03-06": "1512.50" } })],
      [
        movement("A", "2026-03-05", { kind: "deposit", balance: "1000.00" }),
        movement("A", "2026-03-06", { kind: "deposit", balance: "500.00" }),
      ],
    ),
    asked: { from: "2026-03-03", to: "2026-03-06" },
    answer: {
      return: "0.010000",
      estimated: [{ from: "2026-03-05", to: "2026-03-06", flows: "500.00", large: true }],
    },
  },
  {
    name: "a gain on a base of nothing is undefined",
    question: "performance",
    // 10 − 0 = 10 on 0.
    facts: facts([account("A", { values: { "2026-03-02": "0.00", "2026-03-03": "10.00" } })]),
    asked: { from: "2026-03-03", to: "2026-03-03", allow_gaps: true },
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "return_undefined", date: "2026-03-03" }] },
  },
  {
    name: "a gain on a base of less than nothing is undefined",
    question: "performance",
    // −90 + 100 = 10 on −100.
    facts: facts([account("A", { values: { "2026-03-02": "-100.00", "2026-03-03": "-90.00" } })]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "return_undefined", date: "2026-03-03" }] },
  },
  {
    name: "no gain is a factor of 1, on whatever base",
    question: "performance",
    // 0 on 0; 0 on −100; then −100 + 100 in − 0 = 0.
    facts: facts(
      [account("A", { values: { "2026-03-02": "0.00", "2026-03-03": "-100.00", "2026-03-04": "-100.00" } })],
      [movement("A", "2026-03-03", { kind: "withdrawal", balance: "-100.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: { return: "0.000000", gain: "0.00" },
  },
  {
    name: "Modified Dietz over weekdays: money in from its date on",
    question: "performance",
    // 03-03 … 03-09: Tue, Wed, Thu, Fri, Mon. From Thursday on: 3 of 5. 30 on 1000 + 300 = 0.0230769…
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-09": "1530.00" } })],
      [movement("A", "2026-03-05", { kind: "deposit", balance: "500.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-09" },
    answer: {
      return: "0.023077",
      estimated: [{ from: "2026-03-03", to: "2026-03-09", flows: "500.00", large: true }],
    },
  },
  {
    name: "Modified Dietz over weekdays: money out after its date; a tenth of the value is not large",
    question: "performance",
    // After Thursday: Fri, Mon: 2 of 5. 909.60 − 1000 + 100 = 9.60 on 1000 − 40 = 960: 0.01.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-09": "909.60" } })],
      [movement("A", "2026-03-05", { kind: "withdrawal", balance: "-100.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-09" },
    answer: {
      return: "0.010000",
      estimated: [{ from: "2026-03-03", to: "2026-03-09", flows: "100.00", large: false }],
    },
  },
  {
    name: "a part of a weekend is counted in calendar days",
    question: "performance",
    // Sat 03-07 and Sun 03-08: from Sunday on 1 of 2. 1060 − 950 − 100 = 10 on 950 + 50: 0.01.
    facts: facts(
      [account("A", { values: { "2026-03-06": "950.00", "2026-03-08": "1060.00" } })],
      [movement("A", "2026-03-08", { kind: "deposit", balance: "100.00" })],
    ),
    asked: { from: "2026-03-07", to: "2026-03-08" },
    answer: {
      return: "0.010000",
      estimated: [{ from: "2026-03-07", to: "2026-03-08", flows: "100.00", large: true }],
    },
  },
  {
    name: "on a weekend within a longer part money in has the Monday",
    question: "performance",
    // 03-07 … 03-09: Monday alone. From Saturday on: 1 of 1. 1111 − 1000 − 100 = 11 on 1100: 0.01. Nothing is estimated.
    facts: facts(
      [account("A", { values: { "2026-03-06": "1000.00", "2026-03-09": "1111.00" } })],
      [movement("A", "2026-03-07", { kind: "deposit", balance: "100.00" })],
    ),
    asked: { from: "2026-03-07", to: "2026-03-09" },
    answer: { return: "0.010000", estimated: [] },
  },
  {
    name: "a movement that a value did not hold yet counts on the next one",
    question: "performance",
    // Read after the value of 03-03, so in that of 03-04: 1515 − 1000 − 500 = 15 on 1000 + 500 (since before the part): 0.01.
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-02": { balance: "1000.00", read_at: "2026-03-02T18:00:00Z" },
            "2026-03-03": { balance: "1000.00", read_at: "2026-03-03T18:00:00Z" },
            "2026-03-04": { balance: "1515.00", read_at: "2026-03-04T18:00:00Z" },
          },
        }),
      ],
      [movement("A", "2026-03-03", { kind: "deposit", balance: "500.00", first_read_at: "2026-03-04T18:00:00Z" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: { return: "0.010000", gain: "15.00", flows: { in: "500.00", out: "0.00", count: 1 } },
  },
  {
    name: "a movement before the period that its first value holds is a flow of the period",
    question: "performance",
    // 909 − 1000 + 100 = 9 on 1000 − 100, for it was out all the time: 0.01.
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-02": { balance: "1000.00", read_at: "2026-03-02T10:00:00Z" },
            "2026-03-03": { balance: "909.00", read_at: "2026-03-03T18:00:00Z" },
          },
        }),
      ],
      [movement("A", "2026-03-02", { kind: "withdrawal", balance: "-100.00", first_read_at: "2026-03-03T09:00:00Z" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.010000", gain: "9.00" },
  },
  {
    name: "a movement that no value up to the end holds is no flow",
    question: "performance",
    // The last value is of 03-04, the deposit of 03-05: 1000 − 1000 = 0.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-04": "1000.00", "2026-03-06": "1500.00" } })],
      [movement("A", "2026-03-05", { kind: "deposit", balance: "500.00" })],
    ),
    asked: week,
    answer: {
      return: "0.000000",
      closing: { date: "2026-03-05", balance: "1000.00" },
      flows: { in: "0.00", out: "0.00", count: 0 },
    },
  },
  {
    name: "parts are linked over the days of any account, the others are carried",
    question: "performance",
    // 03-03: 110 + 100 − 200 = 10 on 200: 1.05. 03-04: 110 + 121 − 210 = 21 on 210: 1.1. 1.05 · 1.1 = 1.155.
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" } }),
      account("B", { values: { "2026-03-02": "100.00", "2026-03-04": "121.00" } }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: { return: "0.155000", gain: "31.00", closing: { date: "2026-03-04", balance: "231.00" } },
  },
  {
    name: "a return is rounded half even",
    question: "performance",
    // 1 on 2,000,000 = 0.0000005, between 0 and 1 millionth: the even one is 0.
    facts: facts([account("A", { values: { "2026-03-02": "2000000", "2026-03-03": "2000001" } })]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.000000", gain: "1.00" },
  },
  {
    name: "a return is rounded half even, upwards to an even digit",
    question: "performance",
    // 3 on 2,000,000 = 0.0000015, between 1 and 2 millionths: the even one is 2.
    facts: facts([account("A", { values: { "2026-03-02": "2000000", "2026-03-03": "2000003" } })]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { return: "0.000002", gain: "3.00" },
  },
  {
    name: "over 365 days the annualised return is the return",
    question: "performance",
    // 2025-03-02 … 2026-03-02: 365 days.
    facts: facts([account("A", { values: { "2025-03-02": "1000.00", "2026-03-02": "1100.00" } })]),
    asked: { from: "2025-03-03", to: "2026-03-02" },
    answer: { return: "0.100000", annualised: "0.100000" },
  },
  {
    name: "over two years the annualised return is the root",
    question: "performance",
    // 730 days: 1.21^(1/2) = 1.1.
    facts: facts([account("A", { values: { "2024-03-02": "1000.00", "2026-03-02": "1210.00" } })]),
    asked: { from: "2024-03-03", to: "2026-03-02" },
    answer: { return: "0.210000", annualised: "0.100000" },
  },
  {
    name: "under 365 days nothing is annualised",
    question: "performance",
    // 364 days.
    facts: facts([account("A", { values: { "2025-03-03": "1000.00", "2026-03-02": "1100.00" } })]),
    asked: { from: "2025-03-04", to: "2026-03-02" },
    answer: { return: "0.100000", annualised: null },
  },
  {
    name: "all is lost",
    question: "performance",
    // −1000 on 1000 = −1; 0^1 = 0.
    facts: facts([account("A", { values: { "2025-03-02": "1000.00", "2026-03-02": "0.00" } })]),
    asked: { from: "2025-03-03", to: "2026-03-02" },
    answer: { return: "-1.000000", annualised: "-1.000000" },
  },
];
