import { expect, it } from "vitest";
import { dayBefore, isPeriod, periodOf } from "./period.js";

it("[C-14.1108] a report's named periods are whole quarters, years and months", () => {
  expect(periodOf("last_quarter", "2026-11-30")).toEqual({ from: "2026-07-01", to: "2026-09-30" });
  expect(periodOf("last_quarter", "2026-01-01")).toEqual({ from: "2025-10-01", to: "2025-12-31" });
  expect(periodOf("last_quarter", "2026-04-01")).toEqual({ from: "2026-01-01", to: "2026-03-31" });
  expect(periodOf("this_year", "2026-11-30")).toEqual({ from: "2026-01-01", to: "2026-11-30" });
  expect(periodOf("last_year", "2026-11-30")).toEqual({ from: "2025-01-01", to: "2025-12-31" });
  expect(periodOf("last_twelve", "2026-11-30")).toEqual({ from: "2025-11-01", to: "2026-10-31" });
  expect(periodOf("last_twelve", "2024-03-15")).toEqual({ from: "2023-03-01", to: "2024-02-29" });
  expect(dayBefore("2024-03-01")).toBe("2024-02-29");
  expect(isPeriod({ from: "2026-01-02", to: "2026-01-01" }, "2026-11-30")).toBe(false);
  expect(isPeriod({ from: "2026-01-02", to: "2026-12-01" }, "2026-11-30")).toBe(false);
  expect(isPeriod({ from: "", to: "2026-11-30" }, "2026-11-30")).toBe(false);
});
