import { describe, expect, it } from "vitest";
import { memoize } from "./memoize.js";

describe("remembered", () => {
  const counting = (longest?: number) => {
    const asked: string[] = [];
    const answer = memoize((text) => {
      asked.push(text);
      return text === "none" ? null : text.toUpperCase();
    }, longest);
    return { asked, answer };
  };

  it("works out the answer to a text once, be it null", () => {
    const { asked, answer } = counting();
    expect(["a", "none", "a", "none"].map(answer)).toEqual(["A", null, "A", null]);
    expect(asked).toEqual(["a", "none"]);
  });

  it("forgets all when there are too many, and remembers anew", () => {
    const { asked, answer } = counting();
    for (let round = 0; round < 2; round += 1) for (let index = 0; index < 2_001; index += 1) answer(String(index));
    expect(asked.length).toBeGreaterThan(2_001);
    const before = asked.length;
    answer("2000");
    expect(asked).toHaveLength(before);
  });

  it("does not remember texts longer than it is told", () => {
    const { asked, answer } = counting(3);
    for (const text of ["EUR", "EUR", "euros", "euros"]) answer(text);
    expect(asked).toEqual(["EUR", "euros", "euros"]);
  });
});
