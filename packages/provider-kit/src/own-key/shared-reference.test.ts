import { setImmediate as macrotask } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { shareReference } from "./shared-reference.js";

let now: number;
let reads: AbortSignal[];
let answer: (value: string) => void;
let fail: (error: Error) => void;
beforeEach(() => {
  [now, reads] = [0, []];
});

/** A reference whose reads end when the test says so. */
const shared = () =>
  shareReference(
    (signal: AbortSignal) => {
      reads.push(signal);
      return new Promise<string>((resolve, reject) => {
        [answer, fail] = [resolve, reject];
      });
    },
    1_000,
    () => new Date(now),
  );
const open = (signal: AbortSignal) => signal;
const never = new AbortController().signal;

it("[C-5.159] reference data are read once for all who ask, until they are too old", async () => {
  const get = shared();
  const both = [get(open, never), get(open, never)];
  answer("assets");
  expect(await Promise.all(both)).toEqual(["assets", "assets"]);
  now = 999;
  expect(await get(open, never)).toBe("assets");
  expect(reads).toHaveLength(1);
  now = 1_000;
  const later = get(open, never);
  answer("more assets");
  expect([await later, reads.length]).toEqual(["more assets", 2]);
});

it("[C-5.159] a read of reference data that fails is not kept, and one for which nobody waits is aborted", async () => {
  const get = shared();
  const failed = get(open, never);
  fail(new Error("down"));
  await expect(failed).rejects.toThrow("down");
  await macrotask();
  const [one, two] = [new AbortController(), new AbortController()];
  const waits = [get(open, one.signal), get(open, two.signal)];
  one.abort(new Error("gone"));
  await expect(waits[0]).rejects.toThrow("gone");
  expect(reads[1]?.aborted).toBe(false);
  two.abort(new Error("gone too"));
  await expect(waits[1]).rejects.toThrow("gone too");
  expect(reads[1]?.aborted).toBe(true);
  await expect(get(open, one.signal)).rejects.toThrow("gone");
  expect(reads).toHaveLength(2);
});
