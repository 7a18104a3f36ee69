import { account, cash, depot, facts, movement, rate, type WorkedCase } from "./build.js";

const year = { from: "2026-01-01", to: "2026-06-30" };
const accounts = [account("A", { values: { "2026-06-30": "100.00" } })];

/** What was earned, and what it cost. */
export const incomeCases: readonly WorkedCase[] = [
  {
    name: "the example of the income",
    question: "income",
    // 15 + 5 + 0 = 20.
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "dividend", balance: "15.00", taxes: "5.00", fees: "0.00" }),
    ]),
    asked: { ...year, by: "month" },
    answer: {
      items: [{ key: "2026-03", totals: [{ currency: "EUR", net: "15.00", taxes: "5.00", gross: "20.00", count: 1 }] }],
      totals: [{ currency: "EUR", net: "15.00", taxes: "5.00", gross: "20.00", count: 1 }],
      unvalued: 0,
    },
  },
  {
    name: "by operation date, first and last day among them",
    question: "income",
    // 1 + 2 = 3.
    facts: facts(accounts, [
      movement("A", "2025-12-31", { kind: "interest", balance: "100.00" }),
      movement("A", "2026-01-01", { kind: "interest", balance: "1.00" }),
      movement("A", "2026-06-30", { kind: "interest", balance: "2.00" }),
      movement("A", "2026-07-01", { kind: "interest", balance: "100.00" }),
    ]),
    asked: { ...year, by: "year" },
    answer: { items: [{ key: "2026", totals: [{ net: "3.00", count: 2 }] }] },
  },
  {
    name: "a gross amount that is told is taken",
    question: "income",
    // Told: 21, though 15 + 5 + 0.50 = 20.50.
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "dividend", balance: "15.00", taxes: "5.00", fees: "0.50", gross: "21.00" }),
    ]),
    asked: { ...year, by: "kind" },
    answer: { items: [{ key: "dividend", totals: [{ net: "15.00", taxes: "5.00", gross: "21.00" }] }] },
  },
  {
    name: "taxes and gross are unknown where one movement does not tell them",
    question: "income",
    // 15 + 7 = 22.
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "dividend", balance: "15.00", taxes: "5.00", fees: "0.00" }),
      movement("A", "2026-04-10", { kind: "dividend", balance: "7.00" }),
    ]),
    asked: { ...year, by: "kind" },
    answer: { totals: [{ net: "22.00", taxes: null, gross: null, count: 2 }] },
  },
  {
    name: "what is reversed is negative",
    question: "income",
    // 15 − 15 = 0; 5 − 5 = 0; 20 − 20 = 0.
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "dividend", balance: "15.00", taxes: "5.00", fees: "0.00" }),
      movement("A", "2026-03-11", { kind: "dividend", balance: "-15.00", taxes: "-5.00", fees: "0.00" }),
    ]),
    asked: { ...year, by: "month" },
    answer: { totals: [{ net: "0.00", taxes: "0.00", gross: "0.00", count: 2 }] },
  },
  {
    name: "what was reinvested is positive",
    question: "income",
    // |−20| = 20.
    facts: facts(accounts, [movement("A", "2026-03-10", { kind: "dividend", amount: "1", balance: "-20.00" })]),
    asked: { ...year, by: "month" },
    answer: { totals: [{ net: "20.00", count: 1 }] },
  },
  {
    name: "income without cash is told",
    question: "income",
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "dividend", amount: "1" }),
      movement("A", "2026-03-10", { kind: "coupon", balance: "3.00" }),
    ]),
    asked: { ...year, by: "kind" },
    answer: { items: [{ key: "coupon", totals: [{ net: "3.00", count: 1 }] }], unvalued: 1 },
  },
  {
    name: "fees and taxes are asked for by their kind",
    question: "income",
    // −4 + 1 = −3.
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "fee", balance: "-4.00" }),
      movement("A", "2026-03-10", { kind: "fee", balance: "1.00" }),
      movement("A", "2026-03-10", { kind: "tax", balance: "-2.00" }),
      movement("A", "2026-03-10", { kind: "dividend", balance: "15.00" }),
    ]),
    asked: { ...year, by: "kind", kind: ["fee", "tax"] },
    answer: {
      items: [
        { key: "fee", totals: [{ net: "-3.00", count: 2 }] },
        { key: "tax", totals: [{ net: "-2.00", count: 1 }] },
      ],
    },
  },
  {
    name: "by security: the ISIN, else the holding, none last",
    question: "income",
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "interest", balance: "1.00" }),
      movement("A", "2026-03-10", { kind: "dividend", balance: "2.00", holding_id: "X" }),
      movement("A", "2026-03-10", { kind: "dividend", balance: "3.00", holding_id: "Y", isin: "DE0001234567" }),
    ]),
    asked: { ...year, by: "security" },
    answer: {
      items: [
        { key: "DE0001234567", totals: [{ net: "3.00" }] },
        { key: "X", totals: [{ net: "2.00" }] },
        { key: null, totals: [{ net: "1.00" }] },
      ],
    },
  },
  {
    name: "a dividend of a cash account does not count where a depot tells such, its interest does",
    question: "income",
    // 15 + 1 = 16.
    facts: facts(
      [
        depot("D", { values: { "2026-06-30": "100.00" } }),
        cash("L", { values: { "2026-06-30": "100.00" }, shown_as: "D" }),
      ],
      [
        movement("D", "2026-03-10", { kind: "dividend", balance: "15.00" }),
        movement("L", "2026-03-10", { kind: "dividend", balance: "15.00" }),
        movement("L", "2026-03-10", { kind: "interest", balance: "1.00" }),
      ],
    ),
    asked: { ...year, by: "year" },
    answer: { totals: [{ net: "16.00", count: 2 }] },
  },
  {
    name: "a dividend of a cash account counts where no depot tells such",
    question: "income",
    facts: facts(
      [depot("D", { values: { "2026-06-30": "100.00" } }), cash("L", { values: { "2026-06-30": "100.00" } })],
      [movement("L", "2026-03-10", { kind: "dividend", balance: "15.00" })],
    ),
    asked: { ...year, by: "year" },
    answer: { totals: [{ net: "15.00", count: 1 }] },
  },
  {
    name: "income has the rate of its own day",
    question: "income",
    // 12 / 1.2 = 10; 12 / 1.5 = 8: 18.
    facts: facts(
      accounts,
      [
        movement("A", "2026-03-10", { kind: "dividend", balance: "12.00", currency: "USD" }),
        movement("A", "2026-04-10", { kind: "dividend", balance: "12.00", currency: "USD" }),
      ],
      [rate("2026-03-10", "EUR/USD", "1.2"), rate("2026-04-08", "EUR/USD", "1.5")],
    ),
    asked: { ...year, by: "month", currency: "EUR" },
    answer: {
      items: [
        { key: "2026-03", totals: [{ currency: "EUR", net: "10.00" }] },
        { key: "2026-04", totals: [{ currency: "EUR", net: "8.00" }] },
      ],
      totals: [{ currency: "EUR", net: "18.00" }],
    },
  },
  {
    name: "without a currency income is summed by its own",
    question: "income",
    facts: facts(accounts, [
      movement("A", "2026-03-10", { kind: "dividend", balance: "12.00", currency: "USD" }),
      movement("A", "2026-03-10", { kind: "dividend", balance: "1.5" }),
    ]),
    asked: { ...year, by: "month" },
    answer: {
      items: [
        {
          key: "2026-03",
          totals: [
            { currency: "EUR", net: "1.5" },
            { currency: "USD", net: "12.00" },
          ],
        },
      ],
    },
  },
];
