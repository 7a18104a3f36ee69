import { expect, it } from "vitest";
import { numberReader } from "./numbers.js";

const read = (text: string, decimal = ".", thousands = "", strip: readonly string[] = []) =>
  numberReader({ decimal: [...decimal], thousands: [...thousands], strip })(text);

it.each([
  ["1234.50", ".", "", "1234.50"],
  ["-0.00", ".", "", "0.00"],
  [".5", ".", "", "0.5"],
  ["1,234,567.8", ".", ",", "1234567.8"],
  ["1.234.567,89", ",", ".", "1234567.89"],
  ["1'234'567.89", ".", "'", "1234567.89"],
  ["1\u2019234.5", ".", "'", "1234.5"],
  ["1 046,3825", ",", " ", "1046.3825"],
  ["1\u202f234,5", ",", " ", "1234.5"],
  ["1\u00a0234,5", ",", " ", "1234.5"],
  ["123.45-", ".", "", "-123.45"],
  ["\u2212123.45", ".", "", "-123.45"],
  ["(6.97)", ".", "", "-6.97"],
  ["+3", ".", "", "3"],
  ["0003", ".", "", "3"],
  ["26,45", ".,", "", "26.45"],
  ["0,039", ".,", "", "0.039"],
  ["1.2108", ".,", "", "1.2108"],
])("%j is read digit by digit, never through a float", (text, decimal, thousands, value) => {
  expect(read(text, decimal, thousands)).toEqual({ value });
});

it.each([
  ["1,234", ".,", "", /could have decimals or thousands/],
  ["12,34.5", ".", ",", /format of the mapping/],
  ["1,23", ".", ",", /format of the mapping/],
  ["1.234,5", ".", ",", /format of the mapping/],
  ["1,234", ".", "", /format of the mapping/],
  ["1.234,567.8", ",", ".'", /format of the mapping/],
  ["-5-", ".", "", /is not a number/],
  ["(-5)", ".", "", /is not a number/],
  ["", ".", "", /is not a number/],
  ["12 EUR", ".", "", /format of the mapping/],
  ["1e5", ".", "", /format of the mapping/],
  [`1${"0".repeat(28)}`, ".", "", /too many digits/],
])("%j in another format is refused, not guessed", (text, decimal, thousands, fault) => {
  expect(read(text, decimal, thousands)).toEqual({ fault: expect.stringMatching(fault) });
});

it("signs of a currency go where the mapping says so", () => {
  expect(read("-$1,259.59", ".", ",", ["$"])).toEqual({ value: "-1259.59" });
  expect(read("$1", ".")).toHaveProperty("fault");
});

it("a line of blanks in the place of a number is refused like anything else, and costs no time", () => {
  const began = process.cpuUsage();
  for (const blanks of [" ", "\u00a0", "\t"])
    expect(read(`1${blanks.repeat(80_000)}1`, ".", " ")).toEqual({
      fault: "is not a number in the format of the mapping",
    });
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
