import { addDecimals } from "@org/core/decimal";

/** The tools that have a view. */
export const shownTools = ["svc-portfolios", "svc-investments"] as const;
export type ShownTool = (typeof shownTools)[number];

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

/** One bank connection and how far its data can be trusted. */
export interface Source {
  readonly credentials_token: string;
  readonly bank: string;
  readonly as_of: string | null;
  readonly state: "ok" | "pending" | "stale" | "error";
  readonly message: string | null;
}

/** The answer of one of the tools. */
export interface Answer {
  readonly rows: readonly Row[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly totals: readonly { readonly currency: string; readonly balance: string }[];
  /** The connections that the server listed: those that are not up to date, or those that the call named. */
  readonly sources: readonly Source[];
  /** How many connections were read, and how many of them are up to date. */
  readonly connections: number;
  readonly upToDate: number;
  readonly snapshot: string | null;
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
const needed: Readonly<Record<ShownTool, readonly (keyof Row)[]>> = {
  "svc-portfolios": ["id", "name", "balance", "currency", "refAccount", "type"],
  "svc-investments": ["id", "name", "isin", "amount", "balance", "currency", "valuation_date", "type", "subtype"],
};

/** Reads a tool's result: the answer, or the server's refusal; null if it is neither. */
export function readResult(result: unknown): Answer | { readonly refusal: string } | null {
  if (!isObject(result)) return null;
  const document = isObject(result.structuredContent) ? result.structuredContent : parsed(firstText(result.content));
  if (result.isError === true) return { refusal: refusalIn(document) ?? firstText(result.content) ?? "" };
  return readAnswer(document);
}

/** The connection of all rows, if there is only one and the server named it. */
export function singleSource({ sources, connections }: Answer): Source | undefined {
  return connections === 1 ? sources[0] : undefined;
}

/** Whether an answer holds all rows with every field shown, so that nothing has to be fetched. */
export function isWhole(tool: ShownTool, result: unknown, answer: Answer): boolean {
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

/** The sources of both, without duplicates; the later one wins. */
export function mergeSources(before: readonly Source[], later: readonly Source[]): readonly Source[] {
  return [...new Map([...before, ...later].map((source) => [source.credentials_token, source])).values()];
}

function readAnswer(document: unknown): Answer | null {
  if (!isObject(document) || !Array.isArray(document.items) || !Array.isArray(document.sources)) return null;
  const sources = listIn(document.sources).map((source) => ({
    credentials_token: textIn(source.credentials_token) ?? "",
    bank: textIn(source.bank) ?? "",
    as_of: textIn(source.as_of),
    state: stateIn(source.state),
    message: textIn(source.message),
  }));
  return {
    rows: document.items.filter(isObject).map(rowOf),
    page: countIn(document.page),
    pages: countIn(document.pages),
    total: countIn(document.total),
    totals: totalsIn(document.totals),
    sources,
    ...countsIn(document.source_counts, sources),
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

/** Older servers list all connections instead of counting them. */
function countsIn(counts: unknown, sources: readonly Source[]): Pick<Answer, "connections" | "upToDate"> {
  if (!isObject(counts))
    return { connections: sources.length, upToDate: sources.filter(({ state }) => state === "ok").length };
  const upToDate = countIn(counts.ok);
  return { connections: upToDate + countIn(counts.pending) + countIn(counts.stale) + countIn(counts.error), upToDate };
}

function rowOf(item: Record<string, unknown>): Row {
  const read = (column: keyof Row) =>
    column === "amount" || column === "balance" ? decimalIn(item[column]) : textIn(item[column]);
  return Object.fromEntries(columns.map((column) => [column, read(column)])) as unknown as Row;
}

function refusalIn(document: unknown): string | null {
  const error = isObject(document) ? document.error : undefined;
  if (!isObject(error) || typeof error.message !== "string") return null;
  return error.message;
}

/** An unknown state counts as not up to date. */
function stateIn(state: unknown): Source["state"] {
  return state === "ok" || state === "pending" || state === "stale" ? state : "error";
}

function firstText(content: unknown): string | null {
  return textIn(listIn(content)[0]?.text);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

function countIn(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0;
}

function textIn(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function decimalIn(value: unknown): string | null {
  return typeof value === "string" && /^-?\d{1,60}(\.\d{1,60})?$/.test(value) ? value : null;
}

function listIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
