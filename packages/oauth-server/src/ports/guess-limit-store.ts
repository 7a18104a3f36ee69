/**
 * A counter: of wrong guesses at one client from one network, or, with an empty `client_id`, at all clients from there. A name in
 * brackets, which no client can have, counts something else.
 */
export interface GuessBucket {
  readonly client_id: string;
  /** `203.0.113.0/24` or `2001:db8:0:1::/64`; `*` counts all networks together. */
  readonly address_prefix: string;
  /** How many within one window fill it. */
  readonly limit: number;
  /** A window begins with what it counts first. */
  readonly window_seconds: number;
}

/** A bucket that is full, and when it opens again. */
export interface FullBucket {
  readonly bucket: GuessBucket;
  readonly until: Date;
}

/** Counts wrong guesses of secrets, and what else is limited, exactly, over all replicas. Each method is one transaction. */
export interface GuessLimitStore {
  /**
   * Adds one to each bucket, opening a window where none is open at `at`. When one of them is full nothing is added, and the
   * answer is the full one that opens last: what is refused fills nothing.
   */
  count(buckets: readonly GuessBucket[], at: Date): Promise<FullBucket | null>;
  /** Of the buckets that are full at `at` the one that opens last; null when none is full. */
  full(buckets: readonly GuessBucket[], at: Date): Promise<FullBucket | null>;
  /** Forgets the failures of a client, from all addresses. */
  resetFailures(clientId: string): Promise<void>;
  /** Deletes at most `limit` counters whose window ended before `at`. Returns how many. */
  reapFailures(at: Date, limit: number): Promise<number>;
}
