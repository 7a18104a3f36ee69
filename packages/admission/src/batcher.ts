/** While one batch is being answered, the next may be sent; further calls gather. */
const MAX_CONCURRENT = 2;

interface Batch<Item, Answer> {
  readonly items: Item[];
  readonly answers: Promise<readonly Answer[]>;
}

/**
 * Sends calls of many callers together. If there is room, a call goes out in the next turn of the event loop; calls that gather until there is room go
 * out together. So batches grow with the load, and no call waits for more than two.
 * @param doAll answers each item in its place; when it throws, every caller of the batch gets the error
 */
export function batcher<Item, Answer>(
  doAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let underWay = 0;
  let gathering: Batch<Item, Answer> | null = null;
  let release = () => {};

  return async (item) => {
    gathering ??= begin();
    const { items, answers } = gathering;
    const place = items.push(item) - 1;
    return (await answers)[place] as Answer;
  };

  function begin(): Batch<Item, Answer> {
    const items: Item[] = [];
    return { items, answers: inTurn(items) };
  }

  async function inTurn(items: readonly Item[]): Promise<readonly Answer[]> {
    if (underWay === MAX_CONCURRENT)
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    underWay += 1;
    // Calls of the same turn of the event loop join the batch.
    await new Promise((resolve) => setImmediate(resolve));
    gathering = null;
    try {
      return await doAll(items);
    } finally {
      underWay -= 1;
      release();
    }
  }
}
