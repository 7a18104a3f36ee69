/** A page of a list: its request, its number of rows (null if never fetched), and the request of the next page. */
export interface Link {
  readonly asked: object;
  readonly rows: number | null;
  /** Null at the end; undefined while unknown. */
  readonly next: object | null | undefined;
}

/** How the known pages of a list are linked, without the rows themselves. */
export interface Chain {
  /** By index, from 0. Numbered pages may have gaps. */
  readonly pages: Readonly<Record<number, Link>>;
  /** For numbered pages, which allow random access: the rows per page and the total. */
  readonly numbered: Numbered | null;
  /** The visible rows, or those visible when the user left. */
  readonly view?: View;
}

interface Numbered {
  readonly pageSize: number;
  readonly total: number;
  /** When the server stated it, in milliseconds: older answers do not change it. */
  readonly fetchedAt: number;
  /** The snapshot of the first page, which the other pages use too. */
  readonly snapshot: string | null;
}

/** The first and last visible row. */
export interface View {
  readonly first: number;
  readonly last: number;
}

/** Browsers limit the height of a table; this stays below it. Rows beyond are found by searching. */
export const MAX_ROWS = 300_000;

/** A list that has not been fetched yet. */
export const EMPTY_CHAIN: Chain = { pages: { 0: { asked: {}, rows: null, next: undefined } }, numbered: null };

/**
 * Adds the answer of the page at a place to the chain, if that is still the same page. If the page now ends elsewhere because rows were added or
 * removed, the following pages are dropped. Only the size of the next one is kept, so that the visible rows do not jump. (Numbered pages keep their
 * places.)
 * @param answeredAt in milliseconds
 * @returns the same chain if nothing changed
 */
export function withAnswer(chain: Chain, at: number, asked: object, answer: unknown, answeredAt: number): Chain {
  const link = chain.pages[at];
  if (link === undefined || !isSame(link.asked, asked)) return chain;
  const numbered = numberedBy(chain.numbered, answer, answeredAt);
  const rows = (answer as { items?: readonly unknown[] }).items?.length ?? 0;
  const next = nextPage(answer) ?? null;
  const behind = chain.pages[at + 1];
  const isLinked = next !== null && (behind === undefined || isSame(behind.asked, next));
  if (rows === link.rows && isSame(link.next, next) && (isLinked || at === lastPlace(chain)))
    return numbered === chain.numbered ? chain : { ...chain, numbered };
  // The list now ends before the visible rows.
  if (numbered !== null && rows === 0 && at > 0)
    return {
      ...chain,
      pages: until(chain, at),
      numbered: { ...numbered, total: Math.min(numbered.total, at * numbered.pageSize) },
    };
  const page = { asked, rows, next };
  if (isLinked) return { ...chain, pages: { ...chain.pages, [at]: page }, numbered };
  const pages: Record<number, Link> = { ...until(chain, at), [at]: page };
  if (numbered === null && behind !== undefined && next !== null)
    pages[at + 1] = { asked: next, rows: behind.rows, next: undefined };
  return { ...chain, pages, numbered };
}

function until({ pages }: Chain, at: number): Record<number, Link> {
  return Object.fromEntries(Object.entries(pages).filter(([place]) => Number(place) < at));
}

function numberedBy(before: Numbered | null, answer: unknown, fetchedAt: number): Numbered | null {
  const { page, page_size: pageSize, total, snapshot } = answer as Record<string, unknown>;
  if (typeof page !== "number" || typeof pageSize !== "number" || typeof total !== "number") return null;
  if (before !== null && before.fetchedAt >= fetchedAt) return before;
  return { pageSize, total, fetchedAt, snapshot: typeof snapshot === "string" ? snapshot : null };
}

/** The chain with a new page. */
export function withPage(chain: Chain, at: number, asked: object): Chain {
  if (chain.pages[at] !== undefined) return chain;
  return { ...chain, pages: { ...chain.pages, [at]: { asked, rows: null, next: undefined } } };
}

/** The chain with the page after its last one, which is to be fetched; the same chain if there is none, or it is being fetched. */
export function withNext(chain: Chain): Chain {
  const last = lastPlace(chain);
  const next = chain.pages[last]?.next;
  return next == null ? chain : withPage(chain, last + 1, next);
}

/**
 * The request of a page; null if it is unknown. A page after a row keeps its rows when others are inserted before them; a page by number does not.
 */
export function pageRequestAt({ pages, numbered }: Chain, at: number): object | null {
  const known = pages[at]?.asked ?? pages[at - 1]?.next;
  if (known != null) return known;
  if (pages[0]?.next != null && "page_token" in pages[0].next) return null;
  return { page: at + 1, ...(numbered?.snapshot != null && { snapshot: numbered.snapshot }) };
}

/** The places of the pages to fetch now: the visible ones and, without numbers, one that has never been fetched. Beyond the end, the last page. */
export function placesIn(chain: Chain, view: View): readonly number[] {
  const end = rowsOf(chain) - 1;
  const first = Math.min(view.first, end);
  const last = Math.min(view.last, end);
  if (chain.numbered !== null) {
    const { pageSize } = chain.numbered;
    const from = Math.max(Math.floor(first / pageSize), 0);
    const count = Math.max(Math.floor(last / pageSize), from) - from + 1;
    return Array.from({ length: count }, (_, offset) => from + offset);
  }
  const places: number[] = [];
  let from = 0;
  for (let at = 0; at <= lastPlace(chain); at += 1) {
    const { rows = null, next } = chain.pages[at] ?? {};
    const until = from + (rows ?? 0);
    if (next === undefined || (from <= last && until > first)) places.push(at);
    from = until;
  }
  return places.length > 0 ? places : [lastPlace(chain)];
}

/** The number of rows known so far. */
export function rowsOf(chain: Chain): number {
  const last = lastPlace(chain);
  const { rows = null, next } = chain.pages[last] ?? {};
  if (chain.numbered === null || next === null) return chainStart(chain, last) + (rows ?? 0);
  return Math.min(chain.numbered.total, MAX_ROWS);
}

/** The first row of a page. */
export function chainStart({ pages, numbered }: Chain, at: number): number {
  if (numbered !== null) return at * numbered.pageSize;
  let begin = 0;
  for (let before = 0; before < at; before += 1) begin += pages[before]?.rows ?? 0;
  return begin;
}

/** The index of the last known page. */
export function lastPlace({ pages }: Chain): number {
  return Math.max(...Object.keys(pages).map(Number));
}

/** The request of the page after this one; undefined after the last. Pages of data stay on the snapshot of the first page. */
export function nextPage(page: unknown): { page_token: string } | { page: number; snapshot?: string } | undefined {
  const { next_page_token: token, page: number, pages, snapshot } = page as Record<string, unknown>;
  if (token !== undefined) return typeof token === "string" ? { page_token: token } : undefined;
  if (typeof number !== "number" || typeof pages !== "number" || number >= pages) return undefined;
  return { page: number + 1, ...(typeof snapshot === "string" && { snapshot }) };
}

function isSame(one: object | null | undefined, other: object | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
