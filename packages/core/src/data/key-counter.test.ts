import fc from "fast-check";
import { expect, it } from "vitest";
import { createKeyCounter } from "./key-counter.js";

it("counts what a map counts", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(20), fc.nat(100_000)), { size: "max", maxLength: 3_000 }), (keys) => {
      const tally = createKeyCounter();
      const counts = new Map<number, number>();
      const count = (key: number) => {
        const before = counts.get(key) ?? 0;
        counts.set(key, before + 1);
        return before;
      };
      expect(keys.map((key) => tally.add(String(key)))).toEqual(keys.map(count));
      expect([...counts.keys()].map((key) => tally.of(String(key)))).toEqual([...counts.values()]);
      expect(tally.of("none")).toBe(0);
    }),
    { numRuns: 20 },
  );
});
