import { type Actor, decimalString, linkOrigins, opaqueId } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const target = {
  connection_or_letter_id: opaqueId.describe("The connection whose files tell of the accounts, or its letter."),
};
const number = z.string().min(1).max(100).describe("Number of an account; only its letters and digits are compared.");

const accountsSchema = z.object({
  connection_id: z.string(),
  accounts: z.array(
    z.object({
      number: z.string(),
      currency: z.string(),
      is_cash: z.boolean(),
      as_of: z.string().nullable().describe("When it was stated last; null where files have told movements only."),
      shown_in: z
        .string()
        .nullable()
        .describe("Number of the account in whose portfolio it is shown; null = it is a portfolio of its own."),
    }),
  ),
  total: z.int().min(0),
  links: z.array(
    z.object({
      account: z.string(),
      portfolio: z
        .string()
        .nullable()
        .describe("Null: an operator says that the account is a portfolio of its own, whatever letter and rules say."),
      origin: z.enum(linkOrigins),
      in_force: z.boolean().describe("Whether both accounts are known, and the one is shown in the other."),
    }),
  ),
});

const day = z.iso.date();
const pair = { account: z.string().describe("Number of the account."), from_day: day, to_day: day };
const differencesSchema = z.object({
  connection_id: z.string(),
  differences: z.array(
    z.object({
      ...pair,
      name: z.string(),
      isin: z.string().nullable(),
      before: decimalString.describe("Units that the statement of from_day has; of cash, the amount."),
      moved: decimalString.describe("Units of the movements since, up to to_day."),
      expected: decimalString,
      stated: decimalString.describe("Units that the statement of to_day has."),
      difference: decimalString.describe("stated less expected."),
      found_at: z.string(),
    }),
  ),
  gaps: z.array(
    z.object({
      ...pair,
      days: z.array(day).describe("Mondays to Fridays between the two for which no statement has come."),
      found_at: z.string(),
    }),
  ),
  left_out: z
    .array(
      z.object({
        file: z.string().describe("Name of the file."),
        place: z.string().describe("Where in the file."),
        field: z.string().describe("Name of the field at fault."),
      }),
    )
    .describe("Movements of files that could not be read, of the newest file first."),
});

/** `/operator/v1/datafeeds`: which cash accounts are shown within a depot's portfolio, and what does not add up (contract §9 "Data feeds"). */
export const feedAccountEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/datafeeds/accounts",
    reads: true,
    operation: "listFeedAccounts",
    summary: "List the accounts that a connection's files tell of, and in which portfolio each is shown",
    order: "accounts by number and currency, the first 1,000; links by number",
    description: "Without names and amounts.",
    body: z.strictObject(target),
    output: accountsSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedAccounts }, _context, body) => feedAccounts.list(body),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/link-account",
    operation: "linkFeedAccount",
    summary: "Show a cash account within the portfolio of a depot",
    order: "as accounts",
    description: "At once, and whatever letter and rules say. Either account may be one that no file has told of yet.",
    body: z.strictObject({ ...target, account: number, portfolio: number }),
    output: accountsSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedAccounts }, { who }, { account, portfolio, ...of }) =>
      feedAccounts.link(who, of, { account, portfolio }),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/unlink-account",
    operation: "unlinkFeedAccount",
    summary: "Make a cash account a portfolio of its own",
    order: "as accounts",
    description: "At once, and whatever letter and rules say, until it is linked again.",
    body: z.strictObject({ ...target, account: number }),
    output: accountsSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedAccounts }, { who }, { account, ...of }) => feedAccounts.unlink(who, of, account),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/reconcile",
    reads: true,
    operation: "reconcileDataFeed",
    summary:
      "List where statements of a connection's accounts do not follow from those before and the movements between",
    order: "newest first, at most 1,000 of both",
    description: "Nothing is mended. It shows positions of a client: who looked is in the audit trail.",
    body: z.strictObject(target),
    output: differencesSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ feedDifferences }, { who }, body) => feedDifferences.list(who, body),
  }),
] as const satisfies readonly Endpoint<Actor>[];
