import { addDecimals } from "@org/core/decimal";
import type { Paged, Reading, Source } from "./reading.js";
import { decimalIn, documentIn, isObject, listIn, pageIn, refusalIn, sourcesIn, textIn } from "./untrusted.js";

/** The tools of rows that have a view. */
export const rowTools = ["svc-portfolios", "svc-investments"] as const;
export type RowTool = (typeof rowTools)[number];

/** A row of either tool; null for fields that the tool lacks or that were not requested. */
export interface Row {
  readonly id: string | null;
  readonly name: string | null;
  readonly isin: string | null;
  readonly refAccount: string | null;
  /** Units, an exact decimal. */
  readonly amount: string | null;
  /** Value in `currency`, an exact decimal. */
  readonly balance: string | null;
  readonly currency: string | null;
  readonly valuation_date: string | null;
  readonly type: string | null;
  readonly subtype: string | null;
  readonly credentials_token: string | null;
}

/** The answer of one of the tools. */
export interface Answer extends Paged {
  readonly rows: readonly Row[];
  readonly totals: readonly { readonly currency: string; readonly balance: string }[];
}

/** How the answers of a tool of rows are read. */
export function rowReading(tool: RowTool): Reading<Answer> {
  return {
    ...{ readResult, pageRequest, unnamedConnections, ownPages: 1 },
    isWhole: (result, answer) => isWhole(tool, result, answer),
  };
}

/** Rows on a page that the view requests itself. */
export const PAGE_SIZE = 100;
/** Page size where rows are so long that an answer cannot hold that many. */
export const SMALL_PAGE_SIZE = 20;
const columns = [
  "id",
  "name",
  "isin",
  "refAccount",
  "amount",
  "balance",
  "currency",
  "valuation_date",
  "type",
  "subtype",
  "credentials_token",
] as const satisfies readonly (keyof Row)[];
const needed: Readonly<Record<RowTool, readonly (keyof Row)[]>> = {
  "svc-portfolios": ["id", "name", "balance", "currency", "refAccount", "type"],
  "svc-investments": ["id", "name", "isin", "amount", "balance", "currency", "valuation_date", "type", "subtype"],
};

/** Reads a tool's result: the answer, or the server's refusal; null if it is neither. */
export function readResult(result: unknown): Answer | { readonly refusal: string } | null {
  if (!isObject(result)) return null;
  const refusal = refusalIn(result);
  return refusal === null ? readAnswer(documentIn(result)) : { refusal };
}

/** The connection of all rows, if there is only one and the server named it. */
export function singleSource({ sources, connections }: Answer): Source | undefined {
  return connections === 1 ? sources[0] : undefined;
}

/** Whether an answer holds all rows with every field shown, so that nothing has to be fetched. */
export function isWhole(tool: RowTool, result: unknown, answer: Answer): boolean {
  const items = isObject(result) && isObject(result.structuredContent) ? result.structuredContent.items : null;
  if (answer.rows.length < answer.total || !Array.isArray(items)) return false;
  const asked = singleSource(answer) ? needed[tool] : [...needed[tool], "credentials_token"];
  return items.every((item) => isObject(item) && asked.every((field) => field in item));
}

/** Arguments for a page with every field shown, of the same query and snapshot; its totals are by currency alone. */
export function pageRequest(
  args: Readonly<Record<string, unknown>>,
  page: number,
  snapshot: string | null,
  pageSize = PAGE_SIZE,
): Record<string, unknown> {
  const { fields: _, snapshot: __, totals_by: ___, totals_only: ____, ...filters } = args;
  return {
    ...filters,
    page,
    page_size: pageSize,
    include_source_token: true,
    ...(snapshot !== null && { snapshot }),
  };
}

/** The most connections that one call may name. */
const MAX_NAMED = 100;

/** Connections whose rows are shown but which the server did not list, because they are up to date; the first 100 of them. */
export function unnamedConnections({ rows, sources }: Answer): readonly string[] {
  const told = new Set(sources.map(({ credentials_token }) => credentials_token));
  const tokens = new Set(rows.flatMap(({ credentials_token }) => credentials_token ?? []));
  return [...tokens].filter((token) => !told.has(token)).slice(0, MAX_NAMED);
}

/** Arguments of a call that returns the banks of these connections and little else. */
export function bankRequest(connections: readonly string[], snapshot: string | null): Record<string, unknown> {
  return {
    credentials_token: connections,
    page: 1,
    page_size: 1,
    fields: ["id"],
    ...(snapshot !== null && { snapshot }),
  };
}

function readAnswer(document: unknown): Answer | null {
  if (!isObject(document) || !Array.isArray(document.items) || !Array.isArray(document.sources)) return null;
  return {
    rows: document.items.filter(isObject).map(rowOf),
    ...pageIn(document),
    totals: totalsIn(document.totals),
    ...sourcesIn(document),
    snapshot: textIn(document.snapshot),
  };
}

/** The total of each currency; the model may have asked for totals that are divided further. */
function totalsIn(totals: unknown): Answer["totals"] {
  const sums = new Map<string, string>();
  for (const { currency, balance } of listIn(totals)) {
    const sum = decimalIn(balance);
    if (typeof currency === "string" && sum !== null) sums.set(currency, addDecimals(sums.get(currency) ?? "0", sum));
  }
  return [...sums].map(([currency, balance]) => ({ currency, balance }));
}

function rowOf(item: Record<string, unknown>): Row {
  const read = (column: keyof Row) =>
    column === "amount" || column === "balance" ? decimalIn(item[column]) : textIn(item[column]);
  return Object.fromEntries(columns.map((column) => [column, read(column)])) as unknown as Row;
}
