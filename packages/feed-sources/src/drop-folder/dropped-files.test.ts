import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { entriesOf, fairShare, nameInPath } from "./dropped-files.js";

it.each<[number[][], number, number[]]>([
  [[[1, 2, 3, 4], [5], [6, 7]], 5, [1, 5, 6, 2, 7]],
  [[[1, 2, 3, 4], [5], [6, 7]], 2, [1, 5]],
  [[[1, 2, 3, 4], [5], [], [6, 7]], 100, [1, 5, 6, 2, 7, 3, 4]],
  [[[1], [2]], 0, []],
  [[], 5, []],
])("of %j, %i in all, each list has its turn", (lists, most, expected) => {
  expect(fairShare(lists, most)).toEqual(expected);
});

it("[C-9.280] of a folder as many names are kept as are asked for, hidden ones left out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "names-"));
  mkdirSync(join(folder, "inner"));
  for (let n = 0; n < 40; n += 1) writeFileSync(join(folder, n % 2 ? `.${n}` : `${n}.xml`), "");
  expect(await entriesOf(folder, 5)).toHaveLength(5);
  const all = await entriesOf(folder, 1_000);
  expect(all.filter(({ isDirectory }) => !isDirectory)).toHaveLength(20);
  expect(all.find(({ isDirectory }) => isDirectory)).toEqual({
    name: "inner",
    path: Buffer.from(join(folder, "inner")),
    isDirectory: true,
  });
  expect(await entriesOf(join(folder, "gone"), 5)).toEqual([]);
  rmSync(folder, { recursive: true });
});

it("what turns text around or hides in it is no part of a name that is shown", () => {
  expect(nameInPath("a\u202ebcd.exe\u200b\u2028/\\\u0007")).toBe("a?bcd.exe?????");
});
