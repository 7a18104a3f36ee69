import { expect, it } from "vitest";
import { dayBefore, dayInZone } from "./days.js";

it.each([
  ["America/New_York", "2026-03-08T04:59:59Z", "2026-03-07"],
  ["America/New_York", "2026-03-08T05:00:00Z", "2026-03-08"],
  ["America/New_York", "2026-07-01T03:59:59Z", "2026-06-30"],
  ["Asia/Tokyo", "2025-12-31T15:00:00Z", "2026-01-01"],
  ["UTC", "2024-02-29T23:59:59Z", "2024-02-29"],
])("[C-5.150] the day in %s at %s is %s", (zone, moment, day) => {
  expect(dayInZone(zone, new Date(moment))).toBe(day);
});

it("[C-5.150] days are counted back over the ends of months and years", () => {
  expect(dayBefore("2024-03-01", 1)).toBe("2024-02-29");
  expect(dayBefore("2026-01-01", 8)).toBe("2025-12-24");
});
