import { expect, it } from "vitest";
import { fairShare } from "./dropped-files.js";

it.each<[number[][], number, number[]]>([
  [[[1, 2, 3, 4], [5], [6, 7]], 5, [1, 5, 6, 2, 7]],
  [[[1, 2, 3, 4], [5], [6, 7]], 2, [1, 5]],
  [[[1, 2, 3, 4], [5], [], [6, 7]], 100, [1, 5, 6, 2, 7, 3, 4]],
  [[[1], [2]], 0, []],
  [[], 5, []],
])("of %j, %i in all, each list has its turn", (lists, most, expected) => {
  expect(fairShare(lists, most)).toEqual(expected);
});
