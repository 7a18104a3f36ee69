import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextDaily, nextPoll, nextRefreshAttempt } from "./refresh-plan.js";

const now = new Date("2026-03-02T09:30:00.000Z");
const HOUR = 3_600_000;
const id = (last: string) => `01900000-0000-7000-8000-${last}`;
const connectionId = fc.bigInt({ min: 0n, max: 2n ** 48n - 1n }).map((bits) => id(bits.toString(16).padStart(12, "0")));
const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });

describe("[C-5.131] data that are being prepared", () => {
  it("are looked at less and less often: never so seldom that they are found much later than they are there", () => {
    const looks = [now];
    while (looks.length < 400) {
      const last = looks.at(-1) ?? now;
      const look = nextPoll(0, now, last);
      expect(look.getTime() - last.getTime()).toBeGreaterThanOrEqual(5_000);
      expect(look.getTime() - last.getTime()).toBeLessThanOrEqual(
        Math.max(5_000, Math.min((last.getTime() - now.getTime()) / 4, HOUR)),
      );
      if (look.getTime() > now.getTime() + 24 * HOUR) break;
      looks.push(look);
    }
    expect(looks.length).toBeLessThan(60);
  });

  it("are looked at as late as the institution wants, an hour at most", () => {
    expect(nextPoll(600, now, now)).toEqual(new Date(now.getTime() + 600_000));
    expect(nextPoll(9_999, now, now)).toEqual(new Date(now.getTime() + HOUR));
  });
});

describe("the daily refresh", () => {
  it.each([
    ["000000000000", "2026-03-03T00:00:00.000Z"],
    ["400000000000", "2026-03-03T06:00:00.000Z"],
    ["800000000000", "2026-03-03T12:00:00.000Z"],
    ["e40000000000", "2026-03-03T21:22:30.000Z"],
    ["f00000000000", "2026-03-02T22:30:00.000Z"],
  ])("of an id that ends in %s comes at %s", (last, at) => {
    expect(nextDaily(id(last), now)).toEqual(new Date(at));
  });

  it("comes 12 to 36 hours later, at the same time of every day", () => {
    fc.assert(
      fc.property(connectionId, moment, (connection, at) => {
        const next = nextDaily(connection, at);
        const after = next.getTime() - at.getTime();
        expect(after).toBeGreaterThanOrEqual(12 * HOUR - 1);
        expect(after).toBeLessThanOrEqual(36 * HOUR + 1);
        expect(nextDaily(connection, next).getTime() - next.getTime()).toBe(24 * HOUR);
      }),
    );
  });
});

describe("another attempt after a failure", () => {
  it.each([
    [1, 15],
    [2, 30],
    [3, 60],
    [6, 480],
    [7, 720],
    [500, 720],
  ])("number %i comes after %i minutes, or up to half as much later", (failures, minutes) => {
    const minutesLater = (last: string) =>
      (nextRefreshAttempt(id(last), failures, now).getTime() - now.getTime()) / 60_000;
    expect(minutesLater("000000000000")).toBe(minutes);
    expect(minutesLater("800000000000")).toBe(minutes * 1.25);
    expect(minutesLater("ffffffffffff")).toBeCloseTo(minutes * 1.5, 4);
  });
});
