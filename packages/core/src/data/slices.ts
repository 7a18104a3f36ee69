import { yieldToEventLoop } from "../event-loop-yielder.js";

/** Rows processed at a time: about ten milliseconds. */
export const SLICE = 500;

/** Slices of the wanted items of a list. Yields to the event loop before each slice. */
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
