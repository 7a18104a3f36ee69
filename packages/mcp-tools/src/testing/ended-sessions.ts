import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { EndedSessions } from "../http/session-ids.js";

/** The rules of {@link EndedSessions} that every backend must pass. @param create makes a new, empty one */
export function describeEndedSessions(name: string, create: () => EndedSessions | Promise<EndedSessions>): void {
  describe(`${name} as EndedSessions`, () => {
    const later = new Date("2100-01-01T00:00:00Z");
    let ended: EndedSessions;
    beforeAll(async () => {
      ended = await create();
    });

    it("[C-4.5] knows a session as ended as soon as end has been kept", async () => {
      const nonce = newNonce();
      expect(await ended.isEnded(nonce)).toBe(false);
      await ended.end(nonce, later);
      expect(await ended.isEnded(nonce)).toBe(true);
    });

    it("tells sessions apart exactly", async () => {
      const nonce = newNonce();
      await ended.end(nonce, later);
      expect(await ended.isEnded(nonce.toLowerCase() === nonce ? nonce.toUpperCase() : nonce.toLowerCase())).toBe(
        false,
      );
      expect(await ended.isEnded(newNonce())).toBe(false);
    });

    it("takes the same session any number of times, at once too", async () => {
      const nonce = newNonce();
      await Promise.all(Array.from({ length: 10 }, () => ended.end(nonce, later)));
      expect(await ended.isEnded(nonce)).toBe(true);
    });
  });
}

/** {@link EndedSessions} in the memory of one process, never forgotten before it ends. For tests and examples. */
export function createMemoryEndedSessions(): EndedSessions {
  const nonces = new Set<string>();
  return {
    async end(nonce) {
      nonces.add(nonce);
    },
    isEnded: (nonce) => nonces.has(nonce),
  };
}

function newNonce(): string {
  return randomBytes(16).toString("base64url");
}
