import { describe, expect, it } from "vitest";
import { createDatabaseClock } from "./database-clock.js";

/** A machine whose clock is `ahead`, and a database that answers after `takes[0]` and `takes[1]` milliseconds. */
function world() {
  const state = { true: 1_000_000, ahead: 0, database: 0, takes: [2, 2] as [number, number] };
  const machine = { now: () => new Date(state.true + state.ahead), elapsed: () => state.true - 5_000 };
  const clock = createDatabaseClock(async () => {
    state.true += state.takes[0];
    const at = new Date(state.true + state.database);
    state.true += state.takes[1];
    return at;
  }, machine);
  return { state, clock };
}

describe("the clock of the database", () => {
  it("is the machine's until the database was asked", () => {
    const { state, clock } = world();
    state.ahead = 300_000;
    expect([clock.now().getTime(), clock.offsetSeconds()]).toEqual([1_300_000, 0]);
  });

  it.each([-300_000, 300_000])(
    "[C-9.36] is that of the database when the machine's is %d ms off, however it is set",
    async (off) => {
      const { state, clock } = world();
      state.ahead = off;
      await clock.measure();
      expect(clock.now().getTime()).toBe(state.true);
      expect(clock.offsetSeconds()).toBe(off / 1_000);
      state.true += 10_000;
      state.ahead = 7_000;
      expect(clock.now().getTime()).toBe(state.true);
      expect(clock.offsetSeconds()).toBe(7);
    },
  );

  it("is wrong by half of a round trip at most, and is not moved by what may be noise", async () => {
    const { state, clock } = world();
    state.takes = [10, 0];
    await clock.measure();
    expect(Math.abs(clock.now().getTime() - state.true)).toBe(5);
    const before = clock.now().getTime() - state.true;
    state.takes = [0, 40];
    await clock.measure();
    expect(clock.now().getTime() - state.true).toBe(before);
    state.takes = [1, 1];
    await clock.measure();
    expect(clock.now().getTime()).toBe(state.true);
  });

  it("follows the database when that is set, or another takes its place; goes on when it is away", async () => {
    const { state, clock } = world();
    await clock.measure();
    state.database = -60_000;
    await clock.measure();
    expect(clock.now().getTime()).toBe(state.true - 60_000);
    const away = createDatabaseClock(() => Promise.reject(new Error("away")), {
      now: () => new Date(5),
      elapsed: () => 0,
    });
    await expect(away.measure()).rejects.toThrow("away");
    expect(away.now()).toEqual(new Date(5));
  });
});
