import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createKeyedHash } from "../keyed-hash.js";
import { uuidV7 } from "../uuid.js";
import { mintRefreshToken, readRefreshToken } from "./refresh-token.js";

const key = (version: number) => ({ version, key: new Uint8Array(32).fill(version) });
const hash = createKeyedHash([key(1)]);
const grantId = uuidV7(new Date("2026-01-15T12:00:00Z"), randomBytes);

describe("refresh tokens", () => {
  it("read back to grant and hash, each token different", () => {
    const [a, b] = [mintRefreshToken(hash, grantId, randomBytes), mintRefreshToken(hash, grantId, randomBytes)];
    expect(readRefreshToken(hash, a.token)).toEqual({ grant_id: grantId, token_hash: a.token_hash });
    expect(a.token).not.toBe(b.token);
    expect(a.token_hash).not.toBe(b.token_hash);
  });

  it("hold 256 random bits", () => {
    const asked: number[] = [];
    mintRefreshToken(hash, grantId, (count) => (asked.push(count) ? randomBytes(count) : randomBytes(0)));
    expect(asked).toEqual([32]);
  });

  it("cannot be made by changing any character of one", () => {
    const { token } = mintRefreshToken(hash, grantId, randomBytes);
    for (let index = 0; index < token.length; index++) {
      const other = token[index] === "A" ? "Q" : "A";
      expect(readRefreshToken(hash, token.slice(0, index) + other + token.slice(index + 1))).toBeNull();
    }
  });

  it("survive a new key being put first, and end with their key", () => {
    const { token, token_hash } = mintRefreshToken(hash, grantId, randomBytes);
    expect(readRefreshToken(createKeyedHash([key(2), key(1)]), token)).toEqual({ grant_id: grantId, token_hash });
    expect(readRefreshToken(createKeyedHash([key(2)]), token)).toBeNull();
    expect(readRefreshToken(createKeyedHash([{ ...key(2), version: 1 }]), token)).toBeNull();
  });
});
