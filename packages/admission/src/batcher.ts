/** While one batch is being answered, the next may be sent; further calls gather. */
const MAX_CONCURRENT = 2;

interface Call<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends calls of many callers together. If there is room, a call goes out in the next turn of the event loop; calls that gather until there is room go
 * out together. So batches grow with the load, and no call waits for more than two.
 * @param doAll answers each item in its place; when it rejects, every caller of the batch gets the error
 */
export function batcher<Item, Answer>(
  doAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let underWay = 0;
  let isDue = false;
  let gathering: Call<Item, Answer>[] = [];

  return (item) =>
    new Promise((resolve, reject) => {
      gathering.push({ item, resolve, reject });
      sendNext();
    });

  /** Calls of the same turn of the event loop join the batch. */
  function sendNext(): void {
    if (isDue || gathering.length === 0 || underWay === MAX_CONCURRENT) return;
    isDue = true;
    setImmediate(send);
  }

  function send(): void {
    const calls = gathering;
    gathering = [];
    isDue = false;
    underWay += 1;
    const settle = (settleOne: (call: Call<Item, Answer>, place: number) => void) => {
      underWay -= 1;
      calls.forEach(settleOne);
      sendNext();
    };
    doAll(calls.map(({ item }) => item)).then(
      (answers) => settle(({ resolve }, place) => resolve(answers[place] as Answer)),
      (error: unknown) => settle(({ reject }) => reject(error)),
    );
  }
}
