import { describe, expect, it } from "vitest";
import { nextAttempt, pauseOf, reasonToDisable } from "./retry-schedule.js";

const now = new Date("2026-03-01T12:00:00Z");
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const failed = { status: 500, retry_after_ms: null };
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
/** Milliseconds until the next attempt. */
const wait = (attempts: number, end: Parameters<typeof nextAttempt>[1] = failed, chance = 0.5) =>
  (nextAttempt(attempts, end, now, chance)?.getTime() ?? Number.NaN) - now.getTime();

describe("[C-11.64] the plan of tries", () => {
  it.each([
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])("after try %i comes the next in %i ms, give or take a tenth", (attempts, milliseconds) => {
    expect(wait(attempts)).toBe(milliseconds);
    expect(wait(attempts, failed, 0)).toBeCloseTo(milliseconds * 0.9, 3);
    expect(wait(attempts, failed, 1)).toBeCloseTo(milliseconds * 1.1, 3);
  });

  it("ends with the tenth try, after some three days", () => {
    expect(nextAttempt(10, failed, now, 0.5)).toBeNull();
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9].reduce((sum, attempts) => sum + wait(attempts), 0);
    expect(all / DAY).toBeCloseTo(3.15, 1);
  });

  it.each([
    ["429 is obeyed", 429, HOUR, HOUR],
    ["503 is obeyed", 503, HOUR, HOUR],
    ["of another status is not", 500, HOUR, 5 * SECOND],
    ["shorter than the plan changes nothing", 429, 1, 5 * SECOND],
    ["beyond a day is a day", 503, 30 * DAY, DAY],
  ])("Retry-After: %s", (_, status, retry_after_ms, expected) =>
    expect(wait(1, { status, retry_after_ms })).toBe(expected),
  );
});

describe("[C-11.65] an endpoint is disabled", () => {
  it.each([
    ["at once by 410", 410, now, "gone"],
    ["after five days of nothing but failures", 500, ago(5 * DAY), "failing"],
    ["also when none of them had an answer", null, ago(5 * DAY), "failing"],
    ["never before", 500, ago(5 * DAY - 1), null],
    ["never by its first failure", 404, now, null],
  ])("%s", (_, status, failingSince, reason) =>
    expect(reasonToDisable({ status, retry_after_ms: null }, failingSince, now)).toBe(reason),
  );
});

describe("[C-11.66] an endpoint that takes nothing is left alone", () => {
  it.each([
    ["a second at first", 0, SECOND],
    ["a tenth of the time for which it has been failing", 10 * MINUTE, MINUTE],
    ["five minutes at most", DAY, 5 * MINUTE],
  ])("for %s", (_, failing, pause) => expect(pauseOf(ago(failing), now)).toBe(pause));
});
