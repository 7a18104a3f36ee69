import { AnswerFailure } from "../outage.js";
import type { TransactionData } from "../snapshot.js";

/** A page of transactions, and where the next one begins: a cursor, the last id, or a path; null = there is none. */
export interface HistoryPage {
  readonly rows: readonly TransactionData[];
  readonly next: string | null;
}

/** More pages than any history has: an institution that goes on is in a circle. */
const MAX_PAGES = 20_000;

/**
 * Reads all pages from the first, or from `at`. Rows that the institution repeats on two pages are one row in the end, by their keys.
 * @throws AnswerFailure for an institution whose pages do not end
 */
export async function readPages(
  page: (at: string | null) => Promise<HistoryPage>,
  at: string | null = null,
): Promise<readonly TransactionData[]> {
  const rows: TransactionData[] = [];
  let next = at;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { rows: read, next: following } = await page(next);
    rows.push(...read);
    if (following === null) return rows;
    if (following === next) throw new AnswerFailure("the institution names the same page as the next one");
    next = following;
  }
  throw new AnswerFailure(`the institution has more than ${MAX_PAGES} pages`);
}
