import {
  attentionSchema,
  clientsArgument,
  connectionSearchSchema,
  consentRenewalSchema,
  credentialStatusSchema,
  defaulted,
  flagArgument,
  foundConnectionSchema,
  idArgument,
  labelsSchema,
  namedAccountSchema,
  optional,
  pendingStatus,
  reloginSchema,
  searchArgument,
  type TenantActor,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { pageSchema, pagingArguments, tokenPageSchema } from "../paging.js";
import { dataRowEndpoints } from "./data-rows.js";

const TOKEN = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";
const exampleConnection = {
  credentials_token: TOKEN,
  bank: "Banco Ejemplo",
  client_ref: "42",
  labels: { client: "42" },
  created_at: "2026-03-01T09:00:00.000Z",
  attention: null,
};

const token = idArgument.meta({
  description:
    "A bank connection: a `credentials_token` of list-connections, or the `connection_id` of a session or letter.",
  examples: [TOKEN],
});

const attention = attentionSchema
  .nullable()
  .describe(
    "What it needs from somebody, the most urgent first: blocked, needs_relogin or pending as search-connections has them, incomplete (the last refresh brought no data of a kind), consent_ends (within 14 days). Old data alone need nothing. To log in again, or to enter a new key, is a Connect session with this connection_id.",
  );
const connection = z.object({
  credentials_token: z.string(),
  bank: z.string(),
  client_ref: z.string().nullable().describe("Whose it is, by your own reference."),
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
  .partial({ client_ref: true, labels: true, created_at: true, accounts: true, status: true })
  .describe(
    "With `attention_only` it has `credentials_token`, `bank` and `attention` alone, and `client_ref` where it is somebody's.",
  );

/** `/data/v1`: connections and their data, from the same services as the tools of `/mcp` (contract §11). */
export const dataEndpoints = [
  ...dataRowEndpoints,
  defineEndpoint({
    path: "/data/v1/list-connections",
    holdsLimit: true,
    reads: true,
    operation: "listBankConnections",
    summary: "List bank connections, oldest first",
    order: "oldest first (when it was connected), then by credentials_token",
    description: "The tool svc-credentials answers the same.",
    scopes: ["connections:read"],
    input: jsonInput(
      z.strictObject({
        client_ref: clientsArgument
          .optional()
          .describe("Only those of this client, or of those of a list. One that is not there is a 404."),
        bank: optional(searchArgument).describe(
          "Only banks whose name holds this text, whatever its case and accents.",
        ),
        ready_only: defaulted(flagArgument, false).describe(
          "Leaves out what is still pending, blocked or in need of a new login.",
        ),
        attention_only: defaulted(flagArgument, false).describe(
          "Only those whose `attention` is not null; a row is then `credentials_token`, `bank` and `attention`, and `client_ref` where it is somebody's.",
        ),
        include_status: defaulted(flagArgument, false).describe("Adds the status of each connection."),
        ...pagingArguments,
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
    holdsLimit: true,
    reads: true,
    operation: "searchBankConnections",
    summary: "Search bank connections, with their state and next refresh",
    order: "as asked, newest first by default; by connection_id, or by the end of the consent and connection_id",
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
            client_ref: "42",
            client_name: null,
            uses_key: false,
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
      const { items, next_page_token } = await connectionAdmin.search(who.tenant_id, search, who);
      return { items: items.map(({ tenant_id: _, tenant: __, ...connection }) => connection), next_page_token };
    },
  }),
  defineEndpoint({
    path: "/data/v1/show-connection",
    holdsLimit: true,
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
    holdsLimit: true,
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
