import fc from "fast-check";
import { expect, it } from "vitest";
import { lengthsOfElements } from "./element-lengths.js";

it("gives the length of every element of a JSON array, whatever it holds", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      expect(lengthsOfElements(JSON.stringify(values))).toEqual(values.map((value) => JSON.stringify(value).length));
    }),
  );
});

it("counts spaces as they are written, since they take room too", () => {
  expect(lengthsOfElements(' [{"a" : [1, 2]}, \n {"b": "},{\\""}] ')).toEqual([
    '{"a" : [1, 2]}'.length,
    ' \n {"b": "},{\\""}'.length,
  ]);
  for (const empty of ["[]", "[ ]", " [\n] "]) expect(lengthsOfElements(empty)).toEqual([]);
});
