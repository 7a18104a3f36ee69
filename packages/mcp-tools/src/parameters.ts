import { calendarDate, currencyCode, decimalParameter, isStorableText, opaqueId } from "@org/core";
import { z } from "zod";

/** An opaque id (contract §9): whatever it is, an unknown one is `NOT_FOUND`. */
const id = opaqueId.refine(isStorableText, "must be text without NUL characters or lone surrogates");

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

export const connectorId = id.describe("Id of a bank's connector, from svc-connectors: starts a new connection.");
export const connectionId = id.describe(
  "Id of an existing connection to repair, that is, its credentials_token from svc-credentials or the connection_id of a session.",
);
export const sessionId = id.describe("The session_id that svc-create-connect-session answered.");
export const credentialsToken = id.describe(
  "Identifier of a bank connection, from svc-credentials; a session's connection_id is the same identifier.",
);

export const page = wholeNumber(1, 1_000_000).default(1).describe("Page to read, from 1.");
export const pageSize = wholeNumber(1, 500).default(50).describe("Rows per page, 1 to 500.");

/** `credentials_token` of the data tools. */
export const credentialsTokens = oneOrMany(id, "credentials tokens")
  .optional()
  .describe(
    "Bank connection to read, or a list of them, from svc-credentials. Left out: all bank connections together.",
  );

export const currencies = oneOrMany(currencyCode, "three-letter currency codes (ISO 4217)")
  .optional()
  .describe("Only rows in this currency (ISO 4217 code such as EUR), or in one of a list.");

/** A filter on a type or subtype. @param meaning what the codes mean, for the model */
export function typeFilter(names: readonly string[], meaning: string) {
  return oneOrMany(nameOf(names), `values ${names.join(", ")}`)
    .optional()
    .describe(`Only rows of this kind, or of one of a list. ${meaning}`);
}

export const minBalance = z
  .union(decimalParameter.options, 'must be a decimal number below 10^15, or a decimal string such as "1523.47"')
  .optional()
  .describe(
    'Only rows whose balance is at least this, in the row\'s own currency: a number, or a decimal string such as "1523.47".',
  );

/** Id of a row that another data tool answered. @param of what it narrows and where the id comes from */
export function rowId(of: string) {
  return id.optional().describe(of);
}

/** One end of a period. */
export function day(which: string) {
  return calendarDate.optional().describe(`${which} day of the period, as YYYY-MM-DD; that day is included.`);
}

/** The item fields to answer. */
export function fieldList<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z
    .array(z.enum(names, `must be one of ${names.join(", ")}`), `must be a list of ${names.join(", ")}`)
    .min(1, `must name at least one of ${names.join(", ")}`)
    .max(MAX_LIST)
    .optional()
    .describe("Fields of each row to answer, exactly these; left out: all. Ask for fewer to read more rows at once.");
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
