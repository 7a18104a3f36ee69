/**
 * A counter of wrong guesses for one client from one network or, with an empty `client_id`, for all clients from there. A name
 * in parentheses, which no client can have, counts something else.
 */
export interface GuessBucket {
  readonly client_id: string;
  /** `203.0.113.0/24` or `2001:db8:0:1::/64`; `*` counts all networks together. */
  readonly address_prefix: string;
  /** The count within one window that fills it. */
  readonly limit: number;
  /** A window starts with the first count. */
  readonly window_seconds: number;
}

/** A full bucket, and when it opens again. */
export interface FullBucket {
  readonly bucket: GuessBucket;
  readonly until: Date;
}

/** Counts wrong guesses of secrets, and other limited requests, exactly and across all replicas. Each method is one transaction. */
export interface GuessLimitStore {
  /**
   * Adds one to each bucket, starting a window where none is open at `at`. If any bucket is full, nothing is added and the one
   * that opens last is returned: refused requests do not fill buckets.
   */
  count(buckets: readonly GuessBucket[], at: Date, network?: string): Promise<FullBucket | null>;
  /** The bucket that opens last of those that are full at `at`; null when none is full. */
  full(buckets: readonly GuessBucket[], at: Date, network?: string): Promise<FullBucket | null>;
  /** Resets the failures of a client from all addresses. */
  resetFailures(clientId: string): Promise<void>;
  /** Deletes at most `limit` counters whose window ended before `at`. Returns their number. */
  reapFailures(at: Date, limit: number): Promise<number>;
}
