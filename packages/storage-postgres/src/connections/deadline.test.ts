import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeadline } from "./deadline.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("a statement that takes too long is over, one that is answered in time is not", async () => {
  const onOver = vi.fn();
  const deadline = createDeadline(onOver);
  const quick = deadline.begin(1_000);
  await vi.advanceTimersByTimeAsync(900);
  expect(quick.end()).toBe(false);
  const slow = deadline.begin(1_000);
  await vi.advanceTimersByTimeAsync(900);
  expect(onOver).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(101);
  expect(onOver).toHaveBeenCalledOnce();
  expect(slow.end()).toBe(true);
});

it("many statements share a timer, and a shorter limit than the one before holds", async () => {
  const onOver = vi.fn();
  const deadline = createDeadline(onOver);
  for (let statement = 0; statement < 50; statement += 1) {
    const time = deadline.begin(1_000);
    expect(vi.getTimerCount()).toBe(1);
    time.end();
  }
  const short = deadline.begin(100);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(101);
  expect([onOver.mock.calls.length, short.end()]).toEqual([1, true]);
});

it("no timer is left once nothing was asked for as long as the limit", async () => {
  const deadline = createDeadline(() => expect.unreachable());
  deadline.begin(1_000).end();
  await vi.advanceTimersByTimeAsync(1_001);
  expect(vi.getTimerCount()).toBe(0);
});
