import { account, cash, connection, facts, holding, rate, type WorkedCase } from "./build.js";

/** What things were worth on days, and how far that is known. */
export const dayCases: readonly WorkedCase[] = [
  {
    name: "the example of the history",
    question: "history",
    // 100 + 252 / 1.2 = 100 + 210 = 310.
    facts: facts(
      [
        account("A", { values: { "2026-03-03": "100.00" } }),
        account("B", { values: { "2026-03-03": "252.00" }, currency: "USD" }),
      ],
      [],
      [rate("2026-03-03", "EUR/USD", "1.2")],
    ),
    asked: { from: "2026-03-03", to: "2026-03-03", currency: "EUR" },
    answer: {
      items: [
        {
          date: "2026-03-03",
          totals: [{ currency: "EUR", balance: "310.00" }],
          complete: true,
          rates: [{ currency: "USD", rate: "0.8333333333", date: "2026-03-03", source: "rates.csv" }],
          coverage: { portfolios: 2, valued: 2, carried: 0, missing: 0 },
        },
      ],
    },
  },
  {
    name: "valued, carried for stale_after days, then missing",
    question: "history",
    facts: facts([account("A", { values: { "2026-03-02": "100.00" } })]),
    asked: { from: "2026-03-01", to: "2026-03-05", stale_after: 2, include_coverage: true },
    answer: {
      items: [
        {
          date: "2026-03-01",
          totals: [],
          complete: false,
          coverage: {
            missing: 1,
            details: [{ portfolio_id: "A", state: "missing", reason: "before_first_valuation" }],
          },
        },
        {
          date: "2026-03-02",
          totals: [{ currency: "EUR", balance: "100.00" }],
          complete: true,
          coverage: { valued: 1, details: [] },
        },
        { date: "2026-03-03", complete: true, coverage: { valued: 0, carried: 1 } },
        {
          date: "2026-03-04",
          totals: [{ currency: "EUR", balance: "100.00" }],
          complete: true,
          coverage: { carried: 1, details: [{ portfolio_id: "A", state: "carried", since: "2026-03-02" }] },
        },
        {
          date: "2026-03-05",
          totals: [],
          complete: false,
          coverage: {
            portfolios: 1,
            valued: 0,
            carried: 0,
            missing: 1,
            details: [{ portfolio_id: "A", state: "missing", since: "2026-03-02", reason: "stale" }],
          },
        },
      ],
    },
  },
  {
    name: "zero is carried without limit",
    question: "history",
    facts: facts([account("A", { values: { "2026-01-02": "0.00" } })]),
    asked: { from: "2026-03-01", to: "2026-03-01" },
    answer: { items: [{ totals: [{ currency: "EUR", balance: "0.00" }], complete: true, coverage: { carried: 1 } }] },
  },
  {
    name: "a sum without what is missing is marked",
    question: "history",
    facts: facts([
      account("A", { values: { "2026-03-02": "100.00" } }),
      account("B", { values: { "2026-02-01": "50.00" } }),
    ]),
    asked: { from: "2026-03-02", to: "2026-03-02" },
    answer: { items: [{ totals: [{ currency: "EUR", balance: "100.00" }], complete: false }] },
  },
  {
    name: "a value that is not known is as if nothing came",
    question: "history",
    // On 03-03 a holding has no balance: the 100 of 03-02 are carried.
    facts: facts([account("A", { values: { "2026-03-02": "100.00", "2026-03-03": [holding("X")] } })]),
    asked: { from: "2026-03-03", to: "2026-03-03" },
    answer: { items: [{ totals: [{ currency: "EUR", balance: "100.00" }], complete: true, coverage: { carried: 1 } }] },
  },
  {
    name: "the stated balance comes before the holdings, without one they count in their currencies",
    question: "history",
    // A: 100 stated. B: 30 EUR, 40 + 5 USD.
    facts: facts([
      account("A", { values: { "2026-03-02": { balance: "100.00", has_holdings: true, holdings_value: null } } }),
      account("B", {
        values: {
          "2026-03-02": [
            holding("X", { balance: "30.00" }),
            holding("Y", { balance: "40.00", currency: "USD" }),
            holding("Z", { balance: "5.00", currency: "USD" }),
          ],
        },
      }),
    ]),
    asked: { from: "2026-03-02", to: "2026-03-02" },
    answer: {
      items: [
        {
          totals: [
            { currency: "EUR", balance: "130.00" },
            { currency: "USD", balance: "45.00" },
          ],
        },
      ],
    },
  },
  {
    name: "weeks end on Sundays, and the last day is always there",
    question: "history",
    // 2026-03-01 and 2026-03-08 are Sundays.
    facts: facts([account("A", { values: { "2026-02-27": "1.00" } })]),
    asked: { from: "2026-03-01", to: "2026-03-10", interval: "week" },
    answer: { items: [{ date: "2026-03-01" }, { date: "2026-03-08" }, { date: "2026-03-10" }] },
  },
  {
    name: "months end on their last days",
    question: "history",
    facts: facts([account("A", { values: { "2024-01-02": "1.00" } })]),
    asked: { from: "2024-01-31", to: "2024-03-31", interval: "month" },
    answer: { items: [{ date: "2024-01-31" }, { date: "2024-02-29" }, { date: "2024-03-31" }] },
  },
  {
    name: "a day without a rate is refused, the others stand",
    question: "history",
    // 10 days after the rate there is none.
    facts: facts(
      [account("A", { values: { "2026-03-02": "0.50", "2026-03-12": "1.00" }, currency: "USD" })],
      [],
      [rate("2026-03-02", "USD/EUR", "1")],
    ),
    asked: { from: "2026-03-09", to: "2026-03-12", currency: "EUR" },
    answer: {
      items: [
        { date: "2026-03-09", totals: [{ currency: "EUR", balance: "0.50" }], complete: true },
        { date: "2026-03-10", totals: [], complete: false },
        { date: "2026-03-11", totals: [], complete: false },
        {
          date: "2026-03-12",
          totals: [],
          complete: false,
          refused: [{ reason: "rate_missing", from: "USD", to: "EUR", date: "2026-03-12" }],
        },
      ],
    },
  },
  {
    name: "a linked cash account is part of its depot, whose state is that of its worst part",
    question: "history",
    // 100 of that day, 50 of the day before.
    facts: facts([
      account("D", { values: { "2026-03-03": "100.00" } }),
      cash("L", { values: { "2026-03-02": "50.00" }, shown_as: "D" }),
    ]),
    asked: { from: "2026-03-03", to: "2026-03-03", include_coverage: true, portfolio_ids: ["D"] },
    answer: {
      items: [
        {
          totals: [{ currency: "EUR", balance: "150.00" }],
          coverage: {
            portfolios: 1,
            valued: 0,
            carried: 1,
            missing: 0,
            details: [{ portfolio_id: "D", state: "carried", since: "2026-03-02" }],
          },
        },
      ],
    },
  },
  {
    name: "a connection that never delivered is one missing portfolio; missing comes first, then the oldest",
    question: "history",
    facts: {
      connections: [
        connection("c1", [
          account("A", { values: { "2026-03-02": "1.00" } }),
          account("B", { values: { "2026-03-01": "1.00" } }),
          account("C", { values: { "2026-02-02": "1.00" } }),
        ]),
        connection("c2", []),
      ],
      rates: [],
    },
    asked: { from: "2026-03-03", to: "2026-03-03", include_coverage: true },
    answer: {
      items: [
        {
          coverage: {
            portfolios: 4,
            valued: 0,
            carried: 2,
            missing: 2,
            details: [
              { portfolio_id: null, state: "missing", reason: "no_data" },
              { portfolio_id: "C", state: "missing", since: "2026-02-02", reason: "stale" },
              { portfolio_id: "B", state: "carried", since: "2026-03-01" },
              { portfolio_id: "A", state: "carried", since: "2026-03-02" },
            ],
          },
        },
      ],
    },
  },
  {
    name: "the same account at the same bank twice is told, and counts twice",
    question: "history",
    // 100 + 100; C is of another currency.
    facts: {
      connections: [
        connection("c1", [account("A", { values: { "2026-03-02": "100.00" }, ref_account: "4711" })]),
        connection("c2", [
          account("B", { values: { "2026-03-02": "100.00" }, ref_account: "4711" }),
          account("C", { values: { "2026-03-02": "0.00" }, ref_account: "4711", currency: "USD" }),
        ]),
        connection("c3", [account("D", { values: { "2026-03-02": "0.00" }, ref_account: "4711" })], {
          connector_id: "heath",
        }),
      ],
      rates: [],
    },
    asked: { from: "2026-03-02", to: "2026-03-02", currency: "EUR" },
    answer: { items: [{ totals: [{ currency: "EUR", balance: "200.00" }] }], duplicates: [["A", "B"]] },
  },
  {
    name: "holdings of a day, as of the valuation that is carried",
    question: "holdingsAt",
    facts: facts([
      account("A", { values: { "2026-03-02": [holding("X", { amount: "10", balance: "1000.00" })] } }),
      account("B", { values: { "2026-02-02": [holding("Y", { balance: "7.00" })] } }),
    ]),
    asked: { date: "2026-03-03" },
    answer: {
      items: [{ id: "X", amount: "10", balance: "1000.00", currency: "EUR", portfolio_id: "A", as_of: "2026-03-02" }],
      coverage: { portfolios: 2, valued: 0, carried: 1, missing: 1 },
    },
  },
  {
    name: "holdings of a linked cash account are its depot's",
    question: "holdingsAt",
    facts: facts([
      account("D", { values: { "2026-03-02": [holding("X", { balance: "3.00" })] } }),
      cash("L", { values: { "2026-03-02": [holding("M", { balance: "2.00", type: "L" })] }, shown_as: "D" }),
    ]),
    asked: { date: "2026-03-02" },
    answer: {
      items: [
        { id: "X", portfolio_id: "D" },
        { id: "M", portfolio_id: "D" },
      ],
    },
  },
];
