import { yieldToEventLoop } from "@org/core";

/** Rows of a file that are worked on at a time: some ten milliseconds. */
export const SLICE = 500;

/** Items of a list, those that are wanted, so many at a time. Before each slice everybody else has a turn of the event loop. */
export async function* slicesOf<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean = () => true,
  size: number = SLICE,
): AsyncGenerator<readonly Item[]> {
  let slice: Item[] = [];
  for (const item of items) {
    if (!isWanted(item)) continue;
    slice.push(item);
    if (slice.length < size) continue;
    await yieldToEventLoop();
    yield slice;
    slice = [];
  }
  if (slice.length === 0) return;
  await yieldToEventLoop();
  yield slice;
}
