import { expect, it } from "vitest";
import { divideDecimals, roundedProduct } from "./decimal.js";

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

it.each<[[string, ...string[]], string]>([
  [["2", "1.05", "100"], "210.00"],
  [["-0.50"], "-0.50"],
  [["0.1234567890", "0.1234567890"], "0.01524157875019052100"],
  [["0.12345678901", "0.1234567890"], "0.01524157875142508889"],
  [["-0.00000000001", "0.0000000005"], "-0.00000000000000000001"],
])("[C-5.208] the product of %j is %s: exact, rounded beyond 20 digits after the point", (factors, product) => {
  expect(roundedProduct(...factors)).toBe(product);
});
