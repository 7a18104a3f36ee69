import { createPlaces } from "@org/admission";
import { OAuthError } from "../oauth-error.js";
import { createLazyLru } from "./lazy-lru.js";

/** Process-wide limits on fetches for untrusted callers. */
export interface FetchLimits {
  /**
   * Takes a slot for a fetch from this URL, for a caller of this network. Throws `temporarily_unavailable` when none is free, and the
   * cached fault while its server is known to be unreachable.
   */
  enter(url: URL, network: string): FetchPlace;
}

/** A slot that a fetch occupies until it leaves. */
export interface FetchPlace {
  /** Remembers for ten seconds that the server is unreachable. Returns the fault. */
  away(fault: OAuthError): OAuthError;
  leave(): void;
}

/**
 * Allows a hundred concurrent fetches, shared equally between networks, four of them from one host, and none from a server that was
 * unreachable a moment ago. So nobody can use this server to hammer another, or keep it busy waiting.
 */
export function createFetchLimits(clock: () => Date): FetchLimits {
  const ofAll = createPlaces({ overall: AT_ONCE, retryAfterSeconds: RETRY_SECONDS });
  const ofHost = createPlaces({ ofKey: AT_ONCE_OF_HOST, retryAfterSeconds: RETRY_SECONDS });
  // Keyed by host and port: a closed port must not make documents on other ports unreachable.
  const gone = createLazyLru<{ fault: OAuthError; until: number }>({ max: 5_000 });
  return {
    enter({ hostname, host }, network) {
      const known = gone.get(host);
      if (known && known.until > clock().getTime()) throw known.fault;
      const limitOfHost = ofHost.take(hostname);
      const limit = limitOfHost ?? ofAll.take(network);
      if (limit !== null) {
        if (limitOfHost === null) ofHost.leave(hostname);
        throw new OAuthError("temporarily_unavailable", "too many documents are being fetched, try again in a moment", {
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      return {
        away(fault) {
          gone.set(host, { fault, until: clock().getTime() + AWAY_SECONDS * 1000 });
          return fault;
        },
        leave() {
          ofAll.leave(network);
          ofHost.leave(hostname);
        },
      };
    },
  };
}

const AT_ONCE = { name: "documents_at_once", value: 100 };
const AT_ONCE_OF_HOST = { name: "documents_at_once_of_host", value: 4 };
const AWAY_SECONDS = 10;
const RETRY_SECONDS = 5;
