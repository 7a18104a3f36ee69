import { expect, it } from "vitest";
import { divideDecimals } from "./decimal.js";

it.each<[string, string, number, string]>([
  ["1", "3", 4, "0.3333"],
  ["2", "3", 4, "0.6667"],
  ["-2", "3", 4, "-0.6667"],
  ["2", "-3", 0, "-1"],
  ["0.5", "1", 0, "1"],
  ["-0.5", "1", 0, "-1"],
  ["0.4999", "1.0", 0, "0"],
  ["-0.0004", "1", 3, "0.000"],
  ["1", "156.25", 8, "0.00640000"],
  ["123456789012345678901234567.89", "0.01", 2, "12345678901234567890123456789.00"],
  ["0", "7", 2, "0.00"],
])("[C-5.158] %s divided by %s with %s digits is %s", (dividend, divisor, digits, quotient) => {
  expect(divideDecimals(dividend, divisor, digits)).toBe(quotient);
});

it("[C-5.158] nothing is divided by zero", () => {
  expect(() => divideDecimals("1", "0.00", 2)).toThrow(RangeError);
});
