import {
  type CoreError,
  currencyTotalSchema,
  type DataAnswer,
  invalid,
  invalidValue,
  type Page,
  sourceCountsSchema,
  sourceSchema,
} from "@org/core";
import { z } from "zod";
import { lengthsOfElements } from "./element-lengths.js";

/**
 * Default for the maximum number of characters of an answer's text (`ANSWER_MAX_CHARACTERS`): clients refuse answers of more than
 * 25,000 tokens. Only the text counts, not its copy as structured content: a model gets one of the two.
 */
export const ANSWER_MAX_CHARACTERS = 75_000;

const count = z.int().min(0);

/** Schema of an answer with a page of items. */
export function pageAnswerSchema<Item extends z.ZodType, More extends z.ZodRawShape>(item: Item, more: More) {
  return z.object({
    items: z.array(item),
    page: count.describe("The page that was asked for."),
    page_size: count,
    pages: count.describe("Number of pages at this page_size; 0 when nothing matches."),
    total: count.describe("Rows that match, on all pages together."),
    hint: z.string().optional().describe("What to do next, where there are more pages, or none like this."),
    ...more,
  });
}

/**
 * Schema of a data tool's answer. Every field of a row is optional, because `fields` selects among them. Facts, which a row only has when
 * they are named, appear only in the description of `fields`, to keep the tool list short.
 */
export function dataSchema<Row extends z.ZodObject>(row: Row) {
  const item = row.partial().extend({ credentials_token: z.string().optional() }).loose();
  return pageAnswerSchema(item, {
    totals: z
      .array(currencyTotalSchema)
      .describe(
        "Sum of balances per currency over all rows that match, not only this page; in order of the currency code. Not in the sum, to be said to the user: rows_without_balance (unknown) and rows_notional (notionals of contracts).",
      ),
    sources: z
      .array(sourceSchema)
      .describe(
        "With credentials_token: the state of each connection named. Without: those that are not ok, the worst first, 50 at most. pending = no data yet, stale = last good data, error = no data. Say so to the user.",
      ),
    source_counts: sourceCountsSchema.describe("All bank connections read, by state."),
    snapshot: z.string().describe("Give it back as `snapshot` to read further pages of this same state of the data."),
  });
}

/** A page without its items; pages of data also name their snapshot. `hint` follows the hint about pages. */
type PageTail = Omit<Page<unknown>, "items"> & { readonly snapshot?: string; readonly hint?: string };

/** Returns the JSON text of a service's page. @param most maximum number of characters @throws CoreError as {@link pageTextOf} */
export function pageText(page: Page<unknown> & { readonly hint?: string }, most: number): string {
  const { items, ...rest } = page;
  return pageTextOf(JSON.stringify(items), rest, most);
}

/** Returns the JSON text of a data tool's answer. @param most maximum number of characters @throws CoreError as {@link pageTextOf} */
export function dataText({ items_json, ...rest }: DataAnswer, most: number): string {
  const hint = hintOfSources(rest);
  return pageTextOf(items_json, hint === undefined ? rest : { ...rest, hint }, most);
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

/**
 * Returns the JSON text of an answer whose items are JSON text already.
 * @param most maximum number of characters
 * @throws CoreError VALIDATION_ERROR on `page_size`, naming the largest that fits, when the answer would be longer
 */
export function pageTextOf(itemsJson: string, rest: PageTail, most: number): string {
  const hint = hintOf(rest);
  const tail = JSON.stringify(hint === undefined ? rest : { ...rest, hint });
  if (FRAME + itemsJson.length + tail.length <= most) return `{"items":${itemsJson},${tail.slice(1)}`;
  const { hint: _, ...bare } = rest;
  throw tooLong(itemsJson, JSON.stringify(bare).length, rest, most);
}

/** Number of characters that the hint adds to the tail. */
function hintLength(rest: PageTail): number {
  const hint = hintOf(rest);
  return hint === undefined ? 0 : ',"hint":'.length + JSON.stringify(hint).length;
}

/** Returns what the reader of this page should know; undefined when there is nothing. */
function hintOf(tail: PageTail): string | undefined {
  const hints = [hintOfPages(tail), tail.hint].filter((hint) => hint !== undefined);
  return hints.length > 0 ? hints.join(" ") : undefined;
}

/** Returns the hint about other pages; undefined on the last page, and when nothing matches. */
function hintOfPages({ page, pages, snapshot }: PageTail): string | undefined {
  if (page < pages)
    return `There is more: page ${page} of ${pages}. Go on with page=${page + 1}${snapshot === undefined ? "" : ` and snapshot=${snapshot}`}, or narrow the filters.`;
  return pages > 0 && page > pages ? `There is no page ${page}: the last one is ${pages}.` : undefined;
}

/** Characters before the items of an answer: `{"items":` + items + `,` + tail without its brace. */
const FRAME = '{"items":'.length;

function tooLong(itemsJson: string, tailLength: number, rest: PageTail, most: number): CoreError {
  const lengths = lengthsOfElements(itemsJson);
  if (FRAME + "[]".length + tailLength > most)
    return invalid(
      invalidValue(
        "credentials_token",
        `the list of sources alone has more than the ${most} characters of an answer: name fewer bank connections`,
      ),
    );
  const largest = largestPage(lengths, tailLength, rest, most);
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
  tailLength: number,
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
    const tail =
      tailLength + digits(size) - digits(page_size) + digits(smaller.pages) - digits(pages) + hintLength(smaller);
    const rows = page === 1 ? sum(lengths.slice(0, size)) : longestRun(lengths, size);
    if (FRAME + "[]".length + rows + (size - 1) + tail <= most) return size;
  }
  return 0;
}

function longestRun(lengths: readonly number[], size: number): number {
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
