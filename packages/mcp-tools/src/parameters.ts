import { calendarDate, currencyCode, decimalParameter, isStorableText, opaqueId } from "@org/core";
import { z } from "zod";

/** An opaque id (contract §9): whatever it is, an unknown one is `NOT_FOUND`. */
const id = opaqueId.refine(isStorableText, "must be text without NUL characters or lone surrogates");

/** What our ids look like; there is nothing behind this one. */
const EXAMPLE_ID = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";

/** At most as many entries as a page has rows. */
const MAX_LIST = 500;

/** One value or a list of them. @param what plural noun for the message, such as `strings` */
function oneOrMany<T extends z.ZodType>(value: T, what: string) {
  return z.union(
    [value, z.array(value).min(1).max(MAX_LIST)],
    `must be one of the allowed ${what}, or a list of 1 to ${MAX_LIST} of them`,
  );
}

/** A whole number whose every fault states both bounds. */
function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number between ${least} and ${most}`;
  return z.int(rule).min(least, rule).max(most, rule);
}

/** One of `names` in any case; the JSON schema lists them as they are documented. */
function nameOf(names: readonly string[]) {
  return z
    .string(`must be one of ${names.join(", ")}`)
    .refine((text) => names.includes(text.toUpperCase()), `must be one of ${names.join(", ")}`)
    .meta({ enum: [...names] });
}

/** Part of a name, compared without case. */
export const searchText = z
  .string("must be a string")
  .max(200, "must have at most 200 characters")
  .refine(isStorableText, "must be text without NUL characters or lone surrogates");

export const connectorId = id.meta({
  description: "Id of a bank's connector, from svc-connectors: starts a new connection.",
  examples: ["esp:example-bank"],
});
export const connectionId = id.describe(
  "Id of an existing connection to repair, that is, its credentials_token from svc-credentials or the connection_id of a session.",
);
export const sessionId = id.describe("The session_id that svc-create-connect-session answered.");
export const credentialsToken = id.meta({
  description:
    "Identifier of a bank connection, from svc-credentials; a session's connection_id is the same identifier.",
  examples: [EXAMPLE_ID],
});

export const page = wholeNumber(1, 1_000_000).default(1).describe("Page to read, from 1.");
export const pageSize = wholeNumber(1, 500)
  .default(50)
  .describe("Rows per page, 1 to 500. More rows with fewer fields: 500 holdings need fields to fit into one answer.");

/** `credentials_token` of the data tools. */
export const credentialsTokens = oneOrMany(id, "credentials tokens")
  .optional()
  .meta({
    description:
      "Bank connection to read, or a list of them, from svc-credentials. Left out: all bank connections together, in one call.",
    examples: [EXAMPLE_ID],
  });

export const currencies = oneOrMany(currencyCode, "three-letter currency codes (ISO 4217)")
  .optional()
  .meta({
    description: "Only rows in this currency (ISO 4217), or in one of a list.",
    examples: ["EUR", ["CHF", "USD"]],
  });

/** A filter on a type or subtype. @param meaning what the codes mean, for the model */
export function typeFilter(names: readonly string[], meaning: string, examples: unknown[]) {
  return oneOrMany(nameOf(names), `values ${names.join(", ")}`)
    .optional()
    .meta({ description: `Only rows of this kind, or of one of a list. ${meaning}`, examples });
}

export const minBalance = z
  .union(decimalParameter.options, 'must be a decimal number below 10^15, or a decimal string such as "1523.47"')
  .optional()
  .meta({
    description: "Only rows whose balance is at least this, in the row's own currency: a number or a decimal string.",
    examples: [10_000, "1523.47"],
  });

/** Id of a row that another data tool answered. @param of what it narrows and where the id comes from */
export function rowId(of: string) {
  return id.optional().describe(of);
}

/** One end of a period. */
export function day(which: string) {
  return calendarDate.optional().meta({
    description: `${which} day of the period, as YYYY-MM-DD; that day is included.`,
    examples: [which === "First" ? "2026-01-01" : "2026-03-31"],
  });
}

/** The item fields to answer. */
export function fieldList<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z
    .array(z.enum(names, `must be one of ${names.join(", ")}`), `must be a list of ${names.join(", ")}`)
    .min(1, `must name at least one of ${names.join(", ")}`)
    .max(MAX_LIST)
    .optional()
    .meta({
      description:
        "Fields of each row to answer, exactly these; left out: all. Name the few that the question needs: answers get shorter, and more rows fit.",
      examples: [names.filter((name) => ["name", "balance", "currency", "operationDate"].includes(name))],
    });
}

/** Parameters of paging, projection and source that all data tools share. */
export const dataParameters = {
  page,
  page_size: pageSize,
  include_source_token: z
    .boolean("must be true or false")
    .default(false)
    .describe("Adds to each row the credentials_token of the bank connection that it comes from."),
  snapshot: id
    .optional()
    .describe("The `snapshot` of an earlier answer: reads further pages of that same state of the data."),
};
