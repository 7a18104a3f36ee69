import type { EndedSessions } from "../http/ended-sessions.js";

/** {@link EndedSessions} of one process, which forgets them with it and never before. For tests and examples. */
export function createMemoryEndedSessions(): EndedSessions {
  const nonces = new Set<string>();
  return {
    async end(nonce) {
      nonces.add(nonce);
    },
    isEnded: (nonce) => nonces.has(nonce),
  };
}
