import { expect, it } from "vitest";
import { createTurns, type TurnLimits } from "./turns.js";

function start(limits: Partial<TurnLimits>) {
  const turns = createTurns({ name: "turns_at_once", overall: 3, waiting: 10, retryAfterSeconds: 5, ...limits });
  const entered: string[] = [];
  const ends = new Map<string, () => void>();
  /** The key is the name's first letter. */
  const enter = async (name: string, signal?: AbortSignal) => {
    ends.set(name, await turns.take(name.charAt(0), signal));
    entered.push(name);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    turns,
    enter,
    /** Ends turns one after the other; returns the calls that began one then. */
    async end(...names: string[]) {
      const before = entered.length;
      for (const name of names) {
        ends.get(name)?.();
        await settled();
      }
      return entered.slice(before);
    },
    async begin(...names: string[]) {
      const before = entered.length;
      for (const name of names) void enter(name);
      await settled();
      return entered.slice(before);
    },
  };
}

it("so many have a turn at once, and so many of one key; the others wait in order", async () => {
  const { begin, end, turns } = start({ each: 2 });
  expect(await begin("a1", "a2", "a3", "b1", "b2", "c1")).toEqual(["a1", "a2", "b1"]);
  expect([turns.running, turns.waiting]).toEqual([3, 3]);
  expect(await end("b1")).toEqual(["b2"]);
  expect(await end("a1", "a1")).toEqual(["a3"]);
  expect(await end("a2")).toEqual(["c1"]);
  expect(await end("a3", "b2", "c1")).toEqual([]);
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});

it("waiting keys are served round-robin, however many calls one of them has queued up", async () => {
  const { begin, end } = start({ overall: 1, waiting: 100 });
  await begin("a0", "a1", "a2", "a3", "a4", "b1", "c1", "b2");
  expect(await end("a0", "a1", "b1", "c1", "a2", "b2", "a3")).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

it("where room is kept, a key has at most half of the turns, and whoever comes new need not wait", async () => {
  const { begin, end } = start({ overall: 8, keepsRoom: true, waiting: 100 });
  expect(await begin("a1", "a2", "a3", "a4", "a5", "a6")).toEqual(["a1", "a2", "a3", "a4"]);
  expect(await begin("b1", "b2", "b3")).toEqual(["b1", "b2"]);
  expect(await begin("c1", "c2")).toEqual(["c1"]);
  // Key a has three turns then, and two are free.
  expect(await end("a1")).toEqual(["c2"]);
});

it("whoever gives up goes, and nobody gets the turn twice", async () => {
  const { enter, begin, end, turns } = start({ overall: 1 });
  const impatient = new AbortController();
  await enter("a1");
  const waiting = enter("b2", impatient.signal);
  await begin("a3");
  impatient.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(enter("a4", impatient.signal)).rejects.toThrow("enough");
  expect(turns.waiting).toBe(1);
  expect(await end("a1")).toEqual(["a3"]);
});

it("one key's queue is full for that key alone; when all are full together it is the server that is busy", async () => {
  const { begin, turns } = start({ overall: 1, waiting: 3, waitingEach: 2 });
  await begin("a1", "a2", "a3");
  const limit = (value: number) => ({ limit: { name: "turns_at_once", value }, retryAfterSeconds: 5 });
  await expect(turns.take("a")).rejects.toMatchObject({ code: "RATE_LIMITED", ...limit(2) });
  await begin("b1");
  await expect(turns.take("b")).rejects.toMatchObject({ code: "UNAVAILABLE", ...limit(3) });
});

it("a turn can be begun at once or not at all, but never past somebody of the key who waits", async () => {
  const { turns, begin } = start({ overall: 2, each: 1 });
  const end = turns.begin("a");
  expect(end).not.toBeNull();
  expect(turns.begin("a")).toBeNull();
  await begin("a1");
  expect(turns.begin("b")).not.toBeNull();
  expect(turns.begin("c")).toBeNull();
  end?.();
  expect(turns.begin("a")).toBeNull();
});

it("work ends its turn, also when it fails", async () => {
  const { turns } = start({ overall: 1 });
  await expect(turns.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.run("a", async () => "done")).toBe("done");
  expect(turns.running).toBe(0);
});
