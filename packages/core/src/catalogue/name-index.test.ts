import fc from "fast-check";
import { expect, it } from "vitest";
import { createNameIndex } from "./name-index.js";

it("[C-4.63] finds what asking each name finds, in order and once", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "ñ", "\n"), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 12 }),
      fc.oneof(text, fc.constant("\0"), fc.constant("a\0b")),
      (names, key) => {
        const places = names.flatMap((name, place) => (name.includes(key) ? [place] : []));
        const index = createNameIndex(names);
        expect(index.matching(key)).toEqual(places);
        expect(index.has(key)).toBe(places.length > 0);
      },
    ),
  );
  expect([createNameIndex([]).matching(""), createNameIndex([]).has("")]).toEqual([[], false]);
});
