import fc from "fast-check";
import { expect, it } from "vitest";
import { csvLines } from "./csv.js";

it("[C-14.62] no text is a formula to a spreadsheet, and every text but its apostrophes is as it was", () => {
  const text = fc.string({
    unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "＝", " ", '"', ",", ";", "a", "1"),
  });
  fc.assert(
    fc.property(text, (value) => {
      const line = csvLines([[value]]).slice(0, -2);
      const field = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
      if (!/^[+-]?\d+(\.\d+)?$/.test(field)) expect(field).not.toMatch(/^\s*[=+\-@\t\r＋－＝＠]/u);
      expect(field).not.toMatch(/;[\s"]*[=+\-@＋－＝＠]/u);
      expect(field.replaceAll("'", "")).toBe(value);
    }),
  );
});

it("[C-14.62] numbers and decimals stay what they are, lists are joined, nothing is empty", () => {
  const row = [-1, "-1.50", "-1+1", ["a, b", "c"], null, undefined, true];
  expect(csvLines([row])).toBe('-1,-1.50,\'-1+1,"a, b; c",,,true\r\n');
});
