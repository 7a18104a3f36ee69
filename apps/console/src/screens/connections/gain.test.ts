import { describe, expect, it } from "vitest";
import { gainOf, percentOf } from "./gain.js";

describe("[C-14.911] gains and shares are exact, and unknown where a part of them is", () => {
  it.each([
    ["110.00", "100.00", "10.00", "10.00"],
    ["90", "100.000", "-10.000", "-10.00"],
    ["99999999999999999999.99", "99999999999999999999.98", "0.01", "0.00"],
    ["100", "0.00", "100.00", null],
    ["-50", "-100", "50", "50.00"],
    ["100.005", "100", "0.005", "0.00"],
    ["100.015", "100", "0.015", "0.02"],
  ])("%s that cost %s", (balance, cost, gain, percent) => {
    expect(gainOf({ balance, cost })).toEqual({ gain, percent });
  });

  it("without a value or a cost there is no gain", () => {
    expect([
      gainOf({ balance: null, cost: "1" }),
      gainOf({ balance: "1" }),
      gainOf({ balance: "1", cost: null }),
    ]).toEqual([null, null, null]);
  });

  it.each([
    ["1", "3", 1, "33.3"],
    ["-1", "3", 1, "-33.3"],
    ["-0.0001", "3", 1, "0.0"],
    ["1", "200", 0, "0"],
    ["3", "200", 0, "2"],
    ["1", "0", 1, null],
    ["1", "-5", 1, null],
  ])("%s of %s", (part, whole, digits, share) => {
    expect(percentOf(part, whole, digits)).toBe(share);
  });
});
