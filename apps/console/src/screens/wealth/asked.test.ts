import { expect, it } from "vitest";
import { askedIn, daysIn } from "./asked.js";

it("[C-14.1099] a year has 365 days, or 366, and ends today", () => {
  const year = askedIn({}, "2026-11-30");
  expect([year.from, year.to, daysIn(year)]).toEqual(["2025-12-01", "2026-11-30", 365]);
  expect(askedIn({ period: "quarter" }, "2026-05-31").from).toBe("2026-03-01");
  expect(askedIn({ period: "year-to-date" }, "2026-11-30").from).toBe("2026-01-01");
  const own = askedIn({ period: "own", from: "2026-01-02", to: "2026-01-03", in: "CHF" }, "2026-11-30");
  expect(own).toMatchObject({ from: "2026-01-02", to: "2026-01-03", currency: "CHF" });
});
