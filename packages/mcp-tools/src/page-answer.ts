import {
  type CoreError,
  currencyTotalSchema,
  type DataAnswer,
  invalid,
  invalidValue,
  type Page,
  sourceSchema,
} from "@org/core";
import { z } from "zod";
import { lengthsOfElements } from "./element-lengths.js";

/** Answers stay below this many characters, because clients cut or refuse longer ones (contract §4). */
export const ANSWER_LIMIT = 150_000;

const count = z.int().min(0);

/** Schema of an answer with a page of items. */
export function pageSchema<Item extends z.ZodType, More extends z.ZodRawShape>(item: Item, more: More) {
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

/** Schema of a data tool's answer. `fields` picks among the fields of a row, so none of them is sure to be there. */
export function dataSchema<Row extends z.ZodObject>(row: Row) {
  const item = row.partial().extend({ credentials_token: z.string().optional() });
  return pageSchema(item, {
    totals: z
      .array(currencyTotalSchema)
      .describe("Sum of balances per currency over all rows that match, not only this page."),
    sources: z
      .array(sourceSchema)
      .describe(
        "State of each bank connection read: ok, pending (no data yet), stale (last good data), error (no data). Say so to the user when it is not ok.",
      ),
    snapshot: z.string().describe("Give it back as `snapshot` to read further pages of this same state of the data."),
  });
}

/** A page without its items; pages of data also name the state that they were read from. */
type PageTail = Omit<Page<unknown>, "items"> & { readonly snapshot?: string; readonly hint?: string };

/** JSON text of a page of a service. */
export function pageText(page: Page<unknown>): string {
  const { items, ...rest } = page;
  return pageTextOf(JSON.stringify(items), rest);
}

/** JSON text of a data tool's answer. @throws CoreError VALIDATION_ERROR when the page is too long for one answer */
export function dataText({ items_json, ...rest }: DataAnswer): string {
  return pageTextOf(items_json, rest.sources.length === 0 ? { ...rest, hint: NO_BANK } : rest);
}

const NO_BANK = "No bank is connected yet: find one with svc-connectors and start with svc-create-connect-session.";

/**
 * JSON text of an answer whose items are JSON text already.
 * @throws CoreError VALIDATION_ERROR on `page_size`, naming the largest that fits, when the text would reach {@link ANSWER_LIMIT}
 */
export function pageTextOf(itemsJson: string, rest: PageTail): string {
  const hint = hintOf(rest);
  const tail = JSON.stringify(hint === undefined ? rest : { ...rest, hint });
  if (FRAME + itemsJson.length + tail.length < ANSWER_LIMIT) return `{"items":${itemsJson},${tail.slice(1)}`;
  throw tooLong(itemsJson, JSON.stringify(rest).length, rest);
}

/** Characters that the hint adds to the tail. */
function hintLength(rest: PageTail): number {
  const hint = hintOf(rest);
  return hint === undefined ? 0 : ',"hint":'.length + JSON.stringify(hint).length;
}

/** What the reader of this page should know about the others; undefined on the last, and when nothing matches at all. */
function hintOf({ page, pages, snapshot }: PageTail): string | undefined {
  if (page < pages)
    return `There is more: page ${page} of ${pages}. Go on with page=${page + 1}${snapshot === undefined ? "" : ` and snapshot=${snapshot}`}, or narrow the filters.`;
  return pages > 0 && page > pages ? `There is no page ${page}: the last one is ${pages}.` : undefined;
}

/** Characters of an answer around its items and its tail: `{"items":` + items + `,` + tail without its brace. */
const FRAME = '{"items":'.length;

function tooLong(itemsJson: string, tailLength: number, rest: PageTail): CoreError {
  const lengths = lengthsOfElements(itemsJson);
  if (FRAME + "[]".length + tailLength >= ANSWER_LIMIT)
    return invalid(
      invalidValue(
        "credentials_token",
        `the list of sources alone would reach ${ANSWER_LIMIT} characters: name fewer bank connections`,
      ),
    );
  const largest = largestPage(lengths, tailLength, rest);
  const rule =
    largest > 0
      ? `must be at most ${largest} here, so that the answer stays below ${ANSWER_LIMIT} characters`
      : `not even one row stays below ${ANSWER_LIMIT} characters: ask for fewer fields`;
  return invalid(invalidValue("page_size", rule));
}

/**
 * The most rows that fit. On the first page these are the first rows; on a later one a smaller page would begin at another row,
 * so that any run of that many of the rows at hand has to fit.
 */
function largestPage(
  lengths: readonly number[],
  tailLength: number,
  { page, page_size, pages, total, snapshot }: PageTail,
): number {
  for (let size = lengths.length - 1; size > 0; size--) {
    const smaller = { page, page_size: size, pages: Math.ceil(total / size), total, ...(snapshot && { snapshot }) };
    const tail =
      tailLength + digits(size) - digits(page_size) + digits(smaller.pages) - digits(pages) + hintLength(smaller);
    const rows = page === 1 ? sum(lengths.slice(0, size)) : longestRun(lengths, size);
    if (FRAME + "[]".length + rows + (size - 1) + tail < ANSWER_LIMIT) return size;
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
