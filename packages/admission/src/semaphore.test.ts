import { expect, it, vi } from "vitest";
import { Queue } from "./queue.js";
import type { ReachedLimit } from "./reached-limit.js";
import { createSemaphore, type SemaphoreOptions } from "./semaphore.js";

class Refused extends Error {
  constructor(readonly limit: ReachedLimit) {
    super(limit.name);
  }
}

function start(options: Partial<SemaphoreOptions>) {
  const semaphore = createSemaphore({
    name: "calls_at_once",
    permits: 3,
    waiting: 10,
    retryAfterSeconds: 5,
    refuse: (limit) => new Refused(limit),
    ...options,
  });
  const entered: string[] = [];
  const ends = new Map<string, () => void>();
  /** The key is the name's first letter. */
  const enter = async (name: string, signal?: AbortSignal) => {
    ends.set(name, await semaphore.acquire(name.charAt(0), signal));
    entered.push(name);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    semaphore,
    enter,
    /** Gives permits back one after the other; returns the calls that got one then. */
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

it("so many have a permit at once, and so many of one key; the others wait in order", async () => {
  const { begin, end, semaphore } = start({ permitsPerKey: 2 });
  expect(await begin("a1", "a2", "a3", "b1", "b2", "c1")).toEqual(["a1", "a2", "b1"]);
  expect([semaphore.running, semaphore.waiting]).toEqual([3, 3]);
  expect(await end("b1")).toEqual(["b2"]);
  expect(await end("a1", "a1")).toEqual(["c1"]);
  expect(await end("a2")).toEqual(["a3"]);
  expect(await end("a3", "b2", "c1")).toEqual([]);
  expect([semaphore.running, semaphore.waiting]).toEqual([0, 0]);
});

it("waiting keys are served round-robin, however many calls one of them has queued up", async () => {
  const { begin, end } = start({ permits: 1, waiting: 100 });
  await begin("a0", "a1", "a2", "a3", "a4", "b1", "c1", "b2");
  expect(await end("a0", "b1", "c1", "a1", "b2", "a2", "a3")).toEqual(["b1", "c1", "a1", "b2", "a2", "a3", "a4"]);
});

it("where room is kept, a key has at most half of the permits, and whoever comes new need not wait", async () => {
  const { begin, end } = start({ permits: 8, keepsRoom: true, waiting: 100 });
  expect(await begin("a1", "a2", "a3", "a4", "a5", "a6")).toEqual(["a1", "a2", "a3", "a4"]);
  expect(await begin("b1", "b2", "b3")).toEqual(["b1", "b2"]);
  expect(await begin("c1", "c2")).toEqual(["c1"]);
  // Key a has three permits then, and two are free.
  expect(await end("a1")).toEqual(["c2"]);
});

it("whoever gives up goes, and nobody gets the permit twice", async () => {
  const { enter, begin, end, semaphore } = start({ permits: 1 });
  const impatient = new AbortController();
  await enter("a1");
  const waiting = enter("b2", impatient.signal);
  await begin("a3");
  impatient.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(enter("a4", impatient.signal)).rejects.toThrow("enough");
  expect(semaphore.waiting).toBe(1);
  expect(await end("a1")).toEqual(["a3"]);
});

it("[C-9.512] whoever gave up leaves nothing behind, and keeps its place in no queue", async () => {
  const { begin, end, semaphore } = start({ permits: 2, permitsPerKey: 1, waiting: 10 });
  await begin("a1", "b1", "a2");
  const queues = vi.spyOn(Queue.prototype, "push");
  const removed = vi.spyOn(Queue.prototype, "delete");
  for (let left = 0; left < 100; left += 1) {
    const impatient = new AbortController();
    // A key that has its permit, and one that waits for any.
    const waiting = ["a", "c"].slice(left % 2, (left % 2) + 1).map((key) => semaphore.acquire(key, impatient.signal));
    impatient.abort(new Error("enough"));
    await expect(waiting[0]).rejects.toThrow("enough");
  }
  expect(queues.mock.calls.length).toBeGreaterThan(100);
  expect(removed).toHaveBeenCalledTimes(queues.mock.calls.length);
  vi.restoreAllMocks();
  const begun = vi.spyOn(Queue.prototype, "shift");
  expect(await end("a1")).toEqual(["a2"]);
  // One key of the round, one call of the key.
  expect(begun).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});

it("one key's queue is full for that key alone; when all are full together it is the server that is busy", async () => {
  const { begin, semaphore } = start({ permits: 1, waiting: 3, waitingPerKey: 2 });
  await begin("a1", "a2", "a3");
  const limit = (value: number, isOwnShare: boolean) => ({
    limit: { name: "calls_at_once", value, isOwnShare, retryAfterSeconds: 5 },
  });
  await expect(semaphore.acquire("a")).rejects.toMatchObject(limit(2, true));
  await begin("b1");
  await expect(semaphore.acquire("b")).rejects.toMatchObject(limit(3, false));
});

it("[C-9.515] one key's calls fill half of the queue at most, and whoever comes new may wait until it is full", async () => {
  const { begin, semaphore } = start({ permits: 1, waiting: 8 });
  await begin("a1", "a2", "a3", "a4", "a5", "b1", "b2");
  for (const key of ["a", "b"])
    await expect(semaphore.acquire(key)).rejects.toMatchObject({ limit: { value: 8, isOwnShare: false } });
  await begin("c1", "d1");
  expect(semaphore.waiting).toBe(8);
  await expect(semaphore.acquire("e")).rejects.toMatchObject({ limit: { value: 8, isOwnShare: false } });
});

it("whoever waits too long is told whether the key's own permits were in the way", async () => {
  const waits: boolean[] = [];
  const onWaited = (_ms: number, forOwn: boolean) => waits.push(forOwn);
  const { begin, semaphore } = start({ permits: 2, permitsPerKey: 1, maxWaitMs: 5, onWaited });
  await begin("a1");
  await expect(semaphore.acquire("a")).rejects.toMatchObject({ limit: { value: 1, isOwnShare: true } });
  await begin("b1");
  await expect(semaphore.acquire("c")).rejects.toMatchObject({ limit: { value: 2, isOwnShare: false } });
  expect(waits).toEqual([true, false]);
  expect([semaphore.running, semaphore.waiting, semaphore.waitingKeys()]).toEqual([2, 0, []]);
});

it("work gives its permit back, also when it fails", async () => {
  const { semaphore } = start({ permits: 1 });
  await expect(semaphore.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run("a", async () => "done")).toBe("done");
  expect(semaphore.running).toBe(0);
});
