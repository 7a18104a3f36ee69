import { addressNetworks, addressPrefix, limitSentence, networkOf } from "@org/http";
import { OAuthError } from "../oauth-error.js";
import type { FullBucket, GuessBucket, GuessLimitStore } from "../ports/guess-limit-store.js";
import { createLazyLru } from "./lazy-lru.js";
import type { LookupCaller } from "./oauth-client.js";

/**
 * Limits on guessing secrets (contract §9, §11). Only failures are counted and refused: a correct secret is always accepted,
 * whatever others on its network guess.
 */
export interface GuessLimits {
  /**
   * Counts a wrong secret of a client, or for the network alone a code, token or client that is nobody's. Throws `temporarily_unavailable` instead
   * when there were too many.
   */
  countFailure(clientId: string | null, from: LookupCaller): Promise<void>;
  /** Throws what {@link countFailure} would throw, without counting. */
  requireFree(clientId: string, from: LookupCaller): Promise<void>;
}

/** Creates limits over the counters of a store. */
export function createGuessLimits(store: Pick<GuessLimitStore, "count" | "full">): GuessLimits {
  const known = createFullBuckets();
  const bucketsOf = (client_id: string | null, address: string | null): readonly GuessBucket[] => [
    ...(client_id === null
      ? []
      : [
          {
            client_id,
            address_prefix: addressPrefix(address),
            limit: FAILURES_PER_CLIENT,
            window_seconds: WINDOW_SECONDS,
          },
        ]),
    ...addressNetworks(address).map((address_prefix, width) => ({
      client_id: "",
      address_prefix,
      limit: FAILURES_PER_NETWORK[width] as number,
      window_seconds: WINDOW_SECONDS,
    })),
  ];
  const refusal = ({ bucket, until }: FullBucket, at: Date) =>
    tooMany("too many failed attempts from this network within 15 minutes", until, at, {
      name: bucket.client_id === "" ? "failed_attempts_per_network" : "failed_attempts_per_client",
      value: bucket.limit,
    });
  return {
    async countFailure(clientId, { address, at }) {
      const buckets = bucketsOf(clientId, address);
      const full = known.find(buckets, at) ?? known.keep(await store.count(buckets, at, networkOf(address)));
      if (full) throw refusal(full, at);
    },
    async requireFree(clientId, { address, at }) {
      const buckets = bucketsOf(clientId, address);
      const full = known.find(buckets, at) ?? known.keep(await store.full(buckets, at, networkOf(address)));
      if (full) throw refusal(full, at);
    },
  };
}

/** Counts one request of a network. Throws `temporarily_unavailable` when it exceeds the limit. */
export type RequestLimit = (from: LookupCaller) => Promise<void>;

/**
 * How many requests a network may make in a time window. `perNetwork` has one limit for each network size of `addressNetworks`;
 * `inAll` is for all networks together. Its second half is a reserve, of which a provider's network (/16, /32) has at most a hundredth.
 */
export interface RequestWindow {
  /** Its name in refusals, metrics and docs/reference/limits.md. */
  readonly limit: string;
  readonly seconds: number;
  readonly perNetwork: readonly number[];
  /** Null = no limit for all networks together. */
  readonly inAll: number | null;
}

/** What is counted for a provider's network: its customers may have any number of /48s. */
const PROVIDER = { ipv4: 16, ipv6: 32 };
/** The part of the reserve that is for one provider's network. */
const PART_OF_RESERVE = 1 / 100;

/**
 * A limit on requests that are expensive and need no credentials, exact across all replicas. The name is in parentheses because
 * no client can have such an id: `clientIdOf` replaces them.
 */
export function createRequestLimit(
  counters: Pick<GuessLimitStore, "count">,
  { name, windows, what }: { name: `(${string})`; windows: readonly RequestWindow[]; what: string },
): RequestLimit {
  const known = createFullBuckets();
  const idOf = ({ seconds }: RequestWindow) => `${name.slice(0, -1)} ${seconds})`;
  const reserveOf = ({ seconds }: RequestWindow) => `${name.slice(0, -1)} ${seconds} reserve)`;
  /** @param inReserve windows of which the first half of `inAll` is used up */
  const bucketsOf = (window: RequestWindow, address: string | null, inReserve: ReadonlySet<RequestWindow>) => {
    const { seconds, perNetwork, inAll } = window;
    const facts = { client_id: idOf(window), window_seconds: seconds };
    const networks = addressNetworks(address).slice(0, perNetwork.length);
    const ofNetworks = networks.map((address_prefix, width): GuessBucket => {
      return { ...facts, address_prefix, limit: perNetwork[width] as number };
    });
    if (inAll === null) return ofNetworks;
    const half = { ...facts, address_prefix: "*", limit: Math.ceil(inAll / 2) };
    if (!inReserve.has(window)) return [...ofNetworks, half];
    const reserve = { ...half, client_id: reserveOf(window) };
    const part = Math.ceil(reserve.limit * PART_OF_RESERVE);
    return [...ofNetworks, reserve, { ...reserve, address_prefix: addressPrefix(address, PROVIDER), limit: part }];
  };
  return async ({ address, at }) => {
    const inReserve = new Set<RequestWindow>();
    for (;;) {
      const buckets = windows.flatMap((window) => bucketsOf(window, address, inReserve));
      const full = known.find(buckets, at) ?? known.keep(await counters.count(buckets, at, networkOf(address)));
      if (!full) return;
      const { client_id, address_prefix, limit: value } = full.bucket;
      const window = windows.find((one) => client_id === idOf(one) || client_id === reserveOf(one)) as RequestWindow;
      const isOfReserve = client_id === reserveOf(window);
      if (address_prefix === "*" && !isOfReserve) inReserve.add(window);
      else {
        const limit = isOfReserve
          ? { name: window.limit, value: window.inAll as number, isOfAll: true }
          : { name: window.limit, value };
        throw tooMany(
          `too many ${what} ${isOfReserve ? "from all networks together" : "from this network"}`,
          full.until,
          at,
          limit,
        );
      }
    }
  };
}

/** Full buckets of networks, cached until they open, so that repeated refusals cost no query. */
function createFullBuckets() {
  const known = createLazyLru<FullBucket>({ max: 10_000 });
  const keyOf = ({ client_id, address_prefix }: GuessBucket) => `${client_id} ${address_prefix}`;
  return {
    find: (buckets: readonly GuessBucket[], at: Date): FullBucket | undefined =>
      buckets.map((bucket) => known.get(keyOf(bucket))).find((full) => full !== undefined && full.until > at),
    keep(full: FullBucket | null): FullBucket | null {
      // A client's own bucket is not cached, because a new secret may open it.
      if (full && /^(\(|$)/.test(full.bucket.client_id)) known.set(keyOf(full.bucket), full);
      return full;
    },
  };
}

function tooMany(
  message: string,
  until: Date,
  at: Date,
  limit: { readonly name: string; readonly value: number; readonly isOfAll?: boolean },
): OAuthError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000));
  return new OAuthError("temporarily_unavailable", limitSentence(message, { ...limit, retryAfterSeconds }), {
    retryAfterSeconds,
    limit,
  });
}

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_CLIENT = 10;
/** For a network and the wider ones around it, so that owning a whole block gives no more guesses. */
const FAILURES_PER_NETWORK: readonly number[] = [100, 500, 1_000];
