import {
  clientsArgument,
  connectionsArgument,
  portfoliosArgument,
  sourceCountsSchema,
  sourceSchema,
  type TenantActor,
} from "@org/core";
import {
  dayArguments,
  gainsAnswer,
  historyAnswer,
  historyArguments,
  holdingsAtAnswer,
  incomeAnswer,
  incomeArguments,
  performanceAnswer,
  performanceArguments,
  summaryAnswer,
  summaryArguments,
} from "@org/wealth";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { pageSchema, pagingArguments } from "../paging.js";

/** Whose portfolios a figure is of. */
const wealthScope = {
  client_ref: clientsArgument
    .optional()
    .describe("Only what belongs to this client, or to those of a list. One that is not there is a 404."),
  credentials_token: connectionsArgument
    .optional()
    .describe("Only these bank connections, one or a list. One that is not there is a 404."),
  portfolio_id: portfoliosArgument
    .optional()
    .describe("Only these portfolios, one or a list: `id` of list-portfolios. One that is not there is a 404."),
};

const sources = {
  sources: z
    .array(sourceSchema)
    .describe("As list-portfolios answers them: the connections named, otherwise those that are not ok, 50 at most."),
  source_counts: sourceCountsSchema.describe("All connections in question, by state."),
};

const PORTFOLIO = "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20";
const exampleEnd = {
  coverage: { portfolios: 3, valued: 3, carried: 0, missing: 0, details: [] },
  sources: [],
  source_counts: { ok: 2, pending: 0, stale: 0, error: 0 },
};
const examplePage = { page: 1, page_size: 50, pages: 1, total: 1 };
const total = (balance: string) => [{ currency: "EUR", balance }];

/** A page of a list of figures, with the whole answer's own fields beside it. */
function listOf<Shape extends z.ZodRawShape & { items: z.ZodArray }>(answer: z.ZodObject<Shape>) {
  return pageSchema(z.unknown()).extend({ ...answer.shape, ...sources });
}

/** What every endpoint here has. */
const common = {
  holdsLimit: true,
  reads: true,
  scopes: ["investments:read"],
  fails: ["NOT_FOUND", "INSUFFICIENT_DATA"],
} as const;
const paged = { ...wealthScope, ...pagingArguments };

/** Values, returns, income and gains over time, from the service that `/mcp/analytics` uses too. */
export const wealthEndpoints = [
  defineEndpoint({
    ...common,
    path: "/data/v1/list-history",
    operation: "listHistory",
    summary: "List what portfolios were worth at the close of days, weeks or months",
    order: "oldest first",
    description:
      "Each portfolio counts with its last valuation at or before the day. What has none, or one that is too old, is missing, and the total says so: `complete`, `coverage`.",
    input: jsonInput(historyArguments.extend(paged)),
    example: {
      body: { client_ref: "M-17", from: "2026-03-02", to: "2026-03-03", currency: "EUR" },
      answer: {
        items: [
          {
            date: "2026-03-03",
            totals: total("310.00"),
            complete: true,
            rates: [{ currency: "USD", rate: "0.8333333333", date: "2026-03-03", source: "rates.csv" }],
            coverage: { portfolios: 3, valued: 3, carried: 0, missing: 0 },
          },
        ],
        ...examplePage,
        sources: [],
        source_counts: exampleEnd.source_counts,
      },
    },
    output: listOf(historyAnswer),
    handle: ({ wealth }, { who }, request) => wealth.history(who, request),
  }),
  defineEndpoint({
    ...common,
    path: "/data/v1/holdings-at",
    operation: "listHoldingsAt",
    summary: "List holdings as they were at the close of a day",
    order: "connection by connection (oldest first), then as the bank listed them",
    description: "Rows of list-investments with their facts, and `as_of`, the day of the valuation that they are from.",
    input: jsonInput(dayArguments.extend(paged)),
    example: {
      body: { date: "2026-03-03" },
      answer: {
        items: [
          {
            id: "0192a5c0-9a11-7f00-8c21-3d5e7f9a1b2c",
            name: "Acme Corp.",
            isin: null,
            amount: "10",
            balance: "1000.00",
            currency: "EUR",
            portfolio_id: PORTFOLIO,
            as_of: "2026-03-02",
          },
        ],
        ...examplePage,
        ...exampleEnd,
      },
    },
    output: listOf(holdingsAtAnswer),
    handle: ({ wealth }, { who }, request) => wealth.holdingsAt(who, request),
  }),
  defineEndpoint({
    ...common,
    path: "/data/v1/summary",
    operation: "showSummary",
    summary: "Show what portfolios are worth on a day, divided by type, currency, bank, client or security",
    order: "by key, null last",
    description:
      "What a stated balance has beyond its holdings is `unallocated`, so that the rows make the total of list-history.",
    input: jsonInput(summaryArguments.extend(paged)),
    example: {
      body: { date: "2026-03-03", by: "currency", currency: "EUR" },
      answer: {
        date: "2026-03-03",
        totals: total("310.00"),
        complete: true,
        rates: [],
        items: [{ key: "USD", totals: total("210.00"), share: "0.677419" }],
        ...examplePage,
        ...exampleEnd,
      },
    },
    output: listOf(summaryAnswer),
    handle: ({ wealth }, { who }, request) => wealth.summary(who, request),
  }),
  defineEndpoint({
    ...common,
    path: "/data/v1/performance",
    operation: "showPerformance",
    summary: "Show what portfolios earned in a period: time-weighted or money-weighted",
    order: "entries and estimated times by date; gaps by reason, in the order of the schema",
    description:
      "The period opens with the close of the day before `from`. What would make the return a guess is refused with INSUFFICIENT_DATA, or listed in `gaps` with `allow_gaps`. More than 200,000 values and movements in the period are refused with VALIDATION_ERROR on `from`: shorten it, or name clients. Nothing here claims compliance with GIPS.",
    input: jsonInput(performanceArguments.extend(wealthScope)),
    example: {
      body: { client_ref: "M-17", from: "2026-03-03", to: "2026-03-05" },
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
        ...exampleEnd,
      },
    },
    output: performanceAnswer.extend(sources),
    handle: ({ wealth }, { who }, request) => wealth.performance(who, request),
  }),
  defineEndpoint({
    ...common,
    path: "/data/v1/income",
    operation: "listIncome",
    summary: "List dividends, interest and coupons, or fees and taxes, of a period",
    order: "by key, null last",
    description:
      "By operation date. Reversals count against it; income that was reinvested counts as if it had been paid.",
    input: jsonInput(incomeArguments.extend(paged)),
    example: {
      body: { from: "2026-01-01", to: "2026-03-31", by: "month" },
      answer: {
        items: [
          { key: "2026-03", totals: [{ currency: "EUR", net: "15.00", taxes: "5.00", gross: "20.00", count: 1 }] },
        ],
        totals: [{ currency: "EUR", net: "15.00", taxes: "5.00", gross: "20.00", count: 1 }],
        unvalued: 0,
        ...examplePage,
        ...exampleEnd,
      },
    },
    output: listOf(incomeAnswer),
    handle: ({ wealth }, { who }, request) => wealth.income(who, request),
  }),
  defineEndpoint({
    ...common,
    path: "/data/v1/gains",
    operation: "listGains",
    summary: "List unrealised gains of holdings at the close of a day",
    order: "connection by connection (oldest first), then as the bank listed them",
    description:
      "Without cash. Gains are balance less cost, both at the day's rate, so that they leave exchange gains out.",
    input: jsonInput(dayArguments.extend(paged)),
    example: {
      body: { date: "2026-03-03" },
      answer: {
        date: "2026-03-03",
        items: [
          {
            id: "0192a5c0-9a11-7f00-8c21-3d5e7f9a1b2c",
            name: "Acme Corp.",
            isin: null,
            portfolio_id: PORTFOLIO,
            currency: "EUR",
            balance: "110.00",
            cost: "100.00",
            gain: "10.00",
            gain_share: "0.100000",
          },
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
        ...examplePage,
        ...exampleEnd,
      },
    },
    output: listOf(gainsAnswer),
    handle: ({ wealth }, { who }, request) => wealth.gains(who, request),
  }),
] as const satisfies readonly Endpoint<TenantActor>[];
