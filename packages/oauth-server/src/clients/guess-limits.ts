import { OAuthError } from "../oauth-error.js";
import type { GuessBucket, GuessLimitStore } from "../ports/guess-limit-store.js";
import { addressPrefix } from "./address-prefix.js";

/** Limits on guessing secrets (contract §9): only failures count, and correct credentials from elsewhere keep working. */
export interface GuessLimits {
  /** The counters that a guess at this client from this address fills: the client's there, and all clients' there. */
  bucketsOf(clientId: string, address: string): readonly GuessBucket[];
  /** Throws `temporarily_unavailable` while one of them is full. */
  requireFree(buckets: readonly GuessBucket[], at: Date): Promise<void>;
  recordFailure(buckets: readonly GuessBucket[], at: Date): Promise<void>;
}

/** Limits over the counters of a store. */
export function createGuessLimits(store: GuessLimitStore): GuessLimits {
  return {
    bucketsOf(client_id, address) {
      const address_prefix = addressPrefix(address);
      return [
        { client_id, address_prefix, limit: FAILURES_PER_CLIENT },
        { client_id: "", address_prefix, limit: FAILURES_PER_ADDRESS },
      ];
    },
    async requireFree(buckets, at) {
      // A client without a secret has nothing to guess, and nothing to ask the store about.
      const until = buckets.length === 0 ? null : await store.limitedUntil(buckets, at);
      if (!until) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000));
      throw new OAuthError("temporarily_unavailable", "too many failed attempts from this network, try again later", {
        retryAfterSeconds,
      });
    },
    async recordFailure(buckets, at) {
      await store.recordFailure(buckets, at, WINDOW_SECONDS);
    },
  };
}

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_CLIENT = 10;
const FAILURES_PER_ADDRESS = 100;
