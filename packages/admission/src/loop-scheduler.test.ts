import { expect, it } from "vitest";
import { createLoopScheduler } from "./loop-scheduler.js";

/** A scheduler whose clock stands still but for what work says that it takes. */
function start() {
  let now = 0;
  const scheduler = createLoopScheduler({ sliceMs: 2, stopwatch: () => now });
  const done: string[] = [];
  const ask = (name: string, ms: number, isKnown = true) =>
    scheduler.run(
      () => ({ name, isKnown }),
      () => {
        now += ms;
        done.push(name);
      },
    );
  return {
    scheduler,
    done,
    ask,
    pass: (ms: number) => {
      now += ms;
    },
    ofNextTurn: async () => {
      const before = done.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
      return done.slice(before);
    },
    async all() {
      while (scheduler.waiting > 0) await new Promise<void>((resolve) => setImmediate(resolve));
      return done;
    },
  };
}

it("begins work at once while the loop's turn is short, and the rest in slices", async () => {
  const { ask, done, ofNextTurn, scheduler } = start();
  for (let piece = 0; piece < 8; piece += 1) ask("one", 1);
  expect(done).toHaveLength(3);
  expect(scheduler.waiting).toBe(5);
  expect(await ofNextTurn()).toHaveLength(2);
  expect(await ofNextTurn()).toHaveLength(2);
  expect(await ofNextTurn()).toHaveLength(1);
  await ofNextTurn();
  expect(done).toHaveLength(8);
  ask("one", 1);
  expect(done).toHaveLength(9);
});

it("leaves slices out while the loop has to do something else, for as long as a slice takes", async () => {
  const { ask, ofNextTurn, pass, scheduler } = start();
  for (let piece = 0; piece < 17; piece += 1) ask("one", 0.5);
  expect(await ofNextTurn()).toHaveLength(4);
  for (const passed of [0.5, 0.5, 0.5]) {
    scheduler.skipSlice();
    pass(passed);
    expect(await ofNextTurn()).toHaveLength(0);
  }
  scheduler.skipSlice();
  pass(0.5);
  expect(await ofNextTurn()).toHaveLength(4);
  expect(await ofNextTurn()).toHaveLength(4);
});

it("never asks whose work it is while nothing waits", () => {
  const scheduler = createLoopScheduler({ stopwatch: () => 0 });
  const whose = () => expect.unreachable();
  scheduler.run(whose, () => {});
  expect(scheduler.wait(whose)).toBeNull();
});

it("gives each share the same time, however many pieces one has queued and however much each of them takes", async () => {
  const { ask, all } = start();
  for (let piece = 0; piece < 30; piece += 1) ask("flood", 1);
  for (let piece = 0; piece < 6; piece += 1) ask("honest", 0.1);
  const order = await all();
  const lastHonest = order.lastIndexOf("honest");
  // Three began before the loop was late; then each honest tenth of a millisecond stands against at most one piece of the flood.
  expect(order.slice(3, lastHonest).filter((name) => name === "flood").length).toBeLessThanOrEqual(2);
  expect(order).toHaveLength(36);
});

it("lets a share that used much time at once wait until the others have had as much", async () => {
  const { ask, all } = start();
  for (let piece = 0; piece < 3; piece += 1) ask("first", 1);
  ask("heavy", 10);
  ask("heavy", 10);
  for (let piece = 0; piece < 40; piece += 1) ask("light", 0.25);
  const order = (await all()).slice(3);
  expect(order.indexOf("heavy")).toBe(0);
  expect(order.lastIndexOf("heavy")).toBeGreaterThan(35);
});

it("leaves authenticated shares half of the time, however many networks ask", async () => {
  const { ask, all } = start();
  for (let network = 0; network < 200; network += 1) ask(`network ${network}`, 0.5, false);
  for (let piece = 0; piece < 20; piece += 1) ask("tenant", 0.5);
  const order = await all();
  expect(order.lastIndexOf("tenant")).toBeLessThan(50);
});

it("charges the promise reactions that follow a piece of work", async () => {
  const { scheduler, ask, all, done, pass } = start();
  for (let piece = 0; piece < 3; piece += 1) ask("first", 1);
  for (let piece = 0; piece < 2; piece += 1)
    scheduler.run(
      () => ({ name: "later", isKnown: true }),
      () => {
        done.push("later");
        void Promise.resolve()
          .then(() => {})
          .then(() => pass(10));
      },
    );
  for (let piece = 0; piece < 20; piece += 1) ask("light", 0.25);
  const order = (await all()).slice(3);
  expect(order.indexOf("later")).toBe(0);
  expect(order.lastIndexOf("later")).toBe(order.length - 1);
});

it("tells of a queue that stands, and of none when something began without waiting", async () => {
  const { ask, all, pass, scheduler } = start();
  for (let piece = 0; piece < 11; piece += 1) ask("one", 1);
  pass(30);
  expect(scheduler.standing()).toBe(0);
  await all();
  expect(scheduler.standing()).toBeGreaterThanOrEqual(30);
  for (let piece = 0; piece < 11; piece += 1) ask("one", 1);
  pass(30);
  await all();
  expect(scheduler.standing()).toBe(0);
});

it("resumes what waits for a promise in its share's turn", async () => {
  const { scheduler, ask, done, all } = start();
  for (let piece = 0; piece < 3; piece += 1) ask("one", 1);
  const waiting = scheduler.wait(() => ({ name: "two", isKnown: true }));
  void waiting?.then(() => done.push("two"));
  for (let piece = 0; piece < 3; piece += 1) ask("one", 1);
  const order = await all();
  await waiting;
  expect(order.slice(3, 5)).toContain("two");
});

it("[C-9.463] what nobody needs any more is dropped without a part", async () => {
  const { ask, done, scheduler, all } = start();
  let isGone = false;
  ask("one", 3);
  for (let piece = 0; piece < 1_000; piece += 1)
    scheduler.run(
      () => ({ name: "left", isKnown: false }),
      () => done.push("left"),
      () => isGone,
    );
  ask("two", 1, false);
  isGone = true;
  expect(await all()).toEqual(["one", "two"]);
});

it("a group owes for long work of one share so much that others of the group do not wait for it", async () => {
  const { ask, done, all } = start();
  ask("first", 3);
  ask("long", 1_000);
  ask("network", 1, false);
  ask("other", 1);
  for (let piece = 0; piece < 500; piece += 1) ask("network", 1, false);
  await all();
  expect(done.indexOf("other")).toBeLessThan(110);
});

it("[C-9.571] a share that had nothing waiting is served before others that have, once in a round", async () => {
  const { ask, done, all, ofNextTurn } = start();
  ask("first", 3);
  for (let piece = 0; piece < 3; piece += 1) for (let share = 0; share < 20; share += 1) ask(`flood ${share}`, 0.5);
  for (let turn = 0; turn < 5; turn += 1) await ofNextTurn();
  const begun = done.length;
  for (let piece = 0; piece < 3; piece += 1) ask("honest", 0.25);
  await all();
  // Two pieces are a part; the third waits for a round like everybody.
  expect(done.slice(begun, begun + 2)).toEqual(["honest", "honest"]);
  expect(done.lastIndexOf("honest")).toBeGreaterThanOrEqual(begun + 20);
});

it("[C-9.571] a share that comes again and again, but never has two pieces waiting, delays nobody for longer than a round", async () => {
  const { ask, done } = start();
  ask("first", 3);
  for (let piece = 0; piece < 8; piece += 1) ask("flood", 0.5);
  const flooded = () => done.filter((name) => name === "flood").length;
  while (flooded() < 8) {
    ask("again", 0.5);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect(done.filter((name) => name === "again").length).toBeLessThanOrEqual(10);
});

it("[C-9.571] waits of shares that are served first do not hide a queue that stands", async () => {
  const { ask, all, pass, ofNextTurn, scheduler } = start();
  ask("first", 3);
  for (let piece = 0; piece < 40; piece += 1) ask("flood", 1);
  pass(30);
  for (let turn = 0; turn < 10; turn += 1) {
    ask(`honest ${turn}`, 0.1);
    await ofNextTurn();
  }
  expect(scheduler.standing()).toBe(0);
  for (let turn = 0; turn < 10; turn += 1) {
    ask(`later ${turn}`, 0.1);
    await ofNextTurn();
  }
  expect(scheduler.standing()).toBeGreaterThanOrEqual(30);
  await all();
});
