import fc from "fast-check";
import { expect, it } from "vitest";
import { parseExactly } from "../src/http/exact-numbers.js";

it.each([
  ["0.10", "0.10"],
  ["-0.00", "-0.00"],
  ["12345678901234567890.123456789", "12345678901234567890.123456789"],
  ["1.5e3", "1500"],
  ["1.50E1", "15.0"],
  ["1.5E-3", "0.0015"],
  ["-12e-1", "-1.2"],
  ["0e5", "0"],
  ["123.456e+2", "12345.6"],
  ["1e-1", "0.1"],
  ["1e999999999", "1e999999999"],
])("[C-10.18] %s is read as %s", (number, text) => {
  expect(parseExactly(`{"a":[${number}]}`)).toEqual({ a: [text] });
});

it.each(["01", "1.", ".5", "+1", "1e", "-", "[1", "1 2", '"', '{"a":1,}', "NaN"])("%s is no JSON", (text) => {
  expect(() => parseExactly(text)).toThrow(SyntaxError);
});

it("[C-10.18] every number is a text of its value, and everything else is read as JSON.parse reads it", () => {
  const check = (exact: unknown, plain: unknown): void => {
    if (typeof plain === "number") expect([typeof exact, Number(exact)]).toEqual(["string", plain]);
    else if (typeof plain !== "object" || plain === null) expect(exact).toBe(plain);
    else {
      expect(Object.keys(exact as object)).toEqual(Object.keys(plain));
      for (const key of Object.keys(plain)) check(Reflect.get(exact as object, key), Reflect.get(plain, key));
    }
  };
  fc.assert(
    fc.property(fc.json(), (text) => {
      check(parseExactly(text), JSON.parse(text));
    }),
  );
});

it("a string of a megabyte and of backslashes is no trouble", () => {
  const value = { a: '\\"'.repeat(500_000), b: "1e5", c: 2 };
  expect(parseExactly(JSON.stringify(value))).toEqual({ ...value, c: "2" });
});
