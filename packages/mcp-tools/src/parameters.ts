import {
  calendarDate,
  codesArgument,
  connectionsArgument,
  currenciesArgument,
  fieldsArgument,
  flagArgument,
  idArgument as id,
  languageTag,
  minBalanceArgument,
  pageArgument,
  pageSizeArgument,
  searchArgument,
} from "@org/core";

/** An id in the right format that does not exist. */
const EXAMPLE_ID = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";

/** Part of a name, compared without case and accents. */
export const searchText = searchArgument;

export const connectorIdArgument = id.meta({
  description: "Id of a bank's connector, from svc-connectors: starts a new connection.",
  examples: ["esp:example-bank"],
});
export const connectionId = id.describe(
  "Id of an existing connection to repair, that is, its credentials_token from svc-credentials or the connection_id of a session.",
);
export const sessionId = id.describe("The session_id that svc-create-connect-session answered.");
export const language = languageTag.meta({
  description:
    "Language of the page that the user sees (BCP 47): en, es, fr or de, whatever the region. In any other, or left out, the user's browser decides.",
  examples: ["de", "fr-CH"],
});
export const credentialsToken = id.meta({
  description:
    "Identifier of a bank connection, from svc-credentials; a session's connection_id is the same identifier.",
  examples: [EXAMPLE_ID],
});

/** Published beside a required `credentials_token`, which it replaces: see `otherName` of a tool. */
export const sameConnection = id.optional().describe("Another name of credentials_token.");

export const page = pageArgument.default(1).describe("Page to read, from 1.");

/** @param fits how many rows fit into an answer of the default maximum length; a test measures it */
export function pageSize(fits: string) {
  return pageSizeArgument.default(50).describe(`Rows per page, 1 to 500; ${fits}.`);
}

/** `credentials_token` of the data tools. */
export const credentialsTokens = connectionsArgument.optional().meta({
  description:
    "Bank connection to read, or a list of them, from svc-credentials. Left out: all bank connections together, in one call.",
  examples: [EXAMPLE_ID],
});

export const currencies = currenciesArgument.optional().meta({
  description: "Only rows in this currency (ISO 4217), or in one of a list.",
  examples: ["EUR", ["CHF", "USD"]],
});

/** A filter by type or subtype. @param meaning meanings of the codes, for the model */
export function typeFilter(names: readonly string[], meaning: string, examples: unknown[]) {
  return codesArgument(names)
    .optional()
    .meta({ description: `Only rows of this kind, or of one of a list. ${meaning}`, examples });
}

export const minBalance = minBalanceArgument.optional().meta({
  description: "Only rows whose balance is at least this, in the row's own currency: a number or a decimal string.",
  examples: [10_000, "1523.47"],
});

/** Id of a row from another data tool. @param of what it narrows and where the id comes from */
export function rowId(of: string) {
  return id.optional().describe(of);
}

/** First or last day of a period. */
export function day(which: string) {
  return calendarDate.optional().meta({
    description: `${which} day of the period, as YYYY-MM-DD; that day is included.`,
    examples: [which === "First" ? "2026-01-01" : "2026-03-31"],
  });
}

/** The item fields to return. @param facts fields that a row only has when they are named */
export function fieldList<
  const Names extends readonly [string, ...string[]],
  const Facts extends readonly string[] = readonly [],
>(names: Names, facts?: Facts) {
  return fieldsArgument([...names, ...((facts ?? []) as Facts)])
    .optional()
    .meta({
      description: `Fields of each row to answer; left out: all${facts ? ` before ${facts[0]}; the others are null where the bank tells none` : ""}. Name few: more rows fit.`,
      examples: [names.filter((name) => ["name", "balance", "currency", "operationDate"].includes(name))],
    });
}

/** Parameters of paging, projection and source that all data tools share. */
export const dataParameters = {
  page,
  page_size: pageSize(
    "about 200 whole rows fit into one answer, 500 with three fields, 50 however long the names; a page that does not fit is refused with how many do",
  ),
  include_source_token: flagArgument
    .default(false)
    .describe("Adds to each row the credentials_token of the bank connection that it comes from."),
  snapshot: id
    .optional()
    .describe("The `snapshot` of an earlier answer: reads further pages of that same state of the data."),
};
