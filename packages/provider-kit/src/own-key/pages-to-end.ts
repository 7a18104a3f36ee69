import { AnswerFailure } from "../outage.js";

/** More pages than a list has that is read in one go. */
const MAX_PAGES = 1_000;

/**
 * The pages of a list that is read in one go, such as positions: each begins where the one before says, and `next` is null after the last.
 * @param list names the list in messages
 * @throws AnswerFailure for a list that does not end
 */
export async function* pagesToEnd<Page extends { readonly next: string | null }>(
  list: string,
  read: (at: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  const asked = new Set<string>();
  for (let at: string | null = null; ; ) {
    const page = await read(at);
    yield page;
    at = page.next;
    if (at === null) return;
    if (asked.has(at) || asked.size === MAX_PAGES) throw new AnswerFailure(`the pages of ${list} do not end`);
    asked.add(at);
  }
}
