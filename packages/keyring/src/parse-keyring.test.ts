import { describe, expect, it } from "vitest";
import { createKeyring } from "./create-keyring.js";
import { KeyringError } from "./keyring-error.js";
import { parseKeyring } from "./parse-keyring.js";

const key = (byte: number, length = 32) => Buffer.alloc(length, byte).toString("base64");

function faults(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(KeyringError);
    expect((error as KeyringError).code).toBe("bad_key_material");
    return (error as KeyringError).issues;
  }
  return [];
}

describe("[C-1.15] ENCRYPTION_KEYS: id:base64(32 bytes), comma-separated", () => {
  it("reads keys in their order, blanks around entries ignored", () => {
    expect(parseKeyring(`2026:${key(1)}, old_key-1:${key(2)}\n`)).toEqual([
      { id: "2026", key: new Uint8Array(32).fill(1) },
      { id: "old_key-1", key: new Uint8Array(32).fill(2) },
    ]);
  });

  const short = "is not 32 bytes in Base64";
  const badId = "has an id that is not 1–32 characters of A-Z a-z 0-9 _ -";
  const table: [string, string, string[]][] = [
    ["nothing", "", ["entry 1 is not of the form id:base64"]],
    ["a trailing comma", `a:${key(1)},`, ["entry 2 is not of the form id:base64"]],
    ["no colon", key(1), ["entry 1 is not of the form id:base64"]],
    ["an empty id", `:${key(1)}`, [`key 1 ${badId}`]],
    ["a long id", `${"a".repeat(33)}:${key(1)}`, [`key 1 ${badId}`]],
    ["an id with a dot", `a.b:${key(1)}`, [`key 1 ${badId}`]],
    ["31 bytes", `a:${key(1, 31)}`, [`key a ${short}`]],
    ["33 bytes", `a:${key(1, 33)}`, [`key a ${short}`]],
    ["no key", "a:", [`key a ${short}`]],
    ["hexadecimal", `a:${"0f".repeat(32)}`, [`key a ${short}`]],
    ["characters outside Base64", `a:${key(255).replace("/", "_")}`, [`key a ${short}`]],
    ["missing padding", `a:${key(1).replace("=", "")}`, [`key a ${short}`]],
    ["a repeated id", `a:${key(1)},b:${key(2)},a:${key(3)}`, ["key a repeats an id"]],
    [
      "several at once",
      `a:x,x,a:${key(1)},b b:${key(1)}`,
      ["entry 2 is not of the form id:base64", `key a ${short}`, "key a repeats an id", `key 3 ${badId}`],
    ],
  ];
  it.each(table)("lists every fault of %s", (_, text, expected) => {
    expect(faults(() => parseKeyring(text))).toEqual(expected);
  });

  it("never repeats key material, also when id and key are swapped", () => {
    const swapped = `${key(7)}:main`;
    expect(() => parseKeyring(swapped)).toThrow();
    expect(faults(() => parseKeyring(swapped)).join()).not.toContain(key(7).slice(0, 6));
  });

  it("makes no keyring of no keys, or of keys of another length", () => {
    expect(faults(() => createKeyring([]))).toEqual(["there is no key"]);
    expect(faults(() => createKeyring([{ id: "a", key: new Uint8Array(16) }]))).toEqual([`key a ${short}`]);
  });
});
