import { describe, expect, it } from "vitest";
import { resultOf } from "../test/sample-facts.js";
import { add, divide, fraction, product, round, roundSignificant, subtract, toNumber } from "./fraction.js";
import { PresentValue } from "./money-weighted.js";
import { power, precisions, roundedPowerLessOne } from "./powers.js";

describe("[C-8.100] fractions are exact and rounded half even", () => {
  it.each([
    ["0.125", 2, "0.12"],
    ["0.135", 2, "0.14"],
    ["-0.125", 2, "-0.12"],
    ["-0.135", 2, "-0.14"],
    ["-0.004", 2, "0.00"],
    ["2.5", 0, "2"],
    ["3.5", 0, "4"],
    ["12", 3, "12.000"],
  ])("%s with %i digits is %s", (text, digits, rounded) => {
    expect(round(fraction(text), digits)).toBe(rounded);
  });

  it.each([
    ["1", "1.2", "0.8333333333"],
    ["16500.25", "1", "16500.25000"],
    ["1", "16500.25", "0.00006060514235"],
    ["99999999999", "1", "100000000000"],
    ["12345678901.5", "1", "12345678900"],
    ["0.99999999999", "1", "1.000000000"],
    ["9.99999999999", "1", "10.00000000"],
    ["0", "1", "0.000000000"],
  ])("%s / %s with ten significant digits is %s", (over, under, text) => {
    expect(roundSignificant(divide(fraction(over), fraction(under)), 10)).toBe(text);
  });

  it("thirds add up", () => {
    const third = divide(fraction("1"), fraction("-3"));
    expect(round(add(add(third, third), third), 6)).toBe("-1.000000");
    expect(round(subtract(third, fraction("-0.3")), 6)).toBe("-0.033333");
    expect(round(product([third, third, fraction("9")]), 2)).toBe("1.00");
    expect(toNumber(third)).toBe(-1 / 3);
    expect(toNumber(fraction("0"))).toBe(0);
  });
});

describe("[C-8.107] powers have bounds", () => {
  const bases = [
    "2",
    "0.000001",
    "999999.5",
    "1.0000005",
    "0.333333333333333333333",
    "1",
    "123456789012345678901234567890",
  ];
  it.each(bases)("the third power of the cube root of %s, and so on, lies within them", (text) => {
    for (const bits of precisions) {
      for (const root of bits === 128 ? [3n, 365n, 3660n] : [3n, 365n]) {
        const { value, error } = power(fraction(text), { n: 1n, d: root }, bits);
        const { n, d } = fraction(text);
        const scale = 2n ** (BigInt(bits) * root);
        expect((value - error) ** root * d < n * scale && n * scale < (value + error) ** root * d).toBe(true);
        expect(error < 2n ** 40n).toBe(true);
      }
    }
  });

  it("a power that lies exactly between two results goes to the even one", () => {
    expect(roundedPowerLessOne(fraction("1.0201"), { n: 1n, d: 2n }, 1)).toBe(0n);
    expect(roundedPowerLessOne(fraction("1.1025"), { n: 1n, d: 2n }, 1)).toBe(0n);
    expect(roundedPowerLessOne(fraction("1.3225"), { n: 1n, d: 2n }, 1)).toBe(2n);
    expect(roundedPowerLessOne(fraction("1.21"), { n: 1n, d: 2n }, 6)).toBe(100_000n);
    expect(roundedPowerLessOne(fraction("0.81"), { n: -1n, d: 2n }, 6)).toBe(111_111n);
  });

  it("a root exactly between two millionths goes to the even one, and a root at 0 % is found", () => {
    const rootOf = (start: string, end: string) => {
      const value = new PresentValue(
        [
          { day: 0, amount: fraction(start) },
          { day: 5, amount: fraction(end) },
        ],
        5,
      );
      return resultOf(value.brackets()).map((bracket) => resultOf(value.root(bracket)));
    };
    expect(rootOf("-1000", "1000.0005")).toEqual([1_000_000n]);
    expect(rootOf("-1000", "1000.0015")).toEqual([1_000_002n]);
    expect(rootOf("-1000", "1000")).toEqual([1_000_000n]);
    expect(rootOf("-1000", "10000")).toEqual([10_000_000n]);
    expect(rootOf("-1000000", "1.5")).toEqual([2n]);
    expect(rootOf("-1000", "0")).toEqual([]);
  });
});
