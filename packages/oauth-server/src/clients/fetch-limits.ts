import { OAuthError } from "../oauth-error.js";
import { createLazyLru } from "./lazy-lru.js";

/** Process-wide limits on fetches for untrusted callers. */
export interface FetchLimits {
  /**
   * Takes a slot for a fetch from this URL. Throws `temporarily_unavailable` when none is free, and the remembered fault while
   * its server is known to be unreachable.
   */
  enter(url: URL): FetchPlace;
}

/** A slot that a fetch occupies until it leaves. */
export interface FetchPlace {
  /** Remembers for ten seconds that the server is unreachable. Returns the fault. */
  away(fault: OAuthError): OAuthError;
  leave(): void;
}

/**
 * Allows a hundred concurrent fetches, four of them from one host, and none from a server that was unreachable a moment ago. So
 * nobody can use this server to hammer another, or keep it busy waiting.
 */
export function createFetchLimits(clock: () => Date): FetchLimits {
  const underway = new Map<string, number>();
  // Keyed by host and port: a closed port must not make documents on other ports unreachable.
  const gone = createLazyLru<{ fault: OAuthError; until: number }>({ max: 5_000 });
  let total = 0;
  return {
    enter({ hostname, host }) {
      const known = gone.get(host);
      if (known && known.until > clock().getTime()) throw known.fault;
      const atHost = underway.get(hostname) ?? 0;
      if (total >= MAX_CONCURRENT || atHost >= MAX_CONCURRENT_PER_HOST)
        throw new OAuthError("temporarily_unavailable", "too many documents are being fetched, try again in a moment", {
          retryAfterSeconds: RETRY_SECONDS,
        });
      total += 1;
      underway.set(hostname, atHost + 1);
      return {
        away(fault) {
          gone.set(host, { fault, until: clock().getTime() + AWAY_SECONDS * 1000 });
          return fault;
        },
        leave() {
          total -= 1;
          const left = (underway.get(hostname) ?? 1) - 1;
          if (left > 0) underway.set(hostname, left);
          else underway.delete(hostname);
        },
      };
    },
  };
}

const MAX_CONCURRENT = 100;
const MAX_CONCURRENT_PER_HOST = 4;
const AWAY_SECONDS = 10;
const RETRY_SECONDS = 5;
