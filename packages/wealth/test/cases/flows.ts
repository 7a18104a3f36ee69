import { account, cash, connection, depot, facts, holding, movement, type WorkedCase } from "./build.js";

const day = { from: "2026-03-03", to: "2026-03-03" };

/** One account that was worth one amount and then another, with a movement on the second day. */
function over(make: typeof account, values: readonly [string, string], kind: string | null, parts: object) {
  const [before, after] = values;
  return facts(
    [make("A", { values: { "2026-03-02": before, "2026-03-03": after } })],
    [movement("A", "2026-03-03", { kind, ...parts })],
  );
}

/** Which movements are flows, by the type of their account. */
export const flowCases: readonly WorkedCase[] = [
  {
    name: "cash inside: trades and income are inside, fees and taxes cost",
    question: "performance",
    // 1015 − 10 = 1005: 5 on 1000. Without the fee 15; without the tax of the dividend 20.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "1005.00" } })],
      [
        movement("A", "2026-03-03", { kind: "dividend", balance: "15.00", taxes: "5.00" }),
        movement("A", "2026-03-03", { kind: "fee", balance: "-10.00" }),
        movement("A", "2026-03-03", { kind: "buy", amount: "2", balance: "-200.00", fees: "3.00" }),
      ],
    ),
    asked: day,
    answer: {
      return: "0.005000",
      return_gross_of_fees: "0.015000",
      return_gross_of_fees_and_taxes: "0.020000",
      flows: { in: "0.00", out: "0.00", count: 0 },
    },
  },
  {
    name: "cash inside: a tax is added back with the fees, what is refunded is taken off",
    question: "performance",
    // 990: −10 on 1000. The fee of 4 less 1 refunded: −7. The tax of 7: 0.
    facts: facts(
      [account("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "990.00" } })],
      [
        movement("A", "2026-03-03", { kind: "fee", balance: "-4.00" }),
        movement("A", "2026-03-03", { kind: "fee", balance: "1.00", id: "refund" }),
        movement("A", "2026-03-03", { kind: "tax", balance: "-7.00" }),
      ],
    ),
    asked: day,
    answer: {
      return: "-0.010000",
      return_gross_of_fees: "-0.007000",
      return_gross_of_fees_and_taxes: "0.000000",
    },
  },
  {
    name: "cash inside: `other` with cash is unclear",
    question: "performance",
    facts: over(account, ["1000.00", "1100.00"], "other", { balance: "100.00" }),
    asked: day,
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [
        { reason: "movement_unclear", portfolio_id: "A", transaction_id: "A 2026-03-03 other", date: "2026-03-03" },
      ],
    },
  },
  {
    name: "cash inside: with gaps what is unclear is no flow",
    question: "performance",
    // 100 on 1000.
    facts: over(account, ["1000.00", "1100.00"], "other", { balance: "100.00" }),
    asked: { ...day, allow_gaps: true },
    answer: {
      return: "0.100000",
      gaps: [
        { reason: "movement_unclear", portfolio_id: "A", transaction_id: "A 2026-03-03 other", date: "2026-03-03" },
      ],
    },
  },
  {
    name: "what has neither cash nor units is not unclear",
    question: "performance",
    // 100 on 1000.
    facts: over(account, ["1000.00", "1100.00"], "other", { balance: "0.00", amount: null }),
    asked: day,
    answer: { return: "0.100000", gaps: [] },
  },
  {
    name: "cash account: interest is no flow",
    question: "performance",
    // 1 on 1000.
    facts: over(cash, ["1000.00", "1001.00"], "interest", { balance: "1.00" }),
    asked: day,
    answer: { return: "0.001000", flows: { in: "0.00", out: "0.00", count: 0 } },
  },
  {
    name: "cash account: a purchase is a flow out",
    question: "performance",
    // 800 − 1000 + 200 = 0.
    facts: over(cash, ["1000.00", "800.00"], "buy", { balance: "-200.00", amount: "2" }),
    asked: day,
    answer: { return: "0.000000", flows: { in: "0.00", out: "-200.00", count: 1 } },
  },
  {
    name: "cash account: a dividend that no depot tells is earned",
    question: "performance",
    // 15 on 1000.
    facts: over(cash, ["1000.00", "1015.00"], "dividend", { balance: "15.00" }),
    asked: day,
    answer: { return: "0.015000" },
  },
  {
    name: "cash account: a dividend that a depot of the connection tells comes in from there",
    question: "performance",
    // Cash alone: 1015 − 1000 − 15 = 0.
    facts: dividendOfTwo(),
    asked: { ...day, portfolio_ids: ["L"] },
    answer: { return: "0.000000", flows: { in: "15.00", out: "0.00", count: 1 } },
  },
  {
    name: "depot without cash: a dividend goes out",
    question: "performance",
    // The depot alone: 985 − 1000 + 15 = 0.
    facts: dividendOfTwo(),
    asked: { ...day, portfolio_ids: ["D"] },
    answer: { return: "0.000000", flows: { in: "0.00", out: "-15.00", count: 1 } },
  },
  {
    name: "depot and cash account: the dividend moves within",
    question: "performance",
    // 985 + 1015 − 2000 = 0. The tax of 5 that the depot tells is added back once: 5 on 2000.
    facts: dividendOfTwo(),
    asked: day,
    answer: {
      return: "0.000000",
      return_gross_of_fees: "0.000000",
      return_gross_of_fees_and_taxes: "0.002500",
      flows: { in: "0.00", out: "0.00", count: 0 },
    },
  },
  {
    name: "cash account: no kind is a flow where the connection has cash accounts only",
    question: "performance",
    // 1200 − 1000 − 200 = 0.
    facts: over(cash, ["1000.00", "1200.00"], null, { balance: "200.00" }),
    asked: day,
    answer: { return: "0.000000", flows: { in: "200.00", out: "0.00", count: 1 } },
  },
  {
    name: "cash account: no kind is unclear beside a depot",
    question: "performance",
    facts: besideDepot("L", { balance: "200.00" }),
    asked: { ...day, portfolio_ids: ["L"] },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "movement_unclear", portfolio_id: "L", transaction_id: "unclear", date: "2026-03-03" }],
    },
  },
  {
    name: "cash account: with gaps what is unclear is a flow",
    question: "performance",
    // 1200 − 1000 − 200 = 0.
    facts: besideDepot("L", { balance: "200.00" }),
    asked: { ...day, portfolio_ids: ["L"], allow_gaps: true },
    answer: {
      return: "0.000000",
      flows: { in: "200.00", out: "0.00", count: 1 },
      gaps: [{ reason: "movement_unclear", portfolio_id: "L", transaction_id: "unclear", date: "2026-03-03" }],
    },
  },
  {
    name: "depot without cash and its cash account: a purchase moves within",
    question: "performance",
    // +1000 − 1000 = 0. 6060 + 1000 − 7000 = 60 on 7000 = 0.00857142…
    facts: facts(
      [
        depot("D", { values: { "2026-03-02": "5000.00", "2026-03-03": "6060.00" } }),
        cash("L", { values: { "2026-03-02": "2000.00", "2026-03-03": "1000.00" }, shown_as: "D" }),
      ],
      [
        movement("D", "2026-03-03", { kind: "buy", amount: "10", balance: "-1000.00" }),
        movement("L", "2026-03-03", { kind: "buy", balance: "-1000.00" }),
      ],
    ),
    asked: day,
    answer: { return: "0.008571", gain: "60.00", flows: { in: "0.00", out: "0.00", count: 0 } },
  },
  {
    name: "depot without cash: a sale goes out at the end",
    question: "performance",
    // 510 − 1000 + 500 = 10 on 1000.
    facts: over(depot, ["1000.00", "510.00"], "sell", { amount: "-5", balance: "500.00" }),
    asked: day,
    answer: { return: "0.010000", flows: { in: "0.00", out: "-500.00", count: 1 } },
  },
  {
    name: "depot without cash: what is redeemed goes out, a split moves nothing",
    question: "performance",
    // 102 − 1000 + 900 = 2 on 1000.
    facts: facts(
      [depot("A", { values: { "2026-03-02": "1000.00", "2026-03-03": "102.00" } })],
      [
        movement("A", "2026-03-03", { kind: "redemption", amount: "-9", balance: "900.00" }),
        movement("A", "2026-03-03", { kind: "split", amount: "7" }),
      ],
    ),
    asked: day,
    answer: { return: "0.002000", flows: { in: "0.00", out: "-900.00", count: 1 } },
  },
  {
    name: "depot without cash: a fee is no flow",
    question: "performance",
    // 10 on 1000.
    facts: over(depot, ["1000.00", "1010.00"], "fee", { balance: "-5.00" }),
    asked: day,
    answer: { return: "0.010000", flows: { in: "0.00", out: "0.00", count: 0 } },
  },
  {
    name: "depot without cash: a deposit is unclear",
    question: "performance",
    facts: over(depot, ["1000.00", "1010.00"], "deposit", { balance: "5.00" }),
    asked: day,
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "movement_unclear" }] },
  },
  {
    name: "depot without cash: income that was reinvested is none",
    question: "performance",
    // 20 on 1000.
    facts: over(depot, ["1000.00", "1020.00"], "dividend", { amount: "1", balance: "-20.00" }),
    asked: day,
    answer: { return: "0.020000", flows: { in: "0.00", out: "0.00", count: 0 } },
  },
  {
    name: "units that come in with a value count with it, whatever its sign",
    question: "performance",
    // +1000 at the start: 2020 − 1000 − 1000 = 20 on 2000.
    facts: over(account, ["1000.00", "2020.00"], "transfer_in", { amount: "10", balance: "-1000.00" }),
    asked: day,
    answer: { return: "0.010000", flows: { in: "1000.00", out: "0.00", count: 1 } },
  },
  {
    name: "units that go out with a value are negative",
    question: "performance",
    // −500 at the end: 505 − 1000 + 500 = 5 on 1000.
    facts: over(depot, ["1000.00", "505.00"], "transfer_out", { amount: "-5", balance: "500.00" }),
    asked: day,
    answer: { return: "0.005000", flows: { in: "0.00", out: "-500.00", count: 1 } },
  },
  {
    name: "units without a value have that of the day they count on, at its end",
    question: "performance",
    // 3060 / 30 = 102; 10 · 102 = 1020 at the end. 3060 − 2000 − 1020 = 40 on 2000 = 0.02; at the start it would be 40 on 3020.
    facts: unitsMoved("10", {
      "2026-03-02": [holding("X", { amount: "20", balance: "2000.00" })],
      "2026-03-03": [holding("X", { amount: "30", balance: "3060.00" })],
    }),
    asked: day,
    answer: { return: "0.020000", gain: "40.00", flows: { in: "1020.00", out: "0.00", count: 1 } },
  },
  {
    name: "units that are gone have the value of the last day before, at the start",
    question: "performance",
    // 2000 / 20 = 100; −20 · 100 = −2000 at the start. 1010 − 3000 + 2000 = 10 on 3000 − 2000 = 0.01; at the end it would be 10 on 3000.
    facts: unitsMoved("-20", {
      "2026-03-02": [holding("X", { amount: "20", balance: "2000.00" }), holding("Y", { balance: "1000.00" })],
      "2026-03-03": [holding("Y", { balance: "1010.00" })],
    }),
    asked: day,
    answer: { return: "0.010000", gain: "10.00", flows: { in: "0.00", out: "-2000.00", count: 1 } },
  },
  {
    name: "a value per unit that is older than stale_after is unknown",
    question: "performance",
    // X was last seen on 03-02, eight days before 03-10. Y was seen on both days.
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-02": [holding("X", { amount: "20", balance: "2000.00" }), holding("Y", { balance: "1000.00" })],
            "2026-03-10": [holding("Y", { balance: "1010.00" })],
          },
        }),
      ],
      [movement("A", "2026-03-10", { kind: "transfer_out", amount: "-20", holding_id: "X" })],
    ),
    asked: { from: "2026-03-03", to: "2026-03-10" },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [
        {
          reason: "flow_value_unknown",
          portfolio_id: "A",
          transaction_id: "A 2026-03-10 transfer_out",
          date: "2026-03-10",
        },
      ],
    },
  },
  {
    name: "with gaps units of unknown value are left out",
    question: "performance",
    // 1010 − 1000 = 10 on 1000.
    facts: unitsMoved("-20", { "2026-03-02": "1000.00", "2026-03-03": "1010.00" }),
    asked: { ...day, allow_gaps: true },
    answer: {
      return: "0.010000",
      gaps: [
        {
          reason: "flow_value_unknown",
          portfolio_id: "A",
          transaction_id: "A 2026-03-03 transfer_out",
          date: "2026-03-03",
        },
      ],
    },
  },
];

function dividendOfTwo() {
  return facts(
    [
      depot("D", { values: { "2026-03-02": "1000.00", "2026-03-03": "985.00" } }),
      cash("L", { values: { "2026-03-02": "1000.00", "2026-03-03": "1015.00" } }),
    ],
    [
      movement("D", "2026-03-03", { kind: "dividend", balance: "15.00", taxes: "5.00" }),
      movement("L", "2026-03-03", { kind: "dividend", balance: "15.00", taxes: "5.00" }),
    ],
  );
}

function besideDepot(portfolioId: string, parts: object) {
  const accounts = [
    depot("D", { values: { "2026-03-02": "1000.00", "2026-03-03": "1000.00" } }),
    cash("L", { values: { "2026-03-02": "1000.00", "2026-03-03": "1200.00" } }),
  ];
  const movements = [movement(portfolioId, "2026-03-03", { id: "unclear", ...parts })];
  return { connections: [connection("c1", accounts, { movements })], rates: [] };
}

function unitsMoved(amount: string, values: Parameters<typeof account>[1]["values"]) {
  const kind = amount.startsWith("-") ? "transfer_out" : "transfer_in";
  return facts([account("A", { values })], [movement("A", "2026-03-03", { kind, amount, holding_id: "X" })]);
}
