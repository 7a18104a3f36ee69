import { describe, expect, it } from "vitest";
import { createKeyedHash } from "./keyed-hash.js";

const key = (version: number, bytes = 32) => ({ version, key: new Uint8Array(bytes).fill(version) });

describe("[C-9.15] hashes of generated secrets: HMAC-SHA-256 under versioned keys", () => {
  it("match the same text and purpose only", () => {
    const hash = createKeyedHash([key(1)]);
    const stored = hash.hash("a", "secret");
    expect(stored).toMatch(/^1\.[\w-]{43}$/);
    expect(hash.matches("a", "secret", stored)).toBe(true);
    expect(hash.matches("a", "secre", stored)).toBe(false);
    expect(hash.matches("b", "secret", stored)).toBe(false);
  });

  it("stay comparable after a new key was put first, and are made with the new one", () => {
    const stored = createKeyedHash([key(1)]).hash("a", "secret");
    const turned = createKeyedHash([key(2), key(1)]);
    expect(turned.matches("a", "secret", stored)).toBe(true);
    expect(turned.hash("a", "secret")).toMatch(/^2\./);
    expect(createKeyedHash([key(2)]).matches("a", "secret", stored)).toBe(false);
  });

  it.each(["", "1", "1.", ".x", "x.y", "1.AAAA", "9.AAAA"])("never match the stored text %j", (stored) => {
    expect(createKeyedHash([key(1)]).matches("a", "secret", stored)).toBe(false);
  });

  it.each([[[]], [[key(0)]], [[key(256)]], [[key(1.5)]], [[key(1, 31)]], [[key(1), key(1)]]])(
    "refuse the keys %j",
    (keys) => {
      expect(() => createKeyedHash(keys)).toThrow(expect.objectContaining({ code: "bad_configuration" }));
    },
  );
});
