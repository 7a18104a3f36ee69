import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Admission, createOverloadGuard, type OverloadGuard } from "./overload-guard.js";

const WINDOW = 100;

/** Clock of the event loop; timers fire `lateBy` after they were due. */
let now = 0;
let lateBy = 0;
beforeEach(() => {
  now = 0;
  lateBy = 0;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => void vi.useRealTimers());

/** Lets this many windows pass. */
function pass(windows: number): void {
  for (const end = now + windows * (WINDOW + 1); now < end; ) {
    now += 5 + lateBy;
    vi.advanceTimersByTime(5);
  }
}

const a = { name: "a", isKnown: false };
const guardOf = () => createOverloadGuard({ targetMs: 50, fewest: 4, stopwatch: () => now });

/** Enters until refused, at most a hundred times; returns the admissions. */
function fill(guard: OverloadGuard, name: string, isKnown = false): Admission[] {
  const admitted: Admission[] = [];
  for (let asked = 0; asked < 100; asked += 1) {
    const answer = guard.enter(() => ({ name, isKnown }));
    if ("name" in answer) return admitted;
    admitted.push(answer);
  }
  return admitted;
}

describe("[scale.md §1] above capacity requests are refused early", () => {
  it("nobody is refused, nor asked who he is, while the loop keeps up, or is late for a moment", () => {
    const guard = guardOf();
    const share = vi.fn(() => a);
    for (let asked = 0; asked < 1_000; asked += 1) expect(guard.enter(share)).toEqual({ share: null });
    lateBy = 45;
    pass(5);
    lateBy = 500;
    now += 5 + lateBy;
    lateBy = 0;
    vi.advanceTimersByTime(5);
    pass(1);
    expect(guard.enter(share)).toEqual({ share: null });
    expect(share).not.toHaveBeenCalled();
  });

  it("once it is late all the time, the number in flight is bounded, and says which limit it was", () => {
    const guard = guardOf();
    for (let asked = 0; asked < 60; asked += 1) guard.enter(() => a);
    lateBy = 60;
    pass(1);
    const admitted = fill(guard, "a");
    expect(admitted.length).toBeLessThanOrEqual(40);
    expect(guard.enter(() => a)).toMatchObject({
      name: "requests_in_flight",
      isOwnShare: false,
      retryAfterSeconds: 1,
    });
    pass(20);
    for (const each of admitted) guard.leave(each);
    expect(fill(guard, "a")).toHaveLength(4);
  });

  it.each([
    [15, 100],
    [30, 60],
  ])("a loop that is %i ms late all the time lets %i requests in, unless told otherwise", (late, most) => {
    const guard = createOverloadGuard({ stopwatch: () => now });
    for (let asked = 0; asked < 90; asked += 1) guard.enter(() => a);
    lateBy = late;
    pass(1);
    expect(fill(guard, "a")).toHaveLength(most);
  });

  it("so it is while everybody waits for something else for too long, as the database", () => {
    let standing = 0;
    const guard = createOverloadGuard({ targetMs: 50, fewest: 4, stopwatch: () => now, standing: () => standing });
    for (let asked = 0; asked < 60; asked += 1) guard.enter(() => a);
    standing = 50;
    pass(3);
    expect(fill(guard, "a")).toHaveLength(100);
    standing = 51;
    pass(20);
    expect(fill(guard, "a")).toHaveLength(4);
    expect(guard.enter(() => a)).toMatchObject({ name: "requests_in_flight" });
  });

  it("a flood of one side is refused, and the other side gets its half", () => {
    const guard = guardOf();
    const first = Array.from({ length: 60 }, () => guard.enter(() => ({ name: "flood", isKnown: false })) as Admission);
    lateBy = 60;
    pass(1);
    for (const each of first) guard.leave(each);
    const flood = fill(guard, "flood");
    const honest = fill(guard, "honest");
    expect(flood.length).toBeGreaterThan(20);
    expect(honest.length).toBeGreaterThanOrEqual(Math.floor(flood.length / 2));
    pass(1);
    expect(guard.enter(() => ({ name: "flood", isKnown: false }))).toMatchObject({ name: "requests_in_flight" });
  });

  it("a flood of more networks than there are places leaves who is known half of them", () => {
    const guard = guardOf();
    const first = Array.from({ length: 60 }, () => guard.enter(() => a) as Admission);
    lateBy = 60;
    pass(1);
    for (const each of first) guard.leave(each);
    const networks = Array.from({ length: 1_000 }, (_, network) => String(network));
    expect(fill(guard, "tenant", true)).toHaveLength(40);
    pass(1);
    const flood = networks.flatMap((network) => fill(guard, network).slice(0, 1));
    expect(flood.length).toBeGreaterThan(5);
    expect(flood.length).toBeLessThanOrEqual(20);
    expect(fill(guard, "other tenant", true).length).toBeGreaterThanOrEqual(5);
  });

  it("when the flood is over there is no bound any more, and no timer of an idle server", () => {
    const guard = guardOf();
    const first = Array.from({ length: 60 }, () => guard.enter(() => a) as Admission);
    lateBy = 60;
    pass(3);
    for (const each of first) guard.leave(each);
    lateBy = 0;
    pass(40);
    expect(guard.enter(() => a)).toEqual({ share: null });
    guard.leave({ share: null });
    pass(1);
    expect([guard.inFlight, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("0 is never", () => {
    const guard = createOverloadGuard({ targetMs: 0, stopwatch: () => now });
    guard.enter(() => a);
    expect(vi.getTimerCount()).toBe(0);
  });
});
