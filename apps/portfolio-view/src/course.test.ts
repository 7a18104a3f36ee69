import { expect, it } from "vitest";
import { courseOf } from "./course.js";

const day = (date: string, balance: string | null, missing = 0) => ({
  date,
  totals: balance === null ? [] : [{ currency: "EUR", balance }],
  complete: missing === 0,
  rates: [],
  coverage: { portfolios: 2, valued: 2 - missing, carried: 0, missing },
});

it("[C-14.1098] no line joins days that lack different portfolios, and days without a value are a gap", () => {
  const { stretches, gaps, marks } = courseOf(
    [
      day("2026-03-01", null, 2),
      day("2026-03-02", "100.00", 1),
      day("2026-03-03", "110.00", 1),
      day("2026-03-04", "310.00"),
      day("2026-03-05", null, 2),
      day("2026-03-06", "320.00"),
      day("2026-03-11", null, 2),
    ],
    "EUR",
  );
  expect(stretches.map(({ points, isPart }) => [points.map(({ date }) => date.slice(-2)).join(), isPart])).toEqual([
    ["02,03", true],
    ["04", false],
    ["06", false],
  ]);
  expect(gaps).toEqual([
    [0.3, 0.5],
    [0.5, 1],
  ]);
  expect(marks.map(({ value }) => value)).toEqual([100, 200, 300, 400]);
});

it("[C-14.1098] one day, equal days and no days are drawn too", () => {
  expect(courseOf([day("2026-03-01", "5.00")], "EUR").stretches[0]?.points[0]).toMatchObject({ x: 0.5 });
  const { marks } = courseOf([day("2026-03-01", "0.00"), day("2026-03-02", "0.00")], "EUR");
  expect(marks.length).toBeGreaterThan(1);
  expect(courseOf([], "EUR")).toEqual({ points: [], stretches: [], gaps: [], marks: [] });
  expect(courseOf([day("2026-03-01", "5.00")], "USD")).toMatchObject({ stretches: [], gaps: [] });
});
