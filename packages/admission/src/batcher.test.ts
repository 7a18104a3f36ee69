import { expect, it } from "vitest";
import { batcher } from "./batcher.js";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A batcher whose batches are answered one by one. */
function start() {
  const sent: { readonly items: readonly number[]; readonly settle: (error?: Error) => void }[] = [];
  const ask = batcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        sent.push({
          items,
          settle: (error) => (error ? reject(error) : resolve(items.map((item) => `answer ${item}`))),
        });
      }),
  );
  return { ask, sent, batches: () => sent.map(({ items }) => items) };
}

it("sends calls of one turn of the event loop together, and answers each in its place", async () => {
  const { ask, sent, batches } = start();
  const answers = Promise.all([ask(1), ask(2), ask(3)]);
  expect(batches()).toEqual([]);
  await nextTurn();
  expect(batches()).toEqual([[1, 2, 3]]);
  sent[0]?.settle();
  expect(await answers).toEqual(["answer 1", "answer 2", "answer 3"]);
});

it("has two batches under way; what is asked meanwhile goes out together afterwards", async () => {
  const { ask, sent, batches } = start();
  const answers: Promise<string>[] = [];
  for (const item of [1, 2, 3, 4]) {
    answers.push(ask(item));
    await nextTurn();
  }
  expect(batches()).toEqual([[1], [2]]);
  sent[0]?.settle();
  await nextTurn();
  await nextTurn();
  expect(batches()).toEqual([[1], [2], [3, 4]]);
  for (const { settle } of sent) settle();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4].map((item) => `answer ${item}`));
});

it("fails every call of a batch that fails, and no other", async () => {
  const { ask, sent } = start();
  const failing = Promise.allSettled([ask(1), ask(2)]);
  await nextTurn();
  sent[0]?.settle(new Error("no"));
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const fine = ask(3);
  await nextTurn();
  sent[1]?.settle();
  expect(await fine).toBe("answer 3");
});
