import { OAuthError } from "../oauth-error.js";
import type { GuessLimitStore } from "../ports/guess-limit-store.js";
import { addressPrefix } from "./address-prefix.js";
import type { Requester } from "./oauth-client.js";

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
    const retryAfterSeconds = Math.max(1, Math.ceil((count.window_ends_at.getTime() - at.getTime()) / 1000));
    throw new OAuthError("temporarily_unavailable", message, { retryAfterSeconds });
  };
}
