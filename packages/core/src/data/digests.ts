import { createHash } from "node:crypto";
import type { FetchedSnapshot, Steps } from "@org/provider-kit";
import type { Digests } from "./snapshot-store.js";

/** Part of every digest: raised whenever `publicationSteps` makes other rows of the same data, so that they are published once more. */
const ROWS_VERSION = 1;

/** Data that are serialised at a time for a digest: a millisecond or two. */
const DIGESTED = 1_000;

/** Whether data say nothing that the stored ones do not: they are the same, and no more of them are complete. */
export function isStatedAgain(digest: string | undefined, stored: string | null | undefined): boolean {
  const [content, completeFrom] = digest?.split(" ") ?? [];
  const [storedContent, storedFrom] = stored?.split(" ") ?? [];
  if (content === undefined || content !== storedContent) return false;
  return completeFrom === undefined || (storedFrom !== undefined && storedFrom <= completeFrom);
}

/** SHA-256 (hex) of each product that a snapshot states; of transactions followed by a space and `complete_from`, if there is one. */
export function* digestSteps({
  portfolios,
  holdings,
  transactions,
  corrected = [],
  withdrawn = [],
  complete_from,
}: FetchedSnapshot): Steps<Digests> {
  const completeFrom = complete_from === undefined ? "" : ` ${complete_from}`;
  return {
    // The moment of a portfolio is in no row.
    ...(portfolios && { portfolio: yield* digestOf([portfolios.map(({ as_of: _, ...portfolio }) => portfolio)]) }),
    ...(holdings && { investment: yield* digestOf([holdings]) }),
    ...(transactions && { transaction: (yield* digestOf([transactions, corrected, withdrawn])) + completeFrom }),
  };
}

/** The digest of some lists. Those after the first are part of it only if they are not empty. */
function* digestOf(lists: readonly (readonly object[])[]): Steps<string> {
  const digest = createHash("sha256").update(`${ROWS_VERSION} `);
  for (const [number, list] of lists.entries()) {
    if (number > 0 && list.length > 0) digest.update(`${number} `);
    for (let start = 0; start < list.length; start += DIGESTED) {
      yield;
      digest.update(JSON.stringify(list.slice(start, start + DIGESTED)));
    }
  }
  return digest.digest("hex");
}
