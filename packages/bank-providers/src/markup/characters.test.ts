import { describe, expect, it } from "vitest";
import { codesOf } from "./characters.js";

const charCodesOf = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

describe("codesOf", () => {
  it.each(["", "<A>plain</A>", "Zürich", "10 € 😀 \u0100\uD800\uFFFF"])("answers what charCodeAt does: %j", (text) => {
    expect([...codesOf(text)]).toEqual(charCodesOf(text));
    for (const encoding of ["utf8", "latin1", "utf16le"] as const)
      expect([...codesOf(text, Buffer.from(text, encoding))]).toEqual(charCodesOf(text));
  });

  it("takes the bytes of a file in ASCII as they are, wherever they stand in memory", () => {
    const memory = new TextEncoder().encode("--<A>plain</A>--");
    const file = memory.subarray(2, -2);
    const codes = codesOf("<A>plain</A>", file);
    expect(codes.buffer).toBe(memory.buffer);
    expect([...codes]).toEqual([...file]);
  });

  it("does not take bytes that are as many as the characters and others", () => {
    const text = "10 €";
    expect([...codesOf(text, Uint8Array.of(0x31, 0x30, 0x20, 0x80))]).toEqual(charCodesOf(text));
  });
});
