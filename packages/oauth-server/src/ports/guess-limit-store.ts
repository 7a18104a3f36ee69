/** A counter of wrong guesses: of one client from one address prefix, or, with an empty `client_id`, of all clients from there. */
export interface GuessBucket {
  readonly client_id: string;
  /** `203.0.113.0/24` or `2001:db8:0:1::/64` */
  readonly address_prefix: string;
  /** Failures within one window that fill it. */
  readonly limit: number;
}

/** What a bucket holds. A window begins with its first failure. */
export interface GuessCount {
  readonly failures: number;
  readonly window_ends_at: Date;
}

/** Counts wrong guesses of secrets, exactly, over all replicas. Each method is one transaction. */
export interface GuessLimitStore {
  /** Adds one failure to each bucket, opening a window of `windowSeconds` where none is open at `at`. Answers in the order given. */
  recordFailure(buckets: readonly GuessBucket[], at: Date, windowSeconds: number): Promise<readonly GuessCount[]>;
  /** When the last of the buckets that are full at `at` opens again; null when none is full. */
  limitedUntil(buckets: readonly GuessBucket[], at: Date): Promise<Date | null>;
  /** Forgets the failures of a client, from all addresses. */
  resetFailures(clientId: string): Promise<void>;
  /** Deletes at most `limit` counters whose window ended before `at`. Returns how many. */
  reapFailures(at: Date, limit: number): Promise<number>;
}
