import {
  type CoreError,
  type DataAnswer,
  type DataRequest,
  invalid,
  invalidValue,
  type Page,
  sourceSchema,
} from "@org/core";
import { z } from "zod";
import { lengthsOfElements } from "./element-lengths.js";

/**
 * Default for the maximum number of characters of an answer's text (`ANSWER_MAX_CHARACTERS`): clients refuse answers of more than
 * 25,000 tokens. Only the text counts, not its copy as structured content: a model gets one of the two.
 */
export const ANSWER_MAX_CHARACTERS = 75_000;

const count = z.int();

/** Schema of an answer with a page of items. */
export function pageAnswerSchema<Item extends z.ZodType, More extends z.ZodRawShape>(item: Item, more: More) {
  return z.object({
    ...more,
    hint: z.string().optional().describe("What to know or do next."),
    page: count,
    page_size: count,
    pages: count.describe("Pages at this page_size."),
    total: count.describe("Rows that match, on all pages."),
    items: z.array(item),
  });
}

/**
 * Schema of a data tool's answer, as short as it is true, because every client hands it to its model: rows and totals are described by type alone.
 * Every field of a row is optional, because `fields` selects among them, and fields that a row has only when they are named are not listed.
 */
export function dataSchema(fields: readonly string[]) {
  const row = Object.fromEntries(fields.map((field) => [field, z.string().nullish()]));
  return pageAnswerSchema(z.object({ ...row, credentials_token: z.string().optional() }), {
    totals: z
      .array(z.object({ currency: z.string(), balance: z.string().nullable(), rows: count }))
      .describe(
        "Sums of balance by currency and totals_by, over all rows that match. Not in them, to be said to the user: rows_without_balance (unknown), rows_notional (notionals of contracts).",
      ),
    as_of: z
      .object({ oldest: z.string().nullable(), newest: z.string().nullable() })
      .describe("Say so where they are old."),
    sources: z
      .array(sourceSchema)
      .describe(
        "Connections that are not ok, the worst first, 50 at most; with credentials_token all that it names. pending = no data yet, stale = last good data, error = no data. Say so to the user.",
      ),
    source_counts: z.object({ ok: count }).describe("All connections read, by state."),
    snapshot: z.string().describe("For `snapshot`."),
  });
}

/** A page without its items; pages of data also name their snapshot, totals and sources. */
type PageTail = Omit<Page<unknown>, "items"> & {
  readonly snapshot?: string;
  readonly totals?: unknown;
  readonly as_of?: unknown;
  readonly sources?: unknown;
  readonly source_counts?: unknown;
  /** Follows the hint about pages. */
  readonly hint?: string | undefined;
  /** No rows were asked for: a hint about pages would mean nothing. */
  readonly hasNoRows?: boolean | undefined;
};

/** Returns the JSON text of a service's page. @param most maximum number of characters @throws CoreError as {@link pageTextOf} */
export function pageText(page: Page<unknown> & { readonly hint?: string }, most: number): string {
  return pageTextOf(JSON.stringify(page.items), page, most);
}

/** Returns the JSON text of a data tool's answer. @param most maximum number of characters @throws CoreError as {@link pageTextOf} */
export function dataText(answer: DataAnswer, request: DataRequest, most: number): string {
  const hints = [hintOfSources(answer), hintOfCurrencies(answer, request), hintOfPortfolios(answer, request)];
  const tail = { hint: joined(hints), hasNoRows: request.totals_only, ...answer };
  return pageTextOf(answer.items_json, tail, most);
}

/** Returns what the reader should know about connections that are not listed. */
function hintOfSources({ sources, source_counts }: Pick<DataAnswer, "sources" | "source_counts">): string | undefined {
  const { ok, pending, stale, error } = source_counts;
  const notOk = pending + stale + error;
  if (ok + notOk === 0)
    return "No bank is connected yet: find one with svc-connectors and start with svc-create-connect-session.";
  const listed = sources.filter(({ state }) => state !== "ok").length;
  return listed < notOk
    ? `sources lists ${listed} of the ${notOk} connections that are not ok: svc-credentials with include_status lists all.`
    : undefined;
}

/** Returns what to know about the order of rows whose balances cannot be compared. */
function hintOfCurrencies({ totals }: DataAnswer, { sort, totals_only }: DataRequest): string | undefined {
  return isMixed(totals) && !totals_only && sort?.endsWith("balance")
    ? "Rows are grouped by currency, the one with the largest total first."
    : undefined;
}

/** Returns why the total of a portfolio's holdings is not the portfolio's own balance. */
function hintOfPortfolios(
  { totals }: DataAnswer,
  { portfolio_id, totals_by }: DataRequest & { readonly portfolio_id?: unknown },
): string | undefined {
  const isByPortfolio = portfolio_id !== undefined || [totals_by].flat().includes("portfolio");
  const isPartial = isMixed(totals) || totals.some((total) => total.rows_without_balance ?? total.rows_notional);
  return isByPortfolio && isPartial
    ? "A portfolio's own balance, in svc-portfolios, may differ: it is in one currency and has what is no holding, such as cash, or has no balance here."
    : undefined;
}

function isMixed(totals: DataAnswer["totals"]): boolean {
  return totals.some(({ currency }) => currency !== totals[0]?.currency);
}

/**
 * Returns the JSON text of an answer whose items are JSON text already.
 * @param most maximum number of characters
 * @throws CoreError VALIDATION_ERROR on `page_size`, naming the largest that fits, when the answer would be longer
 */
export function pageTextOf(itemsJson: string, rest: PageTail, most: number): string {
  const head = headOf(rest, hintOf(rest));
  if (head.length + FRAME + itemsJson.length <= most) return `${head.slice(0, -1)},"items":${itemsJson}}`;
  throw tooLong(itemsJson, headOf(rest, undefined).length, rest, most);
}

/** The JSON text of an answer without its items: what sums it up first, then the hint, then the page. */
function headOf(rest: PageTail, hint: string | undefined): string {
  const { totals, as_of, sources, source_counts, page, page_size, pages, total, snapshot } = rest;
  return JSON.stringify({ totals, as_of, sources, source_counts, hint, page, page_size, pages, total, snapshot });
}

/** Number of characters that the hint adds to the head. */
function hintLength(rest: PageTail): number {
  const hint = hintOf(rest);
  return hint === undefined ? 0 : ',"hint":'.length + JSON.stringify(hint).length;
}

/** Returns what the reader of this page should know; undefined when there is nothing. */
function hintOf(tail: PageTail): string | undefined {
  return joined([tail.hasNoRows ? undefined : hintOfPages(tail), tail.hint]);
}

function joined(hints: readonly (string | undefined)[]): string | undefined {
  return hints.filter((hint) => hint !== undefined).join(" ") || undefined;
}

/** Returns the hint about other pages; undefined on the last page, and when nothing matches. */
function hintOfPages({ page, pages, snapshot }: PageTail): string | undefined {
  if (page < pages)
    return `There is more: page ${page} of ${pages}. Go on with page=${page + 1}${snapshot === undefined ? "" : ` and snapshot=${snapshot}`}, or narrow the filters.`;
  return pages > 0 && page > pages ? `There is no page ${page}: the last one is ${pages}.` : undefined;
}

/** Characters that the items of an answer add to its head, besides their own. */
const FRAME = ',"items":'.length;

function tooLong(itemsJson: string, headLength: number, rest: PageTail, most: number): CoreError {
  const lengths = lengthsOfElements(itemsJson);
  const [totals, sources] = [rest.totals, rest.sources].map((part = []) => JSON.stringify(part).length);
  if (headLength + FRAME + "[]".length > most)
    return Number(totals) > Number(sources)
      ? invalid(
          invalidValue(
            "totals_by",
            `the totals alone have more than the ${most} characters of an answer: divide them by less, or narrow the filters`,
          ),
        )
      : invalid(
          invalidValue(
            "credentials_token",
            `the list of sources alone has more than the ${most} characters of an answer: name fewer bank connections`,
          ),
        );
  const largest = largestPage(lengths, headLength, rest, most);
  const rule =
    largest > 0
      ? `must be at most ${largest} here, because an answer has at most ${most} characters`
      : `not even one row fits into the ${most} characters of an answer: ask for fewer fields`;
  return invalid(invalidValue("page_size", rule));
}

/**
 * Returns the largest number of rows that fits. On the first page these are the first rows. On a later page a smaller page size would
 * start at another row, so any run of that many rows must fit.
 */
function largestPage(
  lengths: readonly number[],
  headLength: number,
  { page, page_size, pages, total, snapshot, hint }: PageTail,
  most: number,
): number {
  for (let size = lengths.length - 1; size > 0; size--) {
    const smaller = {
      page,
      page_size: size,
      pages: Math.ceil(total / size),
      total,
      ...(snapshot && { snapshot }),
      ...(hint && { hint }),
    };
    const head =
      headLength + digits(size) - digits(page_size) + digits(smaller.pages) - digits(pages) + hintLength(smaller);
    const rows = page === 1 ? sum(lengths.slice(0, size)) : longestRun(lengths, size);
    if (head + FRAME + "[]".length + rows + (size - 1) <= most) return size;
  }
  return 0;
}

/** Returns the largest sum of `size` lengths in a row. */
export function longestRun(lengths: readonly number[], size: number): number {
  let run = sum(lengths.slice(0, size));
  let longest = run;
  for (let end = size; end < lengths.length; end++) {
    run += (lengths[end] ?? 0) - (lengths[end - size] ?? 0);
    if (run > longest) longest = run;
  }
  return longest;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function digits(number: number): number {
  return String(number).length;
}
