import { account, connection, facts, movement, type WorkedCase } from "./build.js";

/** Ten days from the opening of 2026-03-02; 2026-03-07 is half of them. */
const tenDays = { from: "2026-03-03", to: "2026-03-12", method: "mwr", stale_after: 400 };

/** The money-weighted return. */
export const moneyWeightedCases: readonly WorkedCase[] = [
  {
    name: "without flows the money-weighted return is the gain",
    question: "performance",
    // −1000 + 1100 / x = 0: x = 1.1.
    facts: facts([account("A", { values: { "2026-03-02": "1000.00", "2026-03-12": "1100.00" } })]),
    asked: tenDays,
    answer: { method: "mwr", return: "0.100000", annualised: null, gain: "100.00", estimated: [], entries: [] },
  },
  {
    name: "a flow at half of the time counts with the root",
    question: "performance",
    // −100 − 110 x^(−1/2) + 242 / x = 0: with x = 1.21, −100 − 100 + 200 = 0.
    facts: facts(
      [account("A", { values: { "2026-03-02": "100.00", "2026-03-12": "242.00" } })],
      [movement("A", "2026-03-07", { kind: "deposit", balance: "110.00" })],
    ),
    asked: tenDays,
    answer: { return: "0.210000", gain: "32.00", flows: { in: "110.00", out: "0.00", count: 1 } },
  },
  {
    name: "a portfolio that enters is paid for on its day",
    question: "performance",
    // As before, the 110 being a portfolio: B enters with 110 on 03-07. 121 + 121 = 242.
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-12": "121.00" } }),
      account("B", { values: { "2026-03-07": "110.00", "2026-03-12": "121.00" } }),
    ]),
    asked: tenDays,
    answer: {
      return: "0.210000",
      gain: "32.00",
      entries: [{ portfolio_id: "B", date: "2026-03-07", balance: "110.00" }],
    },
  },
  {
    name: "a flow from before the opening counts at the opening",
    question: "performance",
    // −100 − 100 + 220 / x = 0: x = 1.1, though the 100 came in on 02-27.
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-02": { balance: "100.00", read_at: "2026-03-02T10:00:00Z" },
            "2026-03-12": { balance: "220.00", read_at: "2026-03-12T10:00:00Z" },
          },
        }),
      ],
      [movement("A", "2026-02-27", { kind: "deposit", balance: "100.00", first_read_at: "2026-03-03T10:00:00Z" })],
    ),
    asked: tenDays,
    answer: { return: "0.100000", gain: "20.00" },
  },
  {
    name: "several roots are refused, and told",
    question: "performance",
    // With y = x^(1/2): −100 y² + 230 y − 132 = −100 (y − 1.1)(y − 1.2), so x = 1.21 or 1.44.
    facts: facts(
      [account("A", { values: { "2026-03-02": "100.00", "2026-03-12": "-132.00" } })],
      [movement("A", "2026-03-07", { kind: "withdrawal", balance: "-230.00" })],
    ),
    asked: { ...tenDays, allow_gaps: true },
    refused: {
      code: "INSUFFICIENT_DATA",
      details: [{ reason: "several_roots", returns: ["0.210000", "0.440000"] }],
    },
  },
  {
    name: "no root is refused",
    question: "performance",
    // −100 − 50 / x is never zero.
    facts: facts([account("A", { values: { "2026-03-02": "100.00", "2026-03-12": "-50.00" } })]),
    asked: { ...tenDays, allow_gaps: true },
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "no_root" }] },
  },
  {
    name: "a root beyond the range is none",
    question: "performance",
    // −1 + 2,000,000 / x: x = 2,000,000, more than 10^6.
    facts: facts([account("A", { values: { "2026-03-02": "1.00", "2026-03-12": "2000000.00" } })]),
    asked: tenDays,
    refused: { code: "INSUFFICIENT_DATA", details: [{ reason: "no_root" }] },
  },
  {
    name: "a root on a step of the search is found once",
    question: "performance",
    // −1 + 10 / x: x = 10 = 10^(100/100).
    facts: facts([account("A", { values: { "2026-03-02": "1.00", "2026-03-12": "10.00" } })]),
    asked: tenDays,
    answer: { return: "9.000000" },
  },
  {
    name: "nothing gained is a root on the step of 1",
    question: "performance",
    // −100 − 50 x^(−1/2) + 150 / x = 0 with x = 1; with y = x^(1/2), −100 y² − 50 y + 150 = −100 (y − 1)(y + 1.5).
    facts: facts(
      [account("A", { values: { "2026-03-02": "100.00", "2026-03-12": "150.00" } })],
      [movement("A", "2026-03-07", { kind: "deposit", balance: "50.00" })],
    ),
    asked: tenDays,
    answer: { return: "0.000000", gain: "0.00" },
  },
  {
    name: "two years of the money-weighted return are annualised",
    question: "performance",
    // 730 days: x = 1.44, 1.44^(1/2) = 1.2.
    facts: facts([account("A", { values: { "2024-03-02": "100.00", "2026-03-02": "144.00" } })]),
    asked: { from: "2024-03-03", to: "2026-03-02", method: "mwr" },
    answer: { return: "0.440000", annualised: "0.200000" },
  },
  {
    name: "the money-weighted return needs no value between",
    question: "performance",
    // A's value of 03-10 makes a day on which B is 8 days old; only opening and closing are used. 200 → 220: x = 1.1.
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00", "2026-03-10": "105.00", "2026-03-12": "110.00" } }),
      account("B", { values: { "2026-03-02": "100.00", "2026-03-12": "110.00" } }),
    ]),
    asked: { ...tenDays, stale_after: 7 },
    answer: { return: "0.100000" },
  },
  {
    name: "what moves between connections of a client vanishes too",
    question: "performance",
    // −200 + 220 / x = 0: x = 1.1.
    facts: {
      connections: [
        connection(
          "c1",
          [account("A", { values: { "2026-03-02": "100.00", "2026-03-07": "60.00", "2026-03-12": "66.00" } })],
          {
            movements: [movement("A", "2026-03-06", { kind: "transfer_out", balance: "-40.00" })],
          },
        ),
        connection(
          "c2",
          [account("B", { values: { "2026-03-02": "100.00", "2026-03-07": "140.00", "2026-03-12": "154.00" } })],
          {
            movements: [movement("B", "2026-03-06", { kind: "transfer_in", balance: "40.00" })],
          },
        ),
      ],
      rates: [],
    },
    asked: tenDays,
    answer: { return: "0.100000", flows: { in: "0.00", out: "0.00", count: 0 } },
  },
];
