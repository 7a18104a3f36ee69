import type { FeedWarning, ReadFeed, StatementPage } from "@org/provider-kit";
import type { TenantStores } from "../ports/storage.js";
import type { Uuid } from "../schemas/identifier.js";
import { inPart, sha256Of } from "./feed-parts.js";

/** What became of a file's pages of statements that are not whole in it. */
export interface KeptPages {
  /** Pages of statements that are whole now, in order; empty when all of them wait. */
  readonly whole: readonly StatementPage[];
  /** One for each page of the file that waits for others. */
  readonly waiting: readonly FeedWarning[];
}

/** Keeps the pages that the parts of a file hold until the others of their statements have come, in whatever order and files. */
export async function keepPages(
  stores: TenantStores,
  connectionId: Uuid,
  parts: readonly { readonly name: string | null; readonly read: ReadFeed }[],
): Promise<KeptPages> {
  // A name of a statement is as long as a file makes it.
  const pages = parts.flatMap(({ name, read }) =>
    (read.pages ?? []).map((page) => ({
      ...page,
      statement: sha256Of(page.statement),
      place: inPart(name, { place: page.place, message: "" }).place,
    })),
  );
  if (pages.length === 0) return { whole: [], waiting: [] };
  const byStatement = new Map<string, StatementPage[]>();
  for (const page of await stores.feedPages.keep(connectionId, pages)) {
    const known = byStatement.get(page.statement);
    if (known) known.push(page);
    else byStatement.set(page.statement, [page]);
  }
  const whole = [...byStatement.values()].filter(isWhole).flat();
  const done = new Set(whole.map(({ statement }) => statement));
  return {
    whole,
    waiting: pages
      .filter(({ statement }) => !done.has(statement))
      .slice(0, MAX_TOLD)
      .map(({ place, number }) => ({
        place,
        message: `is page ${number} of a statement whose other pages are still to come; it waits for them for a week`,
      })),
  };
}

const MAX_TOLD = 20;

/** @param pages of one statement, by number */
function isWhole(pages: readonly StatementPage[]): boolean {
  const end = pages.findIndex(({ is_last }) => is_last);
  return end >= 0 && pages.slice(0, end + 1).every(({ number }, index) => number === index + 1);
}
