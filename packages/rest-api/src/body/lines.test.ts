import { CoreError } from "@org/core";
import { expect, it } from "vitest";
import { decodeLines } from "./lines.js";

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(text: string | Uint8Array, size: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of decodeLines(inPieces(Buffer.from(text), size))) lines.push(line);
  return lines;
}

it.each([1, 2, 3, 5, 1000])("[C-9.27] lines come out whole when they arrive in pieces of %i bytes", async (size) => {
  expect(await read("one\r\nzwei: ñ €\n\n漢字 🙂\nlast", size)).toEqual(["one", "zwei: ñ €", "", "漢字 🙂", "last"]);
});

it("a last line end begins no further line", async () => {
  expect(await read("one\n", 10)).toEqual(["one"]);
  expect(await read("", 10)).toEqual([]);
});

it.each([
  ["is not UTF-8", Buffer.concat([Buffer.from("one\ntwo\n"), Buffer.from([0xc3, 0x28])])],
  ["has no end", Buffer.concat([Buffer.from("one\ntwo\n"), Buffer.alloc(1024 * 1024 + 1, "x")])],
])("[C-9.27] a line that %s is refused by its number", async (_name, bytes) => {
  const refusal = await read(bytes, 65_536).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CoreError);
  expect((refusal as CoreError).details).toMatchObject([{ field: "line 3", error_type: "InvalidValue" }]);
});
