import { OAuthError } from "../oauth-error.js";
import { createLazyLru } from "./lazy-lru.js";

/** Limits on what is fetched for strangers, over the whole process. */
export interface FetchLimits {
  /**
   * Takes one place for a fetch from this address. Throws `temporarily_unavailable` when none is free, and the fault of the
   * server there while it is remembered as away.
   */
  enter(url: URL): FetchPlace;
}

/** A place that a fetch takes until it leaves. */
export interface FetchPlace {
  /** Remembers for ten seconds that the server cannot be reached. Returns the fault. */
  away(fault: OAuthError): OAuthError;
  leave(): void;
}

/**
 * A hundred fetches at once, four of them from one host, and none from a server that could not be reached a moment ago: so that
 * nobody can use this server to hammer another, or keep it busy with waiting.
 */
export function createFetchLimits(clock: () => Date): FetchLimits {
  const underway = new Map<string, number>();
  // By host and port: a port that is closed must not make the documents beside it unreachable.
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
