import { describe, expect, it } from "vitest";
import { details, printable, table } from "./table.js";

describe("a table", () => {
  it("aligns columns, also behind wide and combining characters", () => {
    const drawn = table(
      ["bank", "n"],
      [
        ["銀行", 1],
        ["Cafe\u0301", 22],
        ["x", null],
        [["a", "b"], undefined],
      ],
    );
    expect(drawn).toBe("BANK  N\n銀行  1\nCafe\u0301  22\nx     -\na, b  -");
  });

  it("shows the fields of one object line by line", () => {
    expect(details({ id: "1", enabled: false, labels: [] })).toBe("id       1\nenabled  false\nlabels   -");
  });
});

it.each([
  ["an escape sequence", "a\u001b[2Jb", "a [2Jb"],
  ["line ends", "a\r\nb", "a b"],
  ["a turn of direction", "a\u202eb", "a b"],
  ["letters of any script", "Ñandú 銀行", "Ñandú 銀行"],
])("what a terminal would obey is left out: %s", (_, text, expected) => {
  expect(printable(text)).toBe(expected);
});
