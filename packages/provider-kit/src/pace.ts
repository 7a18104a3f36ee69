/** At most `calls` calls in any window of `every_ms` milliseconds. */
export interface PaceLimit {
  readonly every_ms: number;
  readonly calls: number;
}

/**
 * Waits for permission to call under `key`, which all replicas of a server share; null = go ahead. If the turn is further away than `longestMs` (at
 * most 30 seconds, which is the default), it is neither waited for nor taken: the answer says after how many seconds to ask again, and can be
 * returned as `throttled`. 0 = now or not at all, for a fetch that nobody waits for (`awaited`). Rejects when the signal aborts.
 */
export type Pace = (
  key: string,
  limits: readonly PaceLimit[],
  signal: AbortSignal,
  longestMs?: number,
) => Promise<{ readonly retry_after: number } | null>;

/** The longest time that a call waits for its turn. */
export const MAX_WAIT_MS = 30_000;
/** Expired keys are removed every this many calls. */
const SWEEP_EVERY = 1_000;

/**
 * When the next turn is, in milliseconds, so that no window exceeds its limit. With wider limits than those of turns in the future it may be before them.
 * @param given earlier turns, oldest first, including those in the future
 */
export function nextTurn(given: readonly number[], limits: readonly PaceLimit[], now: number): number {
  return limits.reduce(
    (at, { every_ms, calls }) => Math.max(at, (given.at(-calls) ?? Number.NEGATIVE_INFINITY) + every_ms),
    now,
  );
}

/** The turns with one more, oldest first. */
export function withTurn(given: readonly number[], turn: number): number[] {
  const at = given.findLastIndex((each) => each <= turn) + 1;
  return given.toSpliced(at, 0, turn);
}

/** A rate limiter in the memory of one process. */
export function createPace({
  clock,
  sleep,
}: {
  readonly clock: () => Date;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}): Pace {
  /** By key: turns given, oldest first, and when its last window ends. */
  const keys = new Map<string, { turns: number[]; over: number }>();
  let calls = 0;

  return async (key, limits, signal, longestMs = MAX_WAIT_MS) => {
    signal.throwIfAborted();
    const now = clock().getTime();
    calls += 1;
    if (calls % SWEEP_EVERY === 0) for (const [old, { over }] of keys) if (over <= now) keys.delete(old);
    const longest = Math.max(0, ...limits.map(({ every_ms }) => every_ms));
    const turns = (keys.get(key)?.turns ?? []).filter((turn) => turn > now - longest);
    const turn = nextTurn(turns, limits, now);
    if (turn - now > Math.min(longestMs, MAX_WAIT_MS)) return { retry_after: Math.ceil((turn - now) / 1_000) };
    const taken = withTurn(turns, turn);
    keys.set(key, { turns: taken, over: (taken.at(-1) ?? turn) + longest });
    if (turn > now)
      await sleep(turn - now, signal).catch((error: unknown) => {
        giveBack(key, turn);
        throw error;
      });
    return null;
  };

  /** A caller that gave up frees its turn for the next one. */
  function giveBack(key: string, turn: number): void {
    const turns = keys.get(key)?.turns;
    const at = turns?.indexOf(turn) ?? -1;
    if (at >= 0) turns?.splice(at, 1);
  }
}
