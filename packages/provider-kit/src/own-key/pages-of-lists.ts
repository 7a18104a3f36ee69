import type { KeyReading } from "./own-key-provider.js";
import type { HistoryPage, HistoryPosition } from "./paged-history.js";

/** Reads one page of a history, or of one of its lists. */
export type ReadPage = (reading: KeyReading, position: Pick<HistoryPosition, "at" | "from">) => Promise<HistoryPage>;

/**
 * Reads a history that the institution tells in several lists, one after another: each has a `page` that knows nothing of the others.
 * @param lists at least one, by names without spaces
 */
export function pagesOfLists(lists: Readonly<Record<string, ReadPage>>): ReadPage {
  const all = Object.entries(lists);
  return async (reading, { at, from }) => {
    // What begins with no list's name is as if nothing had been read.
    const index = Math.max(
      0,
      all.findIndex(([name]) => at === name || at?.startsWith(`${name} `)),
    );
    const [name, page] = all[index] ?? [];
    if (name === undefined || page === undefined) throw new TypeError("a history needs a list");
    const own = at?.startsWith(`${name} `) ? at.slice(name.length + 1) : null;
    const read = await page(reading, { at: own, from });
    const following = all[index + 1]?.[0] ?? null;
    return { ...read, next: read.next === null ? following : `${name} ${read.next}` };
  };
}
