import { describe, expect, it } from "vitest";
import { account, connection, factsOf, holding, movement, resultOf, valuation } from "../test/sample-facts.js";
import { gainsAnswer, historyAnswer, holdingsAtAnswer, incomeAnswer, summaryAnswer } from "./answers.js";
import { dayNumber, weekdaysBetween } from "./days.js";
import type { HoldingFacts, Valuation } from "./facts.js";
import { gains as gainsSteps } from "./gains.js";
import { history as historySteps } from "./history.js";
import { sumsOfHoldings } from "./holding-sums.js";
import { holdingsAt as holdingsAtSteps } from "./holdings-at.js";
import { income as incomeSteps } from "./income.js";
import { performance as performanceSteps } from "./performance.js";
import { RateTable, usedRate } from "./rates.js";
import { summary as summarySteps } from "./summary.js";

const history = (...args: Parameters<typeof historySteps>) => resultOf(historySteps(...args));
const gains = (...args: Parameters<typeof gainsSteps>) => resultOf(gainsSteps(...args));
const holdingsAt = (...args: Parameters<typeof holdingsAtSteps>) => resultOf(holdingsAtSteps(...args));
const income = (...args: Parameters<typeof incomeSteps>) => resultOf(incomeSteps(...args));
const summary = (...args: Parameters<typeof summarySteps>) => resultOf(summarySteps(...args));
const performance = (...args: Parameters<typeof performanceSteps>) => resultOf(performanceSteps(...args));
const TODAY = "2026-03-31";
const asked = { portfolio_ids: null, currency: null, stale_after: 7 };
const rate = (date: string, base: string, quote: string, value: string, source = "rates.csv") => ({
  ...{ date, base, quote, rate: value, source },
});

/** EUR 100 in euros, and USD 252 at 1.20: EUR 210. */
const fern = factsOf(
  [
    connection([
      account("p1", [
        valuation("2026-03-02", "100.00", [holding("a", "100.00", { isin: "DE0007164600", cost: "90.00" })]),
      ]),
      account("p2", [valuation("2026-03-03", "252.00", [holding("b", "252.00", { currency: "USD", type: "F" })])], {
        currency: "USD",
      }),
    ]),
  ],
  [rate("2026-03-03", "EUR", "USD", "1.20")],
);

describe("[C-8.102] the rate of a pair", () => {
  const table = new RateTable([
    rate("2026-03-03", "EUR", "USD", "1.20"),
    rate("2026-03-03", "EUR", "CHF", "0.96", "other"),
    rate("2026-03-03", "AAA", "XXX", "2"),
    rate("2026-03-03", "AAA", "YYY", "3"),
    rate("2026-03-03", "BBB", "XXX", "5"),
    rate("2026-03-03", "BBB", "YYY", "5"),
    rate("2026-03-04", "USD", "CHF", "0.81"),
    rate("2026-03-04", "GBP", "EUR", "1.15"),
  ]);
  it.each([
    ["USD", "CHF", "2026-03-05", { rate: "0.8100000000", date: "2026-03-04", source: "rates.csv" }],
    ["CHF", "USD", "2026-03-05", { rate: "1.234567901", date: "2026-03-04", source: "rates.csv" }],
    ["CHF", "USD", "2026-03-03", { rate: "1.250000000", date: "2026-03-03", source: "other, rates.csv" }],
    ["XXX", "YYY", "2026-03-03", { rate: "1.500000000", date: "2026-03-03", source: "rates.csv" }],
    ["EUR", "USD", "2026-03-10", { rate: "1.200000000", date: "2026-03-03", source: "rates.csv" }],
    ["EUR", "USD", "2026-03-11", null],
    ["EUR", "USD", "2026-03-02", null],
    // One leg is of the 3rd, the other one of the 4th.
    ["GBP", "CHF", "2026-03-05", null],
  ])("from %s to %s for %s", (from, to, date, used) => {
    const found = table.find(from, to, dayNumber(date));
    expect(found && usedRate(from, found)).toEqual(used && { currency: from, ...used });
  });
});

describe("[C-8.103] history", () => {
  it("answers as documented, day by day", () => {
    const args = { ...asked, from: "2026-03-01", to: "2026-03-10", currency: "EUR" } as const;
    const { items } = historyAnswer.strict().parse(history(fern, args, TODAY));
    expect(items.map(({ date, totals, complete }) => [date, totals[0]?.balance ?? null, complete])).toEqual([
      ["2026-03-01", null, false],
      ["2026-03-02", "100.00", false],
      ...["03", "04", "05", "06", "07", "08", "09"].map((day) => [`2026-03-${day}`, "310.00", true]),
      ["2026-03-10", "210.00", false],
    ]);
    expect(items[2]).toEqual({
      date: "2026-03-03",
      totals: [{ currency: "EUR", balance: "310.00" }],
      complete: true,
      rates: [{ currency: "USD", rate: "0.8333333333", date: "2026-03-03", source: "rates.csv" }],
      coverage: { portfolios: 2, valued: 1, carried: 1, missing: 0 },
    });
  });

  it("refuses a day without a rate, and no other one", () => {
    const args = { ...asked, from: "2026-03-10", to: "2026-03-11", currency: "EUR", stale_after: 30 };
    const { items } = history(fern, { ...args, include_coverage: true }, TODAY);
    expect(items).toMatchObject([
      { totals: [{ balance: "310.00" }], complete: true },
      {
        totals: [],
        complete: false,
        refused: [{ reason: "rate_missing", from: "USD", to: "EUR", date: "2026-03-11" }],
        coverage: { details: [{ portfolio_id: "p1", state: "carried", since: "2026-03-02" }, {}] },
      },
    ]);
  });

  it("has Sundays or last days of months, and always the last day", () => {
    const datesOf = (interval: "week" | "month") =>
      history(fern, { ...asked, from: "2026-01-30", to: "2026-03-10", interval }, TODAY).items.map(({ date }) => date);
    expect(datesOf("month")).toEqual(["2026-01-31", "2026-02-28", "2026-03-10"]);
    expect(datesOf("week")).toEqual([
      ...["2026-02-01", "2026-02-08", "2026-02-15", "2026-02-22", "2026-03-01", "2026-03-08", "2026-03-10"],
    ]);
  });

  it("names the argument that it refuses", () => {
    const ask = (from: string, to?: string) => () => history(fern, { ...asked, from, to }, TODAY);
    expect(ask("2026-03-01", "2026-04-01")).toThrow("to: must not be after today (UTC)");
    expect(ask("2026-03-05", "2026-03-01")).toThrow("from: must not be after to (2026-03-01)");
    expect(ask("2010-01-01")).toThrow("from: must begin a period of at most 3660 days");
    expect(() => history(fern, { ...asked, from: TODAY, portfolio_ids: ["p1", "x"] }, TODAY)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", field: "portfolio_id" }),
    );
  });
});

describe("[C-8.101] the close of a day", () => {
  it("a portfolio is as its worst part; a value that is unknown is as if it had not come; zero does not grow old", () => {
    const facts = factsOf([
      connection([
        account("depot", [valuation("2026-03-03", "10"), valuation("2026-03-04", null)]),
        account("cash", [valuation("2026-02-01", "5")], { shown_as: "depot", is_cash: true }),
        account("empty", [valuation("2026-01-01", null, [])]),
        account("later", [valuation("2026-03-20", "1")]),
        account("unknown", [
          valuation("2026-03-01", null, [holding("f", "9", { is_notional: true }), holding("u", null)]),
        ]),
        account("nothing", [], { ref_account: "CH93" }),
      ]),
      connection([], [], { credentials_token: "c2" }),
      connection([account("again", [], { ref_account: "CH93" })], [], { credentials_token: "c3" }),
    ]);
    const answer = summary(facts, { ...asked, date: "2026-03-04", by: "bank" }, TODAY);
    const { coverage, duplicates, totals, complete } = summaryAnswer.strict().parse(answer);
    expect({ totals, complete, duplicates }).toEqual({
      totals: [{ currency: "EUR", balance: "10" }],
      complete: false,
      duplicates: [["nothing", "again"]],
    });
    const missing = (portfolio_id: string | null, reason: string, since: string | null = null) => ({
      ...{ portfolio_id, state: "missing", since, reason },
    });
    expect(coverage).toEqual({
      ...{ portfolios: 7, valued: 0, carried: 1, missing: 6 },
      details: [
        missing("again", "no_data"),
        missing("later", "before_first_valuation"),
        missing("nothing", "no_data"),
        missing("unknown", "value_unknown"),
        missing(null, "no_data"),
        missing("depot", "stale", "2026-02-01"),
        { portfolio_id: "empty", state: "carried", since: "2026-01-01" },
      ],
    });
  });

  it("Mondays to Fridays are counted", () => {
    const count = (from: string, to: string) => weekdaysBetween(dayNumber(from), dayNumber(to));
    expect([
      count("2026-03-07", "2026-03-13"),
      count("2026-03-07", "2026-03-08"),
      count("2026-03-02", "2026-03-02"),
      count("1969-12-27", "1970-01-05"),
      count("2026-03-03", "2026-03-02"),
    ]).toEqual([5, 0, 1, 6, 0]);
  });
});

describe("[C-8.104] a day's holdings and their summary", () => {
  it("holdings are as they were, of the day of their valuation, in the currency asked for", () => {
    const answer = (currency: string | null) =>
      holdingsAtAnswer.parse(holdingsAt(fern, { ...asked, date: "2026-03-04", currency }, TODAY)).items;
    expect(answer(null)).toMatchObject([
      { id: "a", amount: "10", balance: "100.00", currency: "EUR", portfolio_id: "p1", as_of: "2026-03-02" },
      { id: "b", balance: "252.00", currency: "USD", portfolio_id: "p2", as_of: "2026-03-03" },
    ]);
    expect(answer("EUR")).toMatchObject([{ cost: "90.00" }, { balance: "210.00", cost: null, currency: "EUR" }]);
  });

  it("[C-4.184] a price is as it was stated in every currency, and names its own; accrued interest is converted", () => {
    const dollars = { currency: "USD", price: "25.20", price_unit: "currency", accrued_interest: "1.20" };
    const rows = [
      holding("own", "252.00", dollars),
      holding("pounds", "252.00", { ...dollars, price_currency: "GBP" }),
      holding("bond", "252.00", { ...dollars, price: "98.5", price_unit: "percent" }),
      holding("silent", "252.00", { currency: "USD" }),
    ];
    const { connections } = factsOf([connection([account("p", [valuation("2026-03-03", null, rows)])])]);
    const { items } = holdingsAt({ ...fern, connections }, { ...asked, date: "2026-03-04", currency: "EUR" }, TODAY);
    const told = { currency: "EUR", balance: "210.00", accrued_interest: "1.00" };
    expect(items).toMatchObject([
      { ...told, price: "25.20", price_currency: "USD" },
      { ...told, price: "25.20", price_currency: "GBP" },
      { ...told, price: "98.5" },
      { currency: "EUR", balance: "210.00" },
    ]);
    expect(items.filter((item) => item.price_currency !== undefined)).toHaveLength(2);
  });

  it("the summary answers as documented", () => {
    const answer = summary(fern, { ...asked, date: "2026-03-03", by: "currency", currency: "EUR" }, TODAY);
    expect(summaryAnswer.strict().parse(answer)).toMatchObject({
      date: "2026-03-03",
      totals: [{ currency: "EUR", balance: "310.00" }],
      complete: true,
      items: [
        { key: "EUR", totals: [{ currency: "EUR", balance: "100.00" }], share: "0.322581" },
        { key: "USD", totals: [{ currency: "EUR", balance: "210.00" }], share: "0.677419" },
      ],
    });
  });

  it("what a balance has beyond its rows is unallocated; rows in other currencies cannot be taken from it", () => {
    const dollars = holding("usd", "60", { currency: "USD", type: "F" });
    const facts = factsOf(
      [
        connection([
          account("p1", [
            valuation("2026-03-03", "100", [holding("x", "30"), holding("n", "999", { is_notional: true })]),
          ]),
          account("p2", [valuation("2026-03-03", "100", [holding("y", "20"), dollars])]),
        ]),
      ],
      [rate("2026-03-03", "EUR", "USD", "1.20")],
    );
    const items = (currency: string | null) =>
      summary(facts, { ...asked, date: "2026-03-03", by: "type", currency }, TODAY).items.map(
        ({ key, totals, share }) => [key, totals[0]?.balance, share],
      );
    expect(items(null)).toEqual([
      ["VI", "30", "0.150000"],
      ["unallocated", "170", "0.850000"],
    ]);
    expect(items("EUR")).toEqual([
      ["F", "50.00", "0.250000"],
      ["VI", "50.00", "0.250000"],
      ["unallocated", "100.00", "0.500000"],
    ]);
  });

  it.each(["type", "currency"] as const)(
    "[C-8.219] by %s the sums of holdings say what holdings do, and a sum of zero needs no rate",
    (by) => {
      const dollars = (balance: string) => holding(balance, balance, { currency: "USD", type: "F" });
      const held = [holding("x", "30.5"), holding("n", "9", { is_notional: true }), dollars("5"), dollars("-5.0")];
      const of = (more: Partial<Valuation>[]) =>
        factsOf([
          connection(more.map((over, n) => account(`p${n}`, [{ ...valuation("2026-03-03", "100", held), ...over }]))),
        ]);
      const holding_sums = sumsOfHoldings(held);
      expect(holding_sums).toEqual([
        ["VI", "EUR", "30.5"],
        ["F", "USD", "0.0"],
      ]);
      const answers = [of([{}, {}]), of([{ holding_sums }, { holding_sums, holdings: [] }])].map((facts) =>
        summary(facts, { ...asked, date: "2026-03-03", by, currency: "EUR" }, TODAY),
      );
      expect(answers[0]).toMatchObject({ complete: true, rates: [], totals: [{ balance: "200.00" }] });
      expect(answers[0]?.items.map(({ key, totals }) => [key, totals[0]?.balance])).toEqual([
        ...(by === "type" ? [["F", "0.00"]] : [["EUR", "61.00"]]),
        ...(by === "type" ? [["VI", "61.00"]] : [["USD", "0.00"]]),
        ["unallocated", "139.00"],
      ]);
      expect(answers[1]).toEqual(answers[0]);
    },
  );

  it("a share needs a total above zero", () => {
    const facts = factsOf([connection([account("p1", [valuation("2026-03-03", "-5")])], [], { client_ref: null })]);
    const { items } = summary(facts, { ...asked, date: "2026-03-03", by: "client" }, TODAY);
    expect(items).toEqual([{ key: null, totals: [{ currency: "EUR", balance: "-5" }], share: null }]);
  });
});

describe("[C-8.109] income", () => {
  const cash = { is_cash: true, lists_securities: false };
  const facts = factsOf(
    [
      connection(
        [account("depot", [], { lists_cash: false }), account("cash", [], { ...cash, shown_as: "depot" })],
        [
          movement("depot", "2026-03-10", "dividend", "15.00", { taxes: "5.00", isin: "DE0007164600" }),
          movement("depot", "2026-03-11", "dividend", "-7.5", { gross: "-10", isin: "DE0007164600" }),
          movement("depot", "2026-04-01", "coupon", "-2", { amount: "1", holding_id: "h2" }),
          movement("depot", "2026-04-02", "dividend", null, { amount: "1" }),
          movement("cash", "2026-03-10", "dividend", "15.00"),
          movement("cash", "2026-04-03", "interest", "1", { currency: "JPY" }),
          movement("cash", "2026-04-03", "fee", "-3"),
        ],
      ),
    ],
    [rate("2026-04-03", "EUR", "JPY", "160")],
  );
  const ask = (more: Partial<Parameters<typeof income>[1]>) => {
    const { items, unvalued } = incomeAnswer
      .strict()
      .parse(income(facts, { ...asked, from: "2026-03-01", to: "2026-04-30", by: "month", ...more }, "2026-05-01"));
    return {
      items: items.map(({ key, totals }) => [key, ...totals.map((total) => Object.values(total).join(" "))]),
      unvalued,
    };
  };

  it("is summed by month, security or kind; what the depot tells is not counted twice", () => {
    expect(ask({})).toEqual({
      items: [
        ["2026-03", "EUR 7.50  10.00 2"],
        ["2026-04", "EUR 2   1", "JPY 1   1"],
      ],
      unvalued: 1,
    });
    expect(ask({ by: "security", to: "2026-04-02" }).items).toEqual([
      ["DE0007164600", "EUR 7.50  10.00 2"],
      ["h2", "EUR 2   1"],
    ]);
    expect(ask({ by: "kind", kind: "fee" })).toEqual({ items: [["fee", "EUR -3   1"]], unvalued: 0 });
  });

  it("is converted at each movement's own day, and rounded", () => {
    expect(ask({ by: "year", from: "2026-04-03", currency: "EUR" }).items).toEqual([["2026", "EUR 0.01   1"]]);
    expect(() => ask({ currency: "CHF" })).toThrow(expect.objectContaining({ code: "INSUFFICIENT_DATA" }));
  });

  it("with its taxes told, the gross is net and taxes", () => {
    expect(ask({ to: "2026-03-10" }).items).toEqual([["2026-03", "EUR 15.00 5.00 20.00 1"]]);
  });
});

it("[C-8.120] gains are balance less cost, of securities whose cost is known", () => {
  const holdings = [
    holding("a", "110.00", { cost: "100.00" }),
    holding("short", "-50", { cost: "-60.5" }),
    holding("b", "70.00"),
    holding("free", "5", { cost: "0" }),
    holding("cash", "20", { type: "L", cost: "20" }),
    holding("future", "900", { is_notional: true, cost: "1" }),
  ];
  const facts = factsOf([connection([account("p1", [valuation("2026-03-03", "155", holdings)])])]);
  const ask = (currency: string | null) =>
    gainsAnswer.strict().parse(gains(facts, { ...asked, date: "2026-03-03", currency }, TODAY));
  expect(ask(null).items.map(({ id, gain, gain_share }) => [id, gain, gain_share])).toEqual([
    ["a", "10.00", "0.100000"],
    ["short", "10.5", "0.173554"],
    ["b", null, null],
    ["free", "5", null],
  ]);
  expect(ask("EUR").totals).toEqual([
    {
      ...{ currency: "EUR", balance: "65.00", cost: "39.50", gain: "25.50", holdings: 3 },
      ...{ balance_without_cost: "70.00", holdings_without_cost: 1 },
    },
  ]);
});

it("[C-8.212] totals of gains that add up nothing have the digits of the others", () => {
  const totals = (holdings: readonly HoldingFacts[]) => {
    const facts = factsOf([connection([account("p1", [valuation("2026-03-03", null, holdings)])])]);
    return gains(facts, { ...asked, date: "2026-03-03" }, TODAY).totals;
  };
  expect(totals([holding("b", "70.00")])).toEqual([
    {
      ...{ currency: "EUR", balance: "0.00", cost: "0.00", gain: "0.00", holdings: 0 },
      ...{ balance_without_cost: "70.00", holdings_without_cost: 1 },
    },
  ]);
  expect(totals([holding("a", "1.5", { cost: "0.125" })])).toEqual([
    {
      ...{ currency: "EUR", balance: "1.5", cost: "0.125", gain: "1.375", holdings: 1 },
      ...{ balance_without_cost: "0.000", holdings_without_cost: 0 },
    },
  ]);
});

it("[C-8.121] the order of accounts, movements and rates changes no figure", () => {
  const [first] = fern.connections;
  if (!first) throw new Error("no connection");
  const movements = [movement("p1", "2026-03-03", "dividend", "1"), movement("p2", "2026-03-04", "fee", "-1")];
  const ordered = factsOf([{ ...first, movements }], [...fern.rates, rate("2026-03-04", "EUR", "USD", "1.21")]);
  const reversed = factsOf(
    [{ ...first, accounts: first.accounts.toReversed(), movements: movements.toReversed() }],
    ordered.rates.toReversed(),
  );
  const args = { ...asked, from: "2026-03-02", to: "2026-03-06", currency: "EUR" } as const;
  for (const ask of [
    (facts: typeof fern) => history(facts, { ...args, include_coverage: true }, TODAY),
    (facts: typeof fern) => income(facts, { ...args, by: "kind", kind: ["dividend", "fee"] }, TODAY),
    (facts: typeof fern) => summary(facts, { ...asked, currency: "EUR", date: "2026-03-04", by: "type" }, TODAY),
    (facts: typeof fern) => performance(facts, { ...args, from: "2026-03-03" }, TODAY),
  ])
    expect(ask(reversed)).toEqual(ask(ordered));
});
