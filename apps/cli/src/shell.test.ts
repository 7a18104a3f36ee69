import { expect, it } from "vitest";
import { stripControlCharacters } from "./shell.js";

it("[security.md] what is printed has nothing that a terminal obeys, and JSON stays what it says", () => {
  const hostile = { name: "a\u001b[2J\u009b31m\u202eb\u2066\u007f\u0000 Zürich – 東京\tx\n" };
  const printed = stripControlCharacters(JSON.stringify(hostile, null, 2));
  expect(printed).toMatch(/^[\n\t\x20-\x7e\u00a0-\u1fff\u2010-\u2027\u2070-\uffff]*$/);
  expect(JSON.parse(printed)).toEqual(hostile);
  expect(stripControlCharacters("name\tZürich\nnext")).toBe("name\tZürich\nnext");
});
