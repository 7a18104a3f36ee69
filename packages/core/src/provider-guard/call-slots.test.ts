import { expect, it } from "vitest";
import { createCallSlots } from "./call-slots.js";

const never = new AbortController().signal;

function start(limits = { overall: 3, each: 2, waiting: 10 }) {
  const slots = createCallSlots(limits);
  const entered: string[] = [];
  const leave = new Map<string, () => void>();
  const enter = async (name: string, signal = never) => {
    leave.set(name, await slots.take(name.charAt(0), signal));
    entered.push(name);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { enter, leave: (name: string) => leave.get(name)?.(), entered, settled };
}

it("lets two calls of a key run, three in all, and the others in the order in which they came", async () => {
  const { enter, leave, entered, settled } = start();
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => enter(name));
  await settled();
  expect(entered).toEqual(["a1", "a2", "b1"]);
  leave("b1");
  await settled();
  expect(entered.slice(3)).toEqual(["b2"]);
  leave("a1");
  leave("a1");
  await settled();
  expect(entered.slice(4)).toEqual(["a3"]);
  leave("a2");
  await Promise.all(all);
  expect(entered.slice(5)).toEqual(["c1"]);
});

it("lets whoever gives up go, and nobody gets the place twice", async () => {
  const { enter, leave, entered, settled } = start({ overall: 1, each: 1, waiting: 10 });
  const impatient = new AbortController();
  await enter("a1");
  const waiting = enter("a2", impatient.signal);
  const next = enter("a3");
  impatient.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(enter("a4", impatient.signal)).rejects.toThrow("enough");
  leave("a1");
  await next;
  await settled();
  expect(entered).toEqual(["a1", "a3"]);
});

it("refuses more than so many that wait", async () => {
  const { enter, leave } = start({ overall: 1, each: 1, waiting: 1 });
  await enter("a1");
  const waiting = enter("a2");
  await expect(enter("a3")).rejects.toThrow(RangeError);
  leave("a1");
  await waiting;
});
