import { z } from "zod";
import { AnswerFailure } from "../outage.js";
import type { NamedTransaction, TransactionData } from "../snapshot.js";
import { ReadInterrupted } from "./read-interrupted.js";

/** A page of transactions, and where the next one begins: a cursor, the last id, or a path; null = there is none. */
export interface HistoryPage {
  readonly rows: readonly TransactionData[];
  /** Transactions that the institution has taken back, wherever they were told. */
  readonly withdrawn?: readonly NamedTransaction[];
  readonly next: string | null;
}

/** Where a history that is read in several fetches stands. JSON, as a fetch's `state` is. */
export const historyPosition = z.object({
  /** Where the next page begins; null = with the first. */
  at: z.string().nullable(),
  /** The first day to read; null = from the beginning. */
  from: z.string().nullable(),
  /** When the reading began (ISO 8601): what came later is not known when it ends. */
  as_of: z.string(),
  /** How many pages have been read so far. */
  pages: z.number(),
});
export type HistoryPosition = z.output<typeof historyPosition>;

/** Some pages of a history. */
export interface HistoryPart {
  readonly rows: readonly TransactionData[];
  readonly withdrawn: readonly NamedTransaction[];
  /** Where to go on, and in how many seconds; null = the history has been read to its end. */
  readonly more: { readonly retry_after: number; readonly state: HistoryPosition } | null;
}

/** More pages than any history has: an institution that goes on is in a circle. */
const MAX_PAGES = 20_000;
/** A part with this many rows is handed over. */
const MAX_ROWS = 5_000;
/** Seconds until the next part, if nothing but its size or the time ended this one. */
const NEXT_PART = 1;
/** Seconds until the next attempt after a page that failed. */
const AFTER_FAILURE = 30;

/**
 * Reads pages on from a position, until the history ends, the time is over, or the institution wants fewer requests. What was read before a page that
 * failed is not lost: the part ends there, and the next one begins with that page. Rows that the institution repeats on two pages are one row in the
 * end, by their keys.
 * @param mayGoOn whether there is time for another page
 * @throws the failure of the first page of this part
 * @throws AnswerFailure for an institution whose pages do not end
 */
export async function readPages(
  page: (position: HistoryPosition) => Promise<HistoryPage>,
  position: HistoryPosition,
  mayGoOn: () => boolean,
): Promise<HistoryPart> {
  const rows: TransactionData[] = [];
  const withdrawn: NamedTransaction[] = [];
  let state = position;
  const later = (retry_after: number): HistoryPart => ({ rows, withdrawn, more: { retry_after, state } });
  for (;;) {
    const isFirst = state.pages === position.pages;
    if (!isFirst && (rows.length >= MAX_ROWS || !mayGoOn())) return later(NEXT_PART);
    let read: HistoryPage;
    try {
      read = await page(state);
    } catch (error) {
      if (error instanceof ReadInterrupted && "throttled" in error.end) return later(error.end.throttled.retry_after);
      if (isFirst || error instanceof ReadInterrupted) throw error;
      return later(AFTER_FAILURE);
    }
    rows.push(...read.rows);
    withdrawn.push(...(read.withdrawn ?? []));
    if (read.next === null) return { rows, withdrawn, more: null };
    if (read.next === state.at) throw new AnswerFailure("the institution names the same page as the next one");
    state = { ...state, at: read.next, pages: state.pages + 1 };
    if (state.pages >= MAX_PAGES) throw new AnswerFailure(`the institution has more than ${MAX_PAGES} pages`);
  }
}
