import { account, cash, connection, facts, holding, rate, type WorkedCase } from "./build.js";

const onDay = { date: "2026-03-03" };

function part(key: string | null, balance: string, share: string | null, currency = "EUR") {
  return { key, totals: [{ currency, balance }], share };
}

/** What a value is made of, and what it has gained. */
export const partCases: readonly WorkedCase[] = [
  {
    name: "the example of the summary",
    question: "summary",
    // 252 / 1.2 = 210; 210 / 310 = 0.67741935…, 100 / 310 = 0.32258064…
    facts: facts(
      [
        account("A", {
          values: {
            "2026-03-03": [holding("X", { balance: "100.00" }), holding("Y", { balance: "252.00", currency: "USD" })],
          },
        }),
      ],
      [],
      [rate("2026-03-03", "EUR/USD", "1.2")],
    ),
    asked: { ...onDay, by: "currency", currency: "EUR" },
    answer: {
      date: "2026-03-03",
      totals: [{ currency: "EUR", balance: "310.00" }],
      complete: true,
      items: [part("EUR", "100.00", "0.322581"), part("USD", "210.00", "0.677419")],
    },
  },
  {
    name: "what a stated balance has beyond its rows is unallocated",
    question: "summary",
    // 100 − 60 − 30 = 10.
    facts: facts([
      stated("100.00", [holding("X", { balance: "60.00" }), holding("M", { balance: "30.00", type: "L" })]),
    ]),
    asked: { ...onDay, by: "type" },
    answer: {
      totals: [{ currency: "EUR", balance: "100.00" }],
      items: [part("L", "30.00", "0.300000"), part("S", "60.00", "0.600000"), part("unallocated", "10.00", "0.100000")],
    },
  },
  {
    name: "rows that are worth more than the stated balance",
    question: "summary",
    // 100 − 160 = −60.
    facts: facts([stated("100.00", [holding("X", { balance: "160.00" })])]),
    asked: { ...onDay, by: "type" },
    answer: { items: [part("S", "160.00", "1.600000"), part("unallocated", "-60.00", "-0.600000")] },
  },
  {
    name: "a balance alone is unallocated, a holding without a value too",
    question: "summary",
    // 50 + (100 − 60) = 90.
    facts: facts([
      account("A", { values: { "2026-03-03": "50.00" } }),
      { ...stated("100.00", [holding("X", { balance: "60.00" }), holding("Y")]), portfolio_id: "B", shown_as: "B" },
    ]),
    asked: { ...onDay, by: "security" },
    answer: { items: [part("X", "60.00", "0.400000"), part("unallocated", "90.00", "0.600000")] },
  },
  {
    name: "without a currency all of a portfolio whose rows are in other currencies is unallocated",
    question: "summary",
    facts: facts([
      stated("100.00", [holding("X", { balance: "60.00" }), holding("Y", { balance: "50.00", currency: "USD" })]),
    ]),
    asked: { ...onDay, by: "type" },
    answer: { totals: [{ currency: "EUR", balance: "100.00" }], items: [part("unallocated", "100.00", "1.000000")] },
  },
  {
    name: "with a currency its rows are converted",
    question: "summary",
    // 50 / 1.25 = 40: 60 + 40 = 100, nothing beyond.
    facts: facts(
      [stated("100.00", [holding("X", { balance: "60.00" }), holding("Y", { balance: "50.00", currency: "USD" })])],
      [],
      [rate("2026-03-03", "EUR/USD", "1.25")],
    ),
    asked: { ...onDay, by: "security", currency: "EUR" },
    answer: {
      items: [part("X", "60.00", "0.600000"), part("Y", "40.00", "0.400000")],
      rates: [{ currency: "USD", rate: "0.8000000000", date: "2026-03-03", source: "rates.csv" }],
    },
  },
  {
    name: "a notional is no part of the value",
    question: "summary",
    // 100 is the stated balance, the future's 5000 no value: 100 − 40 = 60 are unallocated.
    facts: facts([
      stated("100.00", [
        holding("X", { balance: "40.00" }),
        holding("F", { balance: "5000.00", is_notional: true, type: "D" }),
      ]),
    ]),
    asked: { ...onDay, by: "type" },
    answer: { items: [part("S", "40.00", "0.400000"), part("unallocated", "60.00", "0.600000")] },
  },
  {
    name: "without one currency there is no share",
    question: "summary",
    facts: facts([
      account("A", {
        values: {
          "2026-03-03": [holding("X", { balance: "60.00" }), holding("Y", { balance: "50.00", currency: "USD" })],
        },
      }),
    ]),
    asked: { ...onDay, by: "type" },
    answer: {
      items: [
        {
          key: "S",
          totals: [
            { currency: "EUR", balance: "60.00" },
            { currency: "USD", balance: "50.00" },
          ],
          share: null,
        },
      ],
    },
  },
  {
    name: "a total of nothing or less has no share",
    question: "summary",
    // 60 − 70 = −10.
    facts: facts([
      account("A", {
        values: { "2026-03-03": [holding("X", { balance: "60.00" }), holding("M", { balance: "-70.00", type: "L" })] },
      }),
    ]),
    asked: { ...onDay, by: "type" },
    answer: {
      totals: [{ currency: "EUR", balance: "-10.00" }],
      items: [part("L", "-70.00", null), part("S", "60.00", null)],
    },
  },
  {
    name: "by client, in order of the key, none last",
    question: "summary",
    // 100 / 400, 200 / 400, 100 / 400.
    facts: threeConnections(),
    asked: { ...onDay, by: "client" },
    answer: {
      items: [part("A-1", "100.00", "0.250000"), part("B-2", "100.00", "0.250000"), part(null, "200.00", "0.500000")],
    },
  },
  {
    name: "by bank",
    question: "summary",
    // 100 + 200 = 300 of 400.
    facts: threeConnections(),
    asked: { ...onDay, by: "bank" },
    answer: { items: [part("fern", "300.00", "0.750000"), part("heath", "100.00", "0.250000")] },
  },
  {
    name: "by security: the same ISIN at two banks is one",
    question: "summary",
    // 60 + 40 = 100; Y has no ISIN.
    facts: facts([
      account("A", { values: { "2026-03-03": [holding("X", { isin: "DE0001234567", balance: "60.00" })] } }),
      account("B", {
        values: {
          "2026-03-03": [holding("Z", { isin: "DE0001234567", balance: "40.00" }), holding("Y", { balance: "100.00" })],
        },
      }),
    ]),
    asked: { ...onDay, by: "security" },
    answer: { items: [part("DE0001234567", "100.00", "0.500000"), part("Y", "100.00", "0.500000")] },
  },
  {
    name: "shares round each by itself",
    question: "summary",
    // 1/3 three times is 0.999999.
    facts: facts([
      account("A", {
        values: {
          "2026-03-03": [
            holding("X", { balance: "1.00" }),
            holding("Y", { balance: "1.00" }),
            holding("Z", { balance: "1.00" }),
          ],
        },
      }),
    ]),
    asked: { ...onDay, by: "security" },
    answer: { items: [part("X", "1.00", "0.333333"), part("Y", "1.00", "0.333333"), part("Z", "1.00", "0.333333")] },
  },
  {
    name: "the example of the gains",
    question: "gains",
    // 110 − 100 = 10; 10 / 100 = 0.1. B of 70 has no cost.
    facts: facts([
      account("A", {
        values: {
          "2026-03-03": [
            holding("X", { name: "A", balance: "110.00", cost: "100.00" }),
            holding("Y", { name: "B", balance: "70.00" }),
            holding("M", { balance: "1000.00", cost: "1000.00", type: "L" }),
          ],
        },
      }),
    ]),
    asked: onDay,
    answer: {
      date: "2026-03-03",
      items: [
        {
          id: "X",
          name: "A",
          isin: null,
          portfolio_id: "A",
          currency: "EUR",
          balance: "110.00",
          cost: "100.00",
          gain: "10.00",
          gain_share: "0.100000",
        },
        { id: "Y", balance: "70.00", cost: null, gain: null, gain_share: null },
      ],
      totals: [
        {
          currency: "EUR",
          balance: "110.00",
          cost: "100.00",
          gain: "10.00",
          holdings: 1,
          balance_without_cost: "70.00",
          holdings_without_cost: 1,
        },
      ],
    },
  },
  {
    name: "what was sold short gains as it falls: the share is of the size of the cost",
    question: "gains",
    // −110 − (−100) = −10; −10 / 100 = −0.1.
    facts: facts([
      account("A", {
        values: { "2026-03-03": [holding("X", { amount: "-1", balance: "-110.00", cost: "-100.00" })] },
      }),
    ]),
    asked: onDay,
    answer: { items: [{ gain: "-10.00", gain_share: "-0.100000" }], totals: [{ gain: "-10.00", holdings: 1 }] },
  },
  {
    name: "a cost of zero has no share",
    question: "gains",
    // 110 − 0 = 110.
    facts: facts([account("A", { values: { "2026-03-03": [holding("X", { balance: "110.00", cost: "0.00" })] } })]),
    asked: onDay,
    answer: { items: [{ gain: "110.00", gain_share: null }] },
  },
  {
    name: "balance and cost have the rate of the day",
    question: "gains",
    // 120 / 1.2 = 100, 100 / 1.2 = 83.333…; 20 / 1.2 = 16.666…; 20 / 100 = 0.2.
    facts: facts(
      [
        account("A", {
          values: { "2026-03-03": [holding("X", { balance: "120.00", cost: "100.00", currency: "USD" })] },
        }),
      ],
      [],
      [rate("2026-03-03", "EUR/USD", "1.2")],
    ),
    asked: { ...onDay, currency: "EUR" },
    answer: {
      items: [{ currency: "EUR", balance: "100.00", cost: "83.33", gain: "16.67", gain_share: "0.200000" }],
    },
  },
  {
    name: "what is missing has no gains, a linked cash account none either",
    question: "gains",
    facts: facts([
      account("A", { values: { "2026-02-03": [holding("X", { balance: "120.00", cost: "100.00" })] } }),
      cash("L", { values: { "2026-03-03": [holding("M", { balance: "5.00", type: "L" })] } }),
    ]),
    asked: onDay,
    answer: { items: [], totals: [], coverage: { missing: 1, valued: 1 } },
  },
];

/** An account with a stated balance and rows. */
function stated(balance: string, holdings: readonly ReturnType<typeof holding>[]) {
  const made = account("A", { values: { "2026-03-03": holdings } });
  return { ...made, valuations: made.valuations.map((valuation) => ({ ...valuation, balance })) };
}

function threeConnections() {
  const worth = (id: string, balance: string) => [account(id, { values: { "2026-03-03": balance } })];
  return {
    connections: [
      connection("c1", worth("A", "200.00"), { client_ref: null }),
      connection("c2", worth("B", "100.00"), { client_ref: "B-2", connector_id: "heath" }),
      connection("c3", worth("C", "100.00"), { client_ref: "A-1" }),
    ],
    rates: [],
  };
}
