import { idArgument, type TenantActor, transactionFactsSchema, transactionSchema } from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint, JsonText } from "../endpoint.js";

/** What a transaction belongs to. */
export const inHolding = {
  portfolio_id: z.string().describe("The portfolio's `id` in list-portfolios."),
  investment_id: z.string().nullable().describe("The holding's `id` in list-investments, if the bank names one."),
};

const TOKEN = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";
const ROW = "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20";
const exampleVersion = {
  operationDate: "2026-02-12",
  description: "Purchase",
  amount: "12.5",
  balance: "-1250.00",
  currency: "EUR",
  unitPrice: "100.00",
  portfolio_id: "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a21",
  investment_id: null,
  kind: "buy",
};

/** A transaction and what it said before. */
export const showTransaction = defineEndpoint({
  path: "/data/v1/show-transaction",
  holdsLimit: true,
  reads: true,
  operation: "showTransaction",
  summary: "Show one transaction, and what it said before the bank corrected or withdrew it",
  order: "the version that is there now first, then the former ones, the latest first",
  description:
    "A bank may correct a transaction, withdraw it and bring it back: its `id` stays. Each version has all fields of a row, null where the bank does not tell them. The 10 latest former versions are kept, each for 400 days from its end, and deleted with the connection.",
  scopes: ["investments:read"],
  input: jsonInput(
    z.strictObject({
      credentials_token: idArgument.describe("The bank connection that the transaction is of."),
      transaction_id: idArgument.describe("The `id` of a row of list-transactions, withdrawn since or not."),
    }),
  ),
  example: {
    body: { credentials_token: TOKEN, transaction_id: ROW },
    answer: {
      id: ROW,
      credentials_token: TOKEN,
      versions: [
        { read_at: "2026-02-14T04:10:00.000Z", ended_at: null, ended_by: null, ...exampleVersion },
        {
          ...{ read_at: "2026-02-13T04:10:00.000Z", ended_at: "2026-02-14T04:10:00.000Z", ended_by: "replaced" },
          ...{ ...exampleVersion, balance: "-1205.00" },
        },
      ],
    },
  },
  output: z.object({
    id: z.string(),
    credentials_token: z.string(),
    versions: z
      .array(
        transactionSchema.omit({ id: true }).extend({
          read_at: z.string().describe("When it was first read with this content."),
          ended_at: z.string().nullable().describe("When it was read otherwise, or no more; null = it is there now."),
          ended_by: z
            .enum(["replaced", "withdrawn"])
            .nullable()
            .describe("`withdrawn`: after it the transaction was not there, until a later version came, if any."),
          ...inHolding,
          ...transactionFactsSchema.shape,
        }),
      )
      .min(1)
      .describe("If the first one has an `ended_at`, the transaction is not there any more."),
  }),
  fails: ["NOT_FOUND"],
  handle: ({ data }, { who }, request) =>
    data
      .transactionVersions(who, request)
      .then(
        ({ versions_json, ...head }) =>
          new JsonText(`${JSON.stringify(head).slice(0, -1)},"versions":${versions_json}}`),
      ),
}) satisfies Endpoint<TenantActor>;
