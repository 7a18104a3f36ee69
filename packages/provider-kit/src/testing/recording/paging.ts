import { replacedAt, valueAt } from "./json-values.js";
import { NUMBER, type Paging, type RecordedAnswer, type RecordedList } from "./recording.js";

/** How the suite divides a list: a row a page, the same with the last row again on the next page, or pages that never end. */
export type PageDivision = "split" | "overlap" | "endless";

/** The part of a query that chooses a page. */
const LINK = "suite_page";

/** The names in a query that choose the page, which no exchange states. */
export function pageNames(paging: Paging): readonly string[] {
  if ("cursor" in paging) return [paging.cursor];
  if ("link" in paging) return [LINK];
  return ["page" in paging ? paging.page : paging.offset];
}

/** The rows of an answer; null if it has no such list, as an error has none. */
export function rowsOf({ json }: RecordedAnswer, { rows }: RecordedList): readonly unknown[] | null {
  const found = valueAt(json, rows);
  return Array.isArray(found) ? found : null;
}

/** An answer with other rows. */
export function withRows(answer: RecordedAnswer, { rows }: RecordedList, by: readonly unknown[]): RecordedAnswer {
  return { ...answer, json: replacedAt(answer.json, rows, by) };
}

/** The page of a whole list for which a request asks; null if the list is not to be divided. */
export function pageOf(
  whole: RecordedAnswer,
  list: RecordedList,
  { url, division }: { readonly url: URL; readonly division: PageDivision | null },
): RecordedAnswer | null {
  const all = rowsOf(whole, list);
  const { pages } = list;
  if (!pages || all === null) return null;
  const size = "size" in pages ? pages.size : 1;
  const pagesOfRows = division === null ? [all] : dividedRows(all, division, size);
  if (pagesOfRows.length === 0) pagesOfRows.push([]);
  const isEndless = division === "endless";
  const asked =
    "last" in pages ? pageAfter(pages, url, pagesOfRows) : indexOf(pages, url, division === null ? all.length : size);
  if (asked === null) return null;
  // After the last row comes the last page again, or the first one.
  const endless = "last" in pages ? Math.min(asked, pagesOfRows.length - 1) : asked % pagesOfRows.length;
  const index = isEndless ? endless : asked;
  const page = withRows(whole, list, pagesOfRows[index] ?? []);
  if ("page" in pages) {
    const count = isEndless ? 1_000_000 : pagesOfRows.length;
    return pages.count === undefined ? page : { ...page, json: replacedAt(page.json, pages.count, count) };
  }
  if ("offset" in pages || "last" in pages) return page;
  const isLast = !isEndless && asked >= pagesOfRows.length - 1;
  if ("cursor" in pages) return withNext(page, pages.next, isLast ? null : `page-${isEndless ? 1 : asked + 1}`);
  const next = new URL(url);
  next.searchParams.set(LINK, String(isEndless ? 1 : asked + 1));
  const recorded = String(nextOf(whole, pages.link) ?? "/");
  return withNext(
    page,
    pages.link,
    isLast ? null : /^https?:/.test(recorded) ? next.href : `${next.pathname}${next.search}`,
  );
}

/**
 * Pages of a row each, which its repetitions fill up to their size: rows with one key are one. The last page is short where each row comes once, and
 * full where an empty page is to follow.
 */
function dividedRows(all: readonly unknown[], division: PageDivision, size: number): unknown[][] {
  return all.map((row, index) => {
    const rows = division === "overlap" && index > 0 ? [all[index - 1], row] : [row];
    const isShort = division === "split" && index === all.length - 1;
    return isShort ? rows : [...rows, ...Array.from({ length: size - rows.length }, () => row)];
  });
}

type PagedByLastRow = Extract<Paging, { last: string }>;

/** The number of the page after the row that a request names; the first one if it names none, or none that ends a page. */
function pageAfter({ cursor, last }: PagedByLastRow, url: URL, pages: readonly (readonly unknown[])[]): number {
  const asked = url.searchParams.get(cursor);
  return pages.findIndex((rows) => asked !== null && textOf(valueAt(rows.at(-1), last)) === asked) + 1;
}

/** The number of the page that a request asks for, from 0. */
function indexOf(pages: Exclude<Paging, PagedByLastRow>, url: URL, rowsOfPage: number): number | null {
  const [name = ""] = pageNames(pages);
  const asked = url.searchParams.get(name);
  if ("cursor" in pages) return asked === null ? 0 : /^page-\d+$/.test(asked) ? Number(asked.slice(5)) : null;
  if ("link" in pages) return Number(asked ?? 0);
  const number = asked === null ? pages.first : Number(asked);
  if (!Number.isInteger(number)) return null;
  return "page" in pages ? number - pages.first : Math.floor((number - pages.first) / Math.max(rowsOfPage, 1));
}

function textOf(value: unknown): string {
  return String(value).replace(NUMBER, "");
}

function nextOf({ json, headers }: RecordedAnswer, place: string): unknown {
  return place.startsWith("header:") ? headers[place.slice(7)] : valueAt(json, place);
}

function withNext(answer: RecordedAnswer, place: string, next: string | null): RecordedAnswer {
  if (!place.startsWith("header:")) return { ...answer, json: replacedAt(answer.json, place, next) };
  const { [place.slice(7)]: _, ...headers } = answer.headers;
  return { ...answer, headers: next === null ? headers : { ...headers, [place.slice(7)]: next } };
}
