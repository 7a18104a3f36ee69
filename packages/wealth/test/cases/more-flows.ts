import { account, cash, connection, depot, facts, holding, movement, type WorkedCase } from "./build.js";

const day = { from: "2026-03-03", to: "2026-03-03" };
const noFlows = { in: "0.00", out: "0.00", count: 0 };

/** Flows that are seldom: reversals, late and linked ones, and where two rules meet. */
export const moreFlowCases: readonly WorkedCase[] = [
  {
    name: "a deposit that is reversed goes out",
    question: "performance",
    // 900 − 1000 + 100 = 0.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "900.00" } })],
      [movement("A", "2026-03-03", { kind: "deposit", balance: "-100.00" })],
    ),
    asked: day,
    answer: { return: "0.000000", flows: { in: "0.00", out: "-100.00", count: 1 } },
  },
  {
    name: "cash inside: a movement of no kind is as unclear as another one",
    question: "performance",
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "1100.00" } })],
      [movement("A", "2026-03-03", { kind: null, balance: "100.00" })],
    ),
    asked: day,
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "movement_unclear", portfolio_id: "A" }] },
  },
  {
    name: "an account that lists neither securities nor cash has its cash inside",
    question: "performance",
    // A purchase is inside: 10 on 1000.
    facts: facts(
      [
        account("A", {
          values: { "2026-03-02": "1000.00", "2026-03-03": "1010.00" },
          lists_securities: false,
          lists_cash: false,
        }),
      ],
      [movement("A", "2026-03-03", { kind: "buy", amount: "1", balance: "-100.00" })],
    ),
    asked: day,
    answer: { return: "0.010000", flows: noFlows },
  },
  {
    name: "cash account: fees and taxes cost, and are added back",
    question: "performance",
    // 990 − 1000 = −10 on 1000. Without the fee of 4: −6; without the tax of 6: 0.
    facts: facts(
      [cash("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "990.00" } })],
      [
        movement("A", "2026-03-03", { kind: "fee", balance: "-4.00" }),
        movement("A", "2026-03-03", { kind: "tax", balance: "-6.00" }),
      ],
    ),
    asked: day,
    answer: {
      return: "-0.010000",
      return_gross_of_fees: "-0.006000",
      return_gross_of_fees_and_taxes: "0.000000",
      flows: noFlows,
    },
  },
  {
    name: "cash account: a transfer of cash is a flow",
    question: "performance",
    // 1210 − 1000 − 100 = 110 on 1100 = 0.1.
    facts: facts(
      [cash("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "1210.00" } })],
      [movement("A", "2026-03-03", { kind: "transfer_in", balance: "100.00" })],
    ),
    asked: day,
    answer: { return: "0.100000", flows: { in: "100.00", out: "0.00", count: 1 } },
  },
  {
    name: "depot without cash: interest and coupons go out",
    question: "performance",
    // 970 − 1000 + 10 + 20 = 0.
    facts: facts(
      [depot("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "970.00" } })],
      [
        movement("A", "2026-03-03", { kind: "interest", balance: "10.00" }),
        movement("A", "2026-03-03", { kind: "coupon", balance: "20.00" }),
      ],
    ),
    asked: day,
    answer: { return: "0.000000", flows: { in: "0.00", out: "-30.00", count: 1 } },
  },
  {
    name: "depot without cash: a dividend that is reversed comes in",
    question: "performance",
    // 1015 − 1000 − 15 = 0. Without units it was not reinvested.
    facts: facts(
      [depot("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "1015.00" } })],
      [movement("A", "2026-03-03", { kind: "dividend", balance: "-15.00" })],
    ),
    asked: day,
    answer: { return: "0.000000", flows: { in: "15.00", out: "0.00", count: 1 } },
  },
  {
    name: "depot without cash: the cash of a merger goes out",
    question: "performance",
    // 900 − 1000 + 100 = 0.
    facts: facts(
      [depot("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "900.00" } })],
      [movement("A", "2026-03-03", { kind: "merger", amount: "-1", balance: "100.00" })],
    ),
    asked: day,
    answer: { return: "0.000000", flows: { in: "0.00", out: "-100.00", count: 1 } },
  },
  {
    name: "a value from a file holds what a provider read later",
    question: "performance",
    // 1515 − 1000 − 500 = 15 on 1500.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "1515.00" } })],
      [movement("A", "2026-03-03", { kind: "deposit", balance: "500.00", first_read_at: "2026-03-05T08:00:00Z" })],
    ),
    asked: day,
    answer: { return: "0.010000", flows: { in: "500.00", out: "0.00", count: 1 } },
  },
  {
    name: "a movement from a file is held by the first value at or after it, whenever that was read",
    question: "performance",
    // 1515 − 1000 − 500 = 15 on 1500.
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-02": "1000.00",
            "2026-03-03": { balance: "1515.00", read_at: "2026-03-03T06:00:00Z" },
          },
        }),
      ],
      [movement("A", "2026-03-03", { kind: "deposit", balance: "500.00" })],
    ),
    asked: day,
    answer: { return: "0.010000" },
  },
  {
    name: "a value that is not known holds no movement",
    question: "performance",
    // 03-03 is as if nothing came, so the deposit counts on 03-04: in since Tuesday of Tuesday and Wednesday. 1515 − 1000 − 500 = 15 on 1500.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": [holding("X")], "2026-03-04": "1515.00" } })],
      [movement("A", "2026-03-03", { kind: "deposit", balance: "500.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: { return: "0.010000", estimated: [] },
  },
  {
    name: "units that are valued at the end of the day they count on weigh nothing in a longer part",
    question: "performance",
    // 3060 / 30 = 102: 1020 at the end of 03-09, whatever the date. 3060 − 2000 − 1020 = 40 on 2000. Nothing is estimated.
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-02": [holding("X", { amount: "20", balance: "2000.00" })],
            "2026-03-09": [holding("X", { amount: "30", balance: "3060.00" })],
          },
        }),
      ],
      [movement("A", "2026-03-05", { kind: "transfer_in", amount: "10", holding_id: "X" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-09" },
    answer: { return: "0.020000", flows: { in: "1020.00", out: "0.00", count: 1 }, estimated: [] },
  },
  {
    name: "a depot and its cash account that begin on one day are one portfolio that enters",
    question: "performance",
    // 03-03: 100 + 60 + 40 − 100 − 100 (entry) = 0. 03-04: 220 − 200 = 20 on 200.
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "100.00", "2026-03-04": "110.00" } }),
      depot("D", { values: { "2026-03-03": "60.00", "2026-03-04": "70.00" } }),
      cash("L", { values: { "2026-03-03": "40.00", "2026-03-04": "40.00" }, shown_as: "D" }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-04" },
    answer: {
      return: "0.100000",
      gain: "20.00",
      entries: [{ portfolio_id: "D", date: "2026-03-03", balance: "100.00" }],
    },
  },
  {
    name: "a portfolio that begins after the period is none of it",
    question: "performance",
    // 10 on 100.
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "110.00" } }),
      account("B", { values: { "2026-03-04": "50.00" } }),
    ]),
    asked: day,
    answer: {
      return: "0.100000",
      entries: [],
      gaps: [],
      coverage: {
        portfolios: 2,
        valued: 1,
        missing: 1,
        details: [{ portfolio_id: "B", reason: "before_first_valuation" }],
      },
    },
  },
  {
    name: "what one connection of a client gives to another does not leave the client",
    question: "performance",
    // A gives 40, B has begun on that day with them: 60 + 40 − 100 + 40 (out) − 40 (entry) = 0.
    facts: {
      connections: [
        connection("c1", [account("A", { values: { "2026-03-02": "100.00", "2026-03-03": "60.00" } })], {
          movements: [movement("A", "2026-03-03", { kind: "transfer_out", balance: "-40.00" })],
        }),
        connection("c2", [account("B", { values: { "2026-03-03": "40.00" } })], {
          movements: [movement("B", "2026-03-03", { kind: "transfer_in", balance: "40.00" })],
        }),
      ],
      rates: [],
    },
    asked: day,
    answer: {
      return: "0.000000",
      gain: "0.00",
      flows: { in: "0.00", out: "-40.00", count: 1 },
      entries: [{ portfolio_id: "B", date: "2026-03-03", balance: "40.00" }],
    },
  },
  {
    name: "opened with gaps, the money-weighted return counts from the first value",
    question: "performance",
    // Opened on 03-07: −100 − 110 x^(−2/4) + 242 / x = 0 with x = 1.21; of ten days the deposit would be at another τ.
    facts: facts(
      [account("A", { values: { "2026-03-07": "100.00", "2026-03-11": "242.00" } })],
      [movement("A", "2026-03-09", { kind: "deposit", balance: "110.00" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-11", method: "mwr", allow_gaps: true },
    answer: { return: "0.210000", opening: { date: "2026-03-07", balance: "100.00" } },
  },
];
