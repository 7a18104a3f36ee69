import { expect, test } from "vitest";
import { isSameNumber, plainDecimal, productOf, sumOf } from "./decimal.js";

test.each([
  ["500000", "500000"],
  ["9956.1920", "9956.1920"],
  ["-0.00", "0.00"],
  ["1e3", "1000"],
  ["1.25E+1", "12.5"],
  ["-12.5e-3", "-0.0125"],
  ["0e5", "0"],
  ["1e-21", null],
  ["1e28", null],
  ["12345678901234567.89", "12345678901234567.89"],
])("a number of JSON keeps its digits: %s", (text, plain) => {
  expect(plainDecimal(text)).toBe(plain);
});

test("sums and products are exact, and unknown parts make an unknown sum", () => {
  expect(sumOf(["0.1", "0.2", "-0.30"])).toBe("0.00");
  expect(sumOf(["1", null])).toBeNull();
  expect(sumOf([])).toBeNull();
  expect(productOf("9956.192", "115")).toBe("1144962.080");
  expect(productOf("200000", "90", "0.01")).toBe("180000.00");
  expect(productOf("20", "30", "5")).toBe("3000");
  expect(productOf("1.5", "2.0")).toBe("3.0");
  expect(isSameNumber("-180765", "-180765.00")).toBe(true);
});
