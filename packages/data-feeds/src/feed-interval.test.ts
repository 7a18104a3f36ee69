import { expect, it } from "vitest";
import { usualInterval } from "./feed-interval.js";

it.each([
  ["no file", [], 0],
  ["one day with files", ["2026-03-02"], 0],
  ["two", ["2026-03-02", "2026-02-28"], 2],
  ["a late one between", ["2026-03-09", "2026-03-02", "2026-01-02"], 33],
  ["a weekend", ["2026-03-03", "2026-03-02", "2026-02-27", "2026-02-26"], 1],
  ["months", ["2026-05-01", "2026-04-01", "2026-03-01", "2026-02-01", "2026-01-01"], 30.5],
])("[C-4.111] the usual interval of files is the median of the last four: %s", (_, days, interval) => {
  expect(usualInterval(days)).toBe(interval);
});
