import { call } from "../../api/call.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import { nameWithClient } from "../../listing/client-name.js";
import { CHUNK, type Move } from "./move-run.js";

export type Preview = AnswerOf<"/operator/v1/letters/preview-moves">["items"][number];
type Search = BodyOf<"/operator/v1/letters/search">;

/** Letters to move: those with these ids, or all that a search finds. */
export type Target =
  | { readonly ids: readonly string[] }
  | { readonly matching: Search /** How many the list shows. */; readonly shown: number };

/** What a move would do to each letter, and what the letters are called. */
export interface Previews {
  readonly items: readonly Preview[];
  /** How many there are now; more than `items` where a run would be too long. */
  readonly total: number;
  readonly names: ReadonlyMap<string, string>;
}

/** The most letters of one run: looking at them, and moving them, takes a few minutes. */
const RUN_LETTERS = 10_000;

/** @param onProgress how many have been looked at, and how many there are */
export async function previewMoves(
  target: Target,
  move: Move,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Previews> {
  const items: Preview[] = [];
  const names = new Map<string, string>();
  if ("ids" in target) {
    const total = target.ids.length;
    for (let from = 0; from < total; from += CHUNK) {
      const letter_ids = target.ids.slice(from, from + CHUNK);
      items.push(...(await call("/operator/v1/letters/preview-moves", { letter_ids, move }, signal)).items);
      onProgress(items.length, total);
    }
    return { items, total, names };
  }
  const { order: _order, page: _page, page_size: _size, page_token: _token, ...filters } = target.matching;
  let total = 0;
  let page_token: string | null = null;
  do {
    const body: BodyOf<"/operator/v1/letters/preview-matching"> = { ...filters, move, page_token };
    const page: AnswerOf<"/operator/v1/letters/preview-matching"> = await call(
      "/operator/v1/letters/preview-matching",
      body,
      signal,
    );
    for (const letter of page.items) {
      names.set(letter.letter_id, nameWithClient(letter, `${letter.custodian}, ${letter.tenant}`));
      items.push(letter);
    }
    // The first page's: what matches only later is not shown.
    total ||= page.total;
    page_token = page.next_page_token;
    onProgress(items.length, Math.max(total, items.length));
  } while (page_token !== null && items.length < RUN_LETTERS);
  return { items, total: Math.max(total, items.length), names };
}
