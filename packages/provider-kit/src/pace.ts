/** So many calls in any window of so many milliseconds. */
export interface PaceLimit {
  readonly every_ms: number;
  readonly calls: number;
}

/**
 * Waits for a turn to call under `key`, which is shared by all replicas of a server: null = go ahead. A turn that is further away
 * than 30 seconds is not waited for: the answer says after how many seconds it makes sense to ask again, and is what `throttled` takes.
 * Rejects when the signal aborts.
 */
export type Pace = (
  key: string,
  limits: readonly PaceLimit[],
  signal: AbortSignal,
) => Promise<{ readonly retry_after: number } | null>;
