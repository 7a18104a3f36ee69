/** While one batch is answered, the next is on its way; whatever else is asked for gathers. */
const MAX_CONCURRENT = 2;

interface Batch<Item, Answer> {
  readonly items: Item[];
  readonly answers: Promise<readonly Answer[]>;
}

/**
 * Does for many callers at once what each asks for by itself. While there is room nobody waits for company, and what gathers until there is
 * room goes together, all of it: the more is asked for, the larger are the batches, and nobody waits for more than two.
 * @param doAll answers each item in its place; all whose items it was given are told what it throws
 */
export function batch<Item, Answer>(
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
    // Whoever comes in the same turn of the event loop goes along.
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
