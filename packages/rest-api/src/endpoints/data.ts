import {
  attentionSchema,
  calendarDate,
  codesArgument,
  connectionSearchSchema,
  connectionsArgument,
  consentRenewalSchema,
  credentialStatusSchema,
  currenciesArgument,
  currencyTotalSchema,
  type DataAnswer,
  defaulted,
  fieldsArgument,
  flagArgument,
  foundConnectionSchema,
  holdingFacts,
  holdingFactsSchema,
  holdingFields,
  holdingSchema,
  holdingSubtypes,
  holdingTypes,
  idArgument,
  labelsSchema,
  minBalanceArgument,
  namedAccountSchema,
  optional,
  pageArgument,
  pageSizeArgument,
  pendingStatus,
  portfolioFields,
  portfolioSchema,
  portfolioTypes,
  reloginSchema,
  searchArgument,
  sourceCountsSchema,
  sourceSchema,
  type TenantActor,
  transactionFacts,
  transactionFactsSchema,
  transactionFields,
  transactionSchema,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint, JsonText } from "../endpoint.js";
import { pageSchema, tokenPageSchema } from "../paging.js";

/** Parts shared by the example answers. */
const TOKEN = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";
const ROW = "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20";
const exampleTail = {
  page: 1,
  page_size: 50,
  pages: 1,
  total: 1,
  totals: [{ currency: "EUR", balance: "15230.47", rows: 1 }],
  sources: [],
  source_counts: { ok: 1, pending: 0, stale: 0, error: 0 },
  snapshot: "r12",
};
const exampleConnection = {
  credentials_token: TOKEN,
  bank: "Banco Ejemplo",
  labels: { client: "42" },
  created_at: "2026-03-01T09:00:00.000Z",
  attention: null,
};

const paging = {
  page: defaulted(pageArgument, 1).describe("From 1; 1 when left out."),
  page_size: defaulted(pageSizeArgument, 50).describe("Rows of a page: 1 to 500, 50 when left out."),
};
const token = idArgument.meta({
  description:
    "A bank connection: a `credentials_token` of list-connections, or the `connection_id` of a session or letter.",
  examples: [TOKEN],
});

/** Parameters of every read of data. */
const shared = {
  credentials_token: connectionsArgument
    .optional()
    .describe(
      "The bank connections to read, one or a list; left out: all of the tenant. One that is not there is a 404.",
    ),
  ...paging,
  include_source_token: defaulted(flagArgument, false).describe("Adds `credentials_token` to each row."),
  snapshot: optional(idArgument).describe(
    "The `snapshot` of an earlier page, to read on in the same state of the data.",
  ),
};
const filters = {
  currency: currenciesArgument.optional().describe("Only rows in this currency (ISO 4217), or in one of a list."),
  min_balance: optional(minBalanceArgument).describe(
    "Only rows with at least this balance: a number or a decimal string.",
  ),
};
const fields = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  fieldsArgument(names).optional().describe("Fields of each row, exactly these; left out: all.");

/** A page of rows. Every field is optional, because `fields` selects among them. */
function dataPage<Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>) {
  return pageSchema(row.partial().extend({ credentials_token: z.string().optional() })).extend({
    totals: z
      .array(currencyTotalSchema)
      .describe(
        "Sum of balances by currency over all rows that match: `rows`, of which `rows_without_balance` have no balance, and the balance of `rows_notional` is a contract's notional; neither is part of the sum.",
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
  return new JsonText(`{"items":${items_json},${JSON.stringify(rest).slice(1)}`);
}

const attention = attentionSchema
  .nullable()
  .describe(
    "What it needs from somebody, the most urgent first: blocked, needs_relogin or pending as search-connections has them, incomplete (the last refresh brought no data of a kind), consent_ends (within 14 days). Old data alone need nothing. To log in again is a Connect session with this connection_id.",
  );
const connection = z.object({
  credentials_token: z.string(),
  bank: z.string(),
  labels: labelsSchema,
  created_at: z.string(),
  attention,
  status: credentialStatusSchema,
});
const listedConnection = connection
  .extend({
    accounts: z
      .array(namedAccountSchema)
      .describe(
        "At most three, of the latest snapshot in its order; `last_four` are the last four letters and digits of the number.",
      ),
  })
  .partial({ labels: true, created_at: true, accounts: true, status: true })
  .describe("With `attention_only` it has `credentials_token`, `bank` and `attention` alone.");

const ORDER_OF_ROWS = "connection by connection (oldest first), and within one as its bank lists them";

/** `/data/v1`: connections and their data, from the same services as the tools of `/mcp` (contract §11). */
export const dataEndpoints = [
  defineEndpoint({
    path: "/data/v1/list-portfolios",
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
          .describe("Only accounts of this type, or of one of a list."),
        fields: fields(portfolioFields),
      }),
    ),
    example: {
      body: { currency: "EUR", min_balance: "1000" },
      answer: {
        items: [
          { id: ROW, name: "Growth", balance: "15230.47", currency: "EUR", refAccount: "ES91 2100 0418", type: "UM" },
        ],
        ...exampleTail,
      },
    },
    output: dataPage(portfolioSchema),
    fails: ["NOT_FOUND"],
    handle: ({ data }, { who }, request) => data.portfolios(who, request).then(answerOf),
  }),
  defineEndpoint({
    path: "/data/v1/list-investments",
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
        inv_type: codesArgument(holdingTypes).optional().describe("Only holdings of this type, or of one of a list."),
        subtype: codesArgument(holdingSubtypes)
          .optional()
          .describe("Only holdings of this subtype, or of one of a list."),
        fields: fields([...holdingFields, ...holdingFacts]),
      }),
    ),
    example: {
      body: { inv_type: ["F", "ETF"], fields: ["name", "isin", "balance", "currency"] },
      answer: {
        items: [{ name: "Global Equity Fund", isin: "LU0000000001", balance: "15230.47", currency: "EUR" }],
        ...exampleTail,
      },
    },
    output: dataPage(holdingSchema.extend(holdingFactsSchema.shape)),
    fails: ["NOT_FOUND"],
    handle: ({ data }, { who }, request) => data.holdings(who, { ...request, with_facts: true }).then(answerOf),
  }),
  defineEndpoint({
    path: "/data/v1/list-transactions",
    reads: true,
    operation: "listTransactions",
    summary: "List investment transactions, newest first",
    order: "newest first (operationDate), those of one day by id, the later first",
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
        fields: fields([...transactionFields, ...transactionFacts]),
      }),
    ),
    example: {
      body: { start_date: "2026-01-01", end_date: "2026-03-31" },
      answer: {
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
        ...exampleTail,
        totals: [{ currency: "EUR", balance: "-1250.00", rows: 1 }],
      },
    },
    output: dataPage(transactionSchema.extend(transactionFactsSchema.shape)),
    fails: ["NOT_FOUND"],
    handle: ({ data }, { who }, request) => data.transactions(who, { ...request, with_facts: true }).then(answerOf),
  }),
  defineEndpoint({
    path: "/data/v1/list-connections",
    reads: true,
    operation: "listBankConnections",
    summary: "List bank connections, oldest first",
    order: "oldest first (when it was connected), then by credentials_token",
    description: "The tool svc-credentials answers the same.",
    scopes: ["connections:read"],
    input: jsonInput(
      z.strictObject({
        bank: optional(searchArgument).describe(
          "Only banks whose name holds this text, whatever its case and accents.",
        ),
        ready_only: defaulted(flagArgument, false).describe(
          "Leaves out what is still pending, blocked or in need of a new login.",
        ),
        attention_only: defaulted(flagArgument, false).describe(
          "Only those whose `attention` is not null; a row is then `credentials_token`, `bank` and `attention`.",
        ),
        include_status: defaulted(flagArgument, false).describe("Adds the status of each connection."),
        ...paging,
      }),
    ),
    example: {
      body: { bank: "ejemplo" },
      answer: {
        items: [{ ...exampleConnection, accounts: [{ name: "Growth", last_four: "0418" }] }],
        page: 1,
        page_size: 50,
        pages: 1,
        total: 1,
      },
    },
    output: pageSchema(listedConnection),
    fails: [],
    handle: ({ credentials }, { who }, { bank, ...query }) =>
      credentials.list(who, { ...query, bank: bank ?? null, include_accounts: true }),
  }),
  defineEndpoint({
    path: "/data/v1/search-connections",
    reads: true,
    operation: "searchBankConnections",
    summary: "Search bank connections, with how each stands and when it is refreshed",
    order: "newest first, by connection_id",
    scopes: ["connections:read"],
    input: jsonInput(connectionSearchSchema),
    example: {
      body: { query: { state_in: ["needs_relogin"] } },
      answer: {
        items: [
          {
            connection_id: TOKEN,
            connector_id: "esp:ejemplo",
            bank: "Banco Ejemplo",
            provider: "open-banking",
            labels: { client: "42" },
            state: "needs_relogin",
            reasons: ["sca_required"],
            letter_id: null,
            last_update: "2026-03-02T04:10:00.000Z",
            consent_expires_at: null,
            created_at: "2026-01-15T09:00:00.000Z",
            refresh: {
              state: "relogin_needed",
              next_at: null,
              last_outcome: "relogin_needed",
              last_attempt_at: "2026-03-03T04:10:00.000Z",
            },
          },
        ],
        next_page_token: null,
      },
    },
    output: tokenPageSchema(foundConnectionSchema),
    fails: [],
    async handle({ connectionAdmin }, { who }, search) {
      const { items, next_page_token } = await connectionAdmin.search(who.tenant_id, search);
      return { items: items.map(({ tenant_id: _, tenant: __, ...connection }) => connection), next_page_token };
    },
  }),
  defineEndpoint({
    path: "/data/v1/show-connection",
    reads: true,
    operation: "showBankConnection",
    summary: "Show one bank connection: its status, and whether its customer has to log in again",
    order: "reasons blocked, sca_required, auth_error, reset_token",
    description: "What the tools svc-credential-status and svc-needs-relogin answer, in one.",
    scopes: ["connections:read"],
    input: jsonInput(z.strictObject({ credentials_token: token })),
    example: {
      body: { credentials_token: TOKEN },
      answer: {
        ...exampleConnection,
        status: {
          ...pendingStatus("2026-03-01T09:00:00.000Z"),
          pending: false,
          last_update: "2026-03-02T04:10:00.000Z",
        },
        needs_relogin: false,
        reasons: [],
        consent_renewal: null,
      },
    },
    output: connection.extend({
      ...reloginSchema.shape,
      consent_renewal: consentRenewalSchema
        .nullable()
        .describe(
          "Since when the customer is asked to renew the consent, 7 days before it runs out, with a Connect session for the connection; null before.",
        ),
    }),
    fails: ["NOT_FOUND"],
    handle: ({ credentials }, { who }, { credentials_token }) => credentials.show(who, credentials_token),
  }),
  defineEndpoint({
    path: "/data/v1/delete-connection",
    operation: "deleteBankConnection",
    summary: "Delete a bank connection and everything stored for it",
    description:
      "Cannot be undone. Nothing is deleted unless `confirm` is true. A letter that made the connection becomes Discontinued. The tool svc-delete-credentials does the same.",
    scopes: ["connections:delete"],
    input: jsonInput(
      z.strictObject({
        credentials_token: token,
        confirm: z.unknown().optional().meta({ type: "boolean", description: "Must be true." }),
      }),
    ),
    example: {
      body: { credentials_token: TOKEN, confirm: true },
      answer: {
        message: "The connection to Banco Ejemplo and all data stored for it have been deleted.",
        credentials_token: TOKEN,
      },
    },
    output: z.object({ message: z.string(), credentials_token: z.string() }),
    fails: ["NOT_FOUND", "CONFIRMATION_REQUIRED"],
    async handle({ credentials }, { who }, { credentials_token, confirm }) {
      const { bank } = await credentials.remove(who, credentials_token, confirm === true);
      return {
        message: `The connection to ${bank} and all data stored for it have been deleted.`,
        credentials_token,
      };
    },
  }),
] as const satisfies readonly Endpoint<TenantActor>[];
