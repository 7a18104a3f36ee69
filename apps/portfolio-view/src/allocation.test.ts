import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocation } from "./allocation.js";

const money = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.nat({ max: 8 }))
  .map(([units, places]) => ({ units: units * 10n ** BigInt(8 - places), amount: written(units, places) }));

describe("an allocation", () => {
  it("is exact: its parts add up to what went in, whatever the size and the decimals", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), money), { minLength: 1 }), (parts) => {
        const drawn = allocation(parts.map(([label, { amount }]) => ({ label, amount })));
        const sum = drawn.reduce((all, { amount }) => all + unitsOf(amount), 0n);
        expect(sum).toBe(parts.reduce((all, [, { units }]) => all + units, 0n));
        expect(drawn.length).toBe(new Set(parts.map(([label]) => label)).size);
      }),
    );
  });

  it.each([
    [
      "the largest first, below zero last",
      [
        ["a", "1"],
        ["b", "-5"],
        ["c", "4.0"],
      ],
      ["c 4.0 0.4", "a 1 0.1", "b -5 0.5"],
    ],
    [
      "one label is added up",
      [
        ["a", "0.1"],
        ["a", "0.2"],
      ],
      ["a 0.3 1"],
    ],
    ["nothing has no share", [["a", "0.00"]], ["a 0.00 0"]],
    [
      "labels decide between equals",
      [
        ["b", "2"],
        ["a", "2.00"],
      ],
      ["a 2.00 0.5", "b 2 0.5"],
    ],
    ["no parts", [], []],
  ])("%s", (_, parts, drawn) => {
    const made = allocation(parts.map(([label = "", amount = ""]) => ({ label, amount })));
    expect(made.map(({ label, amount, share }) => `${label} ${amount} ${share}`)).toEqual(drawn);
  });
});

function written(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const at = digits.length - places;
  return `${units < 0n ? "-" : ""}${digits.slice(0, at)}${places > 0 ? `.${digits.slice(at)}` : ""}`;
}

function unitsOf(amount: string): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(8, "0"));
}
