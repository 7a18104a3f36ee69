import { describe, expect, it } from "vitest";
import { createDeliveryStats } from "./delivery-stats.js";

const now = new Date("2026-03-01T12:00:00Z");
const yesterday = new Date("2026-02-28T12:00:00Z");
const answer = (
  status: number | null,
  error: "timeout" | "connection_lost" | null = null,
  retry: number | null = null,
  ms = 20,
) => ({
  status,
  error,
  retry_after_ms: retry,
  ms,
});
const tallyOf = (failingBefore: Date | null, ...answers: ReturnType<typeof answer>[]) => {
  const tally = createDeliveryStats({ failing_since: failingBefore, is_proven: false }, () => now);
  const delivered = answers.map((each) => tally.add(each));
  return { tally, delivered };
};
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("[C-11.66] the breaker of an endpoint", () => {
  it.each([
    ["nine failures do not end a slice", null, times(9, answer(500)), false],
    ["ten in a row do", null, times(10, answer(500)), true],
    ["one success between begins anew", null, [...times(9, answer(500)), answer(204), ...times(9, answer(500))], false],
    ["four that hang do", null, times(4, answer(null, "timeout")), true],
    ["one that was failing before ends it with its first failure", yesterday, [answer(500)], true],
    ["and goes on once it took something", yesterday, [answer(200), ...times(9, answer(500))], false],
    ["410 ends it", null, [answer(410)], true],
    ["429 that says when ends it", null, [answer(429, null, 30_000)], true],
    ["429 that does not say when is a failure like others", null, [answer(429)], false],
  ])("%s", (_, failingBefore, answers, isOver) => expect(tallyOf(failingBefore, ...answers).tally.isOver).toBe(isOver));

  it("says how the endpoint stands then", () => {
    const { tally, delivered } = tallyOf(null, answer(200), answer(302, null), answer(null, "connection_lost"));
    expect(delivered).toEqual([true, false, false]);
    expect(tally).toMatchObject({ delivered: 1, failed: 2, lastFailure: "connection_lost", failingSince: now });
    expect(tallyOf(yesterday, answer(500)).tally).toMatchObject({
      failingSince: yesterday,
      pausedUntil: new Date(now.getTime() + 300_000),
      disabled: null,
    });
    expect(tallyOf(yesterday, answer(200)).tally).toMatchObject({ failingSince: null, pausedUntil: null });
    expect(tallyOf(null, answer(503, null, 60_000)).tally.pausedUntil).toEqual(new Date(now.getTime() + 60_000));
  });
});

describe("[C-11.90] an endpoint", () => {
  const slow = answer(200, null, null, 1_001);
  it.each([
    ["that is new has proven itself with a quick delivery", false, [answer(200)], true],
    ["that is new has not with a slow one", false, [slow], false],
    ["has not with a quick delivery beside a slow one", false, [slow, answer(200)], false],
    ["that was proven is not when the last attempt failed", true, [answer(200), answer(500)], false],
    ["that was proven is when it took something after a quick failure", true, [answer(500), answer(200)], true],
  ])("%s", (_, is_proven, answers, isProven) => {
    const stats = createDeliveryStats({ failing_since: null, is_proven }, () => now);
    expect(stats.isProven).toBe(is_proven);
    for (const each of answers) stats.add(each);
    expect(stats).toMatchObject({ isProven, isOver: false });
  });

  it("that was proven gives its place back at its first slow attempt", () => {
    const stats = createDeliveryStats({ failing_since: null, is_proven: true }, () => now);
    stats.add(slow);
    expect(stats).toMatchObject({ isProven: false, isOver: true });
  });
});
