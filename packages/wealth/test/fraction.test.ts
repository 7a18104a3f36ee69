import { describe, expect, it } from "vitest";
import { Fraction } from "./reference/fraction.js";
import { exponential, fixed, logarithm, logarithmOfTen, sixDecimals, unit } from "./reference/high-precision.js";

describe("the arithmetic that figures are judged by", () => {
  it.each([
    ["2.5", 0, "2"],
    ["3.5", 0, "4"],
    ["-2.5", 0, "-2"],
    ["0.125", 2, "0.12"],
    ["0.1250001", 2, "0.13"],
    ["-0.004", 2, "0.00"],
    ["999.995", 2, "1000.00"],
  ])("%s with %i decimals is %s", (decimal, decimals, expected) => {
    expect(Fraction.of(decimal).toFixed(decimals)).toBe(expected);
  });

  it.each([
    [5n, 6n, "0.8333333333"],
    [1n, 3000n, "0.0003333333333"],
    [5n, 4n, "1.250000000"],
    [123_456_789_012n, 1n, "123456789000"],
    [99_999_999_999n, 10n, "10000000000"],
    [99_999_999_999n, 100_000_000_000n, "1.000000000"],
    [1n, 10n, "0.1000000000"],
  ])("%i/%i with ten significant digits is %s", (top, bottom, expected) => {
    expect(new Fraction(top, bottom).toSignificant(10)).toBe(expected);
  });

  it("e, the logarithm of ten and their like have a hundred digits", () => {
    // OEIS A001113 and A002392.
    expect(exponential(unit).toString().slice(0, 50)).toBe("27182818284590452353602874713526624977572470936999");
    expect(logarithmOfTen.toString().slice(0, 50)).toBe("23025850929940456840179914546843642076011014886287");
    for (const number of ["0.000001", "0.3", "1", "2.5", "1000000"]) {
      const error = exponential(logarithm(fixed(Fraction.of(number)))) - fixed(Fraction.of(number));
      expect((error < 0n ? -error : error) < unit / 10n ** 100n).toBe(true);
    }
  });

  it.each([
    ["0.0000005", "0.000000"],
    ["0.0000015", "0.000002"],
    ["-0.0000015", "-0.000002"],
    ["-0.0000005", "0.000000"],
    ["12.3456785", "12.345678"],
  ])("%s with six decimals is %s", (decimal, expected) => {
    expect(sixDecimals(fixed(Fraction.of(decimal)))).toBe(expected);
  });
});
