import fc from "fast-check";
import { expect, it } from "vitest";
import { createPace, nextTurn, type PaceLimit } from "./pace.js";

const never = new AbortController().signal;
const flex: readonly PaceLimit[] = [
  { every_ms: 1_000, calls: 1 },
  { every_ms: 60_000, calls: 10 },
];

function bench() {
  let now = 0;
  const pace = createPace({
    clock: () => new Date(now),
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      now += milliseconds;
    },
  });
  return { pace, at: () => now, pass: (milliseconds: number) => (now += milliseconds) };
}

it("[C-10.20] one a second and ten a minute: ten wait for the second, the eleventh is told when to come again", async () => {
  const { pace, at, pass } = bench();
  for (let call = 0; call < 10; call += 1) {
    expect(await pace("token", flex, never)).toBeNull();
    expect(at()).toBe(call * 1_000);
  }
  expect(await pace("token", flex, never)).toEqual({ retry_after: 51 });
  pass(51_000);
  expect(await pace("token", flex, never)).toBeNull();
});

it("[C-10.20] a turn that is near is waited for", async () => {
  const { pace, at, pass } = bench();
  for (let call = 0; call < 10; call += 1) await pace("token", flex, never);
  pass(21_000);
  expect(await pace("token", flex, never)).toBeNull();
  expect(at()).toBe(60_000);
});

it("[C-10.20] whoever has less time is told when the turn comes, and takes none", async () => {
  const { pace, at, pass } = bench();
  expect(await pace("token", flex, never, 0)).toBeNull();
  expect(await pace("token", flex, never, 0)).toEqual({ retry_after: 1 });
  expect(await pace("token", flex, never, 999)).toEqual({ retry_after: 1 });
  pass(1_000);
  expect(await pace("token", flex, never, 0)).toBeNull();
  expect(at()).toBe(1_000);
  for (let call = 2; call < 10; call += 1) await pace("token", flex, never);
  expect(await pace("token", flex, never, 3_600_000)).toEqual({ retry_after: 51 });
});

it("keys do not wait for each other", async () => {
  const { pace, at } = bench();
  for (let key = 0; key < 5_000; key += 1) expect(await pace(`token ${key}`, flex, never)).toBeNull();
  expect(at()).toBe(0);
});

it("whoever gives up leaves the turn to the next one", async () => {
  const times: number[] = [];
  const pace = createPace({
    clock: () => new Date(0),
    async sleep(milliseconds, signal) {
      times.push(milliseconds);
      signal.throwIfAborted();
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  await pace("token", flex, never);
  const stopping = new AbortController();
  const waiting = pace("token", flex, stopping.signal);
  stopping.abort(new Error("stopping"));
  await expect(waiting).rejects.toThrow("stopping");
  void pace("token", flex, new AbortController().signal);
  await new Promise((resolve) => setImmediate(resolve));
  expect(times).toEqual([1_000, 1_000]);
  await expect(pace("other", flex, stopping.signal)).rejects.toThrow("stopping");
});

it("[C-10.20] no window of any limit ever holds more than it may", () => {
  const limit = fc.record({ every_ms: fc.integer({ min: 1, max: 100 }), calls: fc.integer({ min: 1, max: 5 }) });
  fc.assert(
    fc.property(
      fc.array(limit, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(40), { maxLength: 60 }),
      (limits, pauses) => {
        const turns: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          turns.push(nextTurn(turns, limits, now));
        }
        for (const { every_ms, calls } of limits)
          for (const [index, turn] of turns.entries())
            expect(turn - (turns[index - calls] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(every_ms);
        expect(turns).toEqual(turns.toSorted((one, other) => one - other));
      },
    ),
  );
});
