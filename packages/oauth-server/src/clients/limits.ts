import { addressPrefix } from "@org/http";
import { OAuthError } from "../oauth-error.js";
import type { GuessBucket, GuessLimitStore } from "../ports/guess-limit-store.js";
import type { Requester } from "./oauth-client.js";

/** Limits on guessing secrets (contract §9): only failures count, and correct credentials from elsewhere keep working. */
export interface GuessLimits {
  /** The counters that a guess at this client from this address fills: the client's there, and all clients' there. */
  bucketsOf(clientId: string, address: string | null): readonly GuessBucket[];
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
      throw new OAuthError("temporarily_unavailable", "too many failed attempts from this network, try again later", {
        retryAfterSeconds: secondsUntil(until, at),
      });
    },
    async recordFailure(buckets, at) {
      await store.recordFailure(buckets, at, WINDOW_SECONDS);
    },
  };
}

/** Counts one request of a network. Throws `temporarily_unavailable` when it is one too many within a minute. */
export type RequestLimit = (from: Requester) => Promise<void>;

/**
 * A limit on what costs something and needs no credentials, exact over all replicas. The name has brackets, since no client can
 * have such an id: they are replaced where ids are read.
 */
export function createRequestLimit(
  counters: Pick<GuessLimitStore, "recordFailure">,
  { name, perMinute, message }: { name: `(${string})`; perMinute: number; message: string },
): RequestLimit {
  return async ({ address, at }) => {
    const bucket = { client_id: name, address_prefix: addressPrefix(address), limit: perMinute };
    const [count] = await counters.recordFailure([bucket], at, 60);
    if (!count || count.failures <= perMinute) return;
    throw new OAuthError("temporarily_unavailable", message, {
      retryAfterSeconds: secondsUntil(count.window_ends_at, at),
    });
  };
}

/** Whole seconds until a counter that is full opens again, for `Retry-After`. */
function secondsUntil(end: Date, at: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - at.getTime()) / 1000));
}

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_CLIENT = 10;
const FAILURES_PER_ADDRESS = 100;
