import {
  asOfSchema,
  calendarDate,
  clientsArgument,
  codesArgument,
  connectionsArgument,
  currenciesArgument,
  currencyTotalSchema,
  type DataAnswer,
  dataGroups,
  dataSorts,
  defaulted,
  describeCodes,
  describeSubtypes,
  extraFields,
  fieldsArgument,
  flagArgument,
  groupsArgument,
  holdingFacts,
  holdingFactsSchema,
  holdingFields,
  holdingSchema,
  holdingSubtypes,
  holdingTypeMeanings,
  holdingTypes,
  idArgument,
  isinsArgument,
  minBalanceArgument,
  ofClient,
  ofVersions,
  optional,
  portfolioFields,
  portfolioSchema,
  portfolioTypeMeanings,
  portfolioTypes,
  searchArgument,
  sortArgument,
  sourceCountsSchema,
  sourceSchema,
  type TenantActor,
  transactionFacts,
  transactionFactsSchema,
  transactionFields,
  transactionKindMeanings,
  transactionKinds,
  transactionSchema,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint, JsonText } from "../endpoint.js";
import { pageSchema, pagingArguments } from "../paging.js";
import { inHolding, showTransaction } from "./show-transaction.js";

/** Parts shared by the example answers. */
const ROW = "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20";
const exampleHead = {
  totals: [{ currency: "EUR", balance: "15230.47", rows: 1 }],
  as_of: { oldest: "2026-03-01", newest: "2026-03-02" },
  sources: [],
  source_counts: { ok: 1, pending: 0, stale: 0, error: 0 },
  page: 1,
  page_size: 50,
  pages: 1,
  total: 1,
  snapshot: "r12",
};

/** Parameters of every read of data. */
const shared = {
  client_ref: clientsArgument
    .optional()
    .describe("Only what belongs to this client, or to those of a list. One that is not there is a 404."),
  credentials_token: connectionsArgument
    .optional()
    .describe(
      "The bank connections to read, one or a list; left out: all of the tenant. One that is not there is a 404.",
    ),
  ...pagingArguments,
  include_source_token: defaulted(flagArgument, false).describe("Adds `credentials_token` to each row."),
  snapshot: optional(idArgument).describe(
    "The `snapshot` of an earlier page, to read on in the same state of the data.",
  ),
  totals_only: defaulted(flagArgument, false).describe("Answers no rows: `items` is empty, all else as without it."),
};
const name = (where: string) =>
  optional(searchArgument).describe(`Only rows with this text in their ${where}, whatever its case and accents.`);
const sort = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  optional(sortArgument(names)).describe(
    "Order of the rows; `-` is descending, what is unknown comes last. By balance, rows are grouped by currency, the one with the largest total first; notionals come after all others.",
  );
const totalsBy = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  groupsArgument(names).optional().describe("What divides `totals` further: one, or a list of two.");
const isin = (of: string) => isinsArgument.optional().describe(`Only ${of} this ISIN, or with one of a list.`);
const filters = {
  currency: currenciesArgument.optional().describe("Only rows in this currency (ISO 4217), or in one of a list."),
  min_balance: optional(minBalanceArgument).describe(
    "Only rows with at least this balance: a number or a decimal string.",
  ),
};
const fields = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  fieldsArgument(names).optional().describe("Fields of each row, exactly these; left out: all.");

/** Of the connection; only where `fields` names them. */
const origin = {
  bank: z.string().describe("The connection's bank."),
  client_ref: z.string().nullable().describe("Whose the connection is; null = nobody's."),
  client_name: z.string().nullable().describe("The client's name; null = none, or nobody's."),
};
const rowFields = [
  ...transactionFields,
  ...extraFields.transaction,
  ...ofClient.fields,
  ...ofVersions.fields,
  ...transactionFacts,
] as const;
const inPortfolio = inHolding.portfolio_id;

/** A page of rows. Every field is optional, because `fields` selects among them. */
function dataPage<Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>) {
  return pageSchema(row.partial().extend({ credentials_token: z.string().optional() })).extend({
    totals: z
      .array(currencyTotalSchema.extend({ client_ref: z.string().nullish() }))
      .describe(
        "Sum of balances by currency, and by what `totals_by` names, over all rows that match: `rows`, of which `rows_without_balance` have no balance, and the balance of `rows_notional` is a contract's notional; neither is part of the sum.",
      ),
    as_of: asOfSchema.describe(
      "As of when the rows are, YYYY-MM-DD. Of holdings: the oldest and newest valuation day of all that match; otherwise the oldest and newest day (UTC) of the `as_of` of the connections read. Null where nothing was read.",
    ),
    sources: z
      .array(sourceSchema)
      .describe(
        "With credentials_token the state of each connection named; without it of those that are not ok, the worst first, 50 at most: pending (no data yet), stale (last good data), error (no data).",
      ),
    source_counts: sourceCountsSchema.describe("All connections read, by state."),
    snapshot: z.string().describe("Give it back to read further pages of this same state of the data."),
  });
}

/** The database returns the rows as JSON text, which is sent as it is. */
function answerOf({ items_json, ...rest }: DataAnswer): JsonText {
  return new JsonText(`${JSON.stringify(rest).slice(0, -1)},"items":${items_json}}`);
}

const ORDER_OF_ROWS =
  "connection by connection (oldest first), and within one as its bank lists them; `sort` names another";

/** The rows of bank connections, from the same services as the tools of `/mcp`. */
export const dataRowEndpoints = [
  defineEndpoint({
    path: "/data/v1/list-portfolios",
    holdsLimit: true,
    reads: true,
    operation: "listPortfolios",
    summary: "List portfolio accounts with their balances",
    order: ORDER_OF_ROWS,
    description:
      "From the latest stored snapshot, over all bank connections or those named. The tool svc-portfolios answers the same.",
    scopes: ["investments:read"],
    input: jsonInput(
      z.strictObject({
        ...shared,
        ...filters,
        portfolio_type: codesArgument(portfolioTypes)
          .optional()
          .describe(`Only accounts of this type, or of one of a list: ${describeCodes(portfolioTypeMeanings)}.`),
        name: name("name"),
        sort: sort(dataSorts.portfolio),
        totals_by: totalsBy([...dataGroups.portfolio, ofClient.group]),
        fields: fields([...portfolioFields, ...extraFields.portfolio, ...ofClient.fields]),
      }),
    ),
    example: {
      body: { currency: "EUR", min_balance: "1000" },
      answer: {
        ...exampleHead,
        items: [
          { id: ROW, name: "Growth", balance: "15230.47", currency: "EUR", refAccount: "ES91 2100 0418", type: "UM" },
        ],
      },
    },
    output: dataPage(portfolioSchema.extend(origin)),
    fails: ["NOT_FOUND"],
    handle: ({ data }, { who }, request) => data.portfolios(who, request).then(answerOf),
  }),
  defineEndpoint({
    path: "/data/v1/list-investments",
    holdsLimit: true,
    reads: true,
    operation: "listInvestments",
    summary: "List investment holdings with units and value",
    order: ORDER_OF_ROWS,
    description:
      "From the latest stored snapshot. The tool svc-investments answers the same, without the facts (`price` to `accrued_interest`) unless `fields` names them. A fact that the bank does not tell is left out, or null where `fields` names it.",
    scopes: ["investments:read"],
    input: jsonInput(
      z.strictObject({
        ...shared,
        ...filters,
        portfolio_id: optional(idArgument).describe(
          "Only holdings of this portfolio: the `id` of a row of list-portfolios.",
        ),
        inv_type: codesArgument(holdingTypes)
          .optional()
          .describe(`Only holdings of this type, or of one of a list: ${describeCodes(holdingTypeMeanings)}.`),
        subtype: codesArgument(holdingSubtypes)
          .optional()
          .describe(`Only holdings of this subtype, or of one of a list: ${describeSubtypes()}.`),
        name: name("name"),
        isin: isin("holdings with"),
        sort: sort(dataSorts.investment),
        totals_by: totalsBy([...dataGroups.investment, ofClient.group]),
        fields: fields([...holdingFields, ...extraFields.investment, ...ofClient.fields, ...holdingFacts]),
      }),
    ),
    example: {
      body: { sort: "-balance", page_size: 10, totals_by: "type", fields: ["name", "isin", "balance", "currency"] },
      answer: {
        ...exampleHead,
        totals: [{ currency: "EUR", type: "F", balance: "15230.47", rows: 1 }],
        page_size: 10,
        items: [{ name: "Global Equity Fund", isin: "LU0000000001", balance: "15230.47", currency: "EUR" }],
      },
    },
    output: dataPage(holdingSchema.extend({ ...origin, portfolio_id: inPortfolio, ...holdingFactsSchema.shape })),
    fails: ["NOT_FOUND"],
    handle: ({ data }, { who }, request) => data.holdings(who, { ...request, with_facts: true }).then(answerOf),
  }),
  defineEndpoint({
    path: "/data/v1/list-transactions",
    holdsLimit: true,
    reads: true,
    operation: "listTransactions",
    summary: "List investment transactions, newest first",
    order: "newest first (operationDate), those of one day by id, the later first; `sort` names another",
    description:
      "From the stored history. The tool svc-investment-transactions answers the same, without the facts (`kind` to `identifiers`) unless `fields` names them. A fact that the bank does not tell is left out, or null where `fields` names it.",
    scopes: ["investments:read"],
    input: jsonInput(
      z.strictObject({
        ...shared,
        investment_id: optional(idArgument).describe(
          "Only those of this holding: the `id` of a row of list-investments.",
        ),
        start_date: calendarDate.optional().describe("First day, YYYY-MM-DD, inclusive."),
        end_date: calendarDate.optional().describe("Last day, YYYY-MM-DD, inclusive."),
        name: name("description"),
        isin: isin("those whose `identifiers` have"),
        kind: codesArgument(transactionKinds)
          .optional()
          .describe(`Only those of this kind, or of one of a list: ${describeCodes(transactionKindMeanings)}.`),
        sort: sort(dataSorts.transaction),
        totals_by: totalsBy([...dataGroups.transaction, ofClient.group]),
        fields: fields(rowFields),
      }),
    ),
    example: {
      body: { start_date: "2026-01-01", end_date: "2026-03-31" },
      answer: {
        ...exampleHead,
        totals: [{ currency: "EUR", balance: "-1250.00", rows: 1 }],
        as_of: { oldest: "2026-03-02", newest: "2026-03-02" },
        items: [
          {
            id: ROW,
            operationDate: "2026-02-12",
            description: "Purchase",
            amount: "12.5",
            balance: "-1250.00",
            currency: "EUR",
            unitPrice: "100.00",
          },
        ],
      },
    },
    output: dataPage(
      transactionSchema.extend({
        ...origin,
        ...inHolding,
        former_versions: z
          .int()
          .describe("How many former versions show-transaction has of it, at most 10; only where `fields` names it."),
        ...transactionFactsSchema.shape,
      }),
    ),
    fails: ["NOT_FOUND"],
    handle: ({ data }, { who }, request) => data.transactions(who, { ...request, with_facts: true }).then(answerOf),
  }),
  showTransaction,
] as const satisfies readonly Endpoint<TenantActor>[];
