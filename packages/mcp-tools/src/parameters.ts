import {
  calendarDate,
  clientsArgument,
  codesArgument,
  connectionsArgument,
  currenciesArgument,
  fieldsArgument,
  flagArgument,
  groupsArgument,
  idArgument as id,
  isinsArgument,
  languageTag,
  minBalanceArgument,
  pageArgument,
  pageSizeArgument,
  searchArgument,
  sortArgument,
} from "@org/core";

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
export const credentialsToken = id.describe(
  "Identifier of a bank connection, from svc-credentials; a session's connection_id is the same identifier.",
);

/** Published beside a required `credentials_token`, which it replaces: see `otherName` of a tool. */
export const sameConnection = id.optional().describe("Another name of credentials_token.");

export const page = pageArgument.default(1).describe("From 1.");

/** @param fits how many rows fit into an answer of the default maximum length; a test measures it */
export function pageSize(fits: string) {
  return pageSizeArgument.default(50).describe(`Rows per page; ${fits}.`);
}

/** The clients whose connections or data are listed. */
export const clientRefs = clientsArgument.optional().describe("Only of this client, or a list.");

/** `credentials_token` of the data tools. */
export const credentialsTokens = connectionsArgument
  .optional()
  .describe("Bank connections to read: one or a list, from svc-credentials. Left out: all.");

export const currencies = currenciesArgument.optional().meta({
  description: "Only in this currency (ISO 4217), or one of a list.",
  examples: ["EUR", ["CHF", "USD"]],
});

/** A filter by type, subtype or kind. @param meaning meanings of the codes, for the model */
export function codeFilter(names: readonly string[], meaning: string, examples: unknown[]) {
  return codesArgument(names)
    .optional()
    .meta({ description: `One or a list: ${meaning}.`, examples });
}

/** A filter by a part of a text. @param what the text, and an example for it */
export function nameFilter(what: string) {
  return searchArgument.optional().describe(`Part of ${what}; case and accents do not matter.`);
}

export const isins = isinsArgument.optional().meta({ description: "One ISIN or a list.", examples: ["US0378331005"] });

/** Parameter `sort`. @param isByDefault what the order is when it is left out */
export function sortBy<const Names extends readonly [string, ...string[]]>(names: Names, isByDefault: string) {
  return sortArgument(names).optional().describe(`- is descending; left out: ${isByDefault}.`);
}

/** Parameter `totals_by`. */
export function totalsBy<const Names extends readonly [string, ...string[]]>(names: Names) {
  return groupsArgument(names).optional().describe("Divides totals by one, or by two in a list.");
}

export const minBalance = minBalanceArgument.optional().meta({
  description: "Least balance, in the row's own currency.",
  examples: [10_000, "1523.47"],
});

/** Id of a row from another data tool. @param of what it narrows and where the id comes from */
export function rowId(of: string) {
  return id.optional().describe(of);
}

/** First or last day of a period. */
export function day(which: string) {
  return calendarDate.optional().meta({
    description: `${which} day, inclusive.`,
    examples: [which === "First" ? "2026-01-01" : "2026-03-31"],
  });
}

/** The item fields to return. @param more fields that a row only has when they are named */
export function fieldList<
  const Names extends readonly [string, ...string[]],
  const More extends readonly [string, ...string[]],
>(names: Names, more: More) {
  return fieldsArgument([...names, ...more])
    .optional()
    .meta({
      description: `Fields of each row; left out: all before ${more[0]}. What is not known is null.`,
      examples: [names.filter((name) => ["name", "balance", "currency", "operationDate"].includes(name))],
    });
}

/** Parameters of paging, projection and source that all data tools share. */
export const dataParameters = {
  totals_only: flagArgument.default(false).describe("Answers totals without rows."),
  page,
  page_size: pageSize(
    "about 200 whole rows fit, 500 with three fields, 50 whatever names; more is refused with how many fit",
  ),
  include_source_token: flagArgument.default(false).describe("Adds its connection's credentials_token to each row."),
  snapshot: id.optional().describe("Of an earlier answer: its further pages, in the same state of the data."),
};
