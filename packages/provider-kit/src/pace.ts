/** So many calls in any window of so many milliseconds. */
export interface PaceLimit {
  readonly every_ms: number;
  readonly calls: number;
}

/**
 * Waits for a turn to call under `key`, which is shared by all replicas of a server: null = go ahead. A turn that is further away
 * than `longestMs` (30 seconds at most, and if left out) is not waited for, and not taken: the answer says after how many seconds it makes
 * sense to ask again, and is what `throttled` takes. 0 = now or not at all, for a fetch that nobody waits for (`awaited`). Rejects when
 * the signal aborts.
 */
export type Pace = (
  key: string,
  limits: readonly PaceLimit[],
  signal: AbortSignal,
  longestMs?: number,
) => Promise<{ readonly retry_after: number } | null>;

/** Longer than this a turn is not waited for. */
export const MAX_WAIT_MS = 30_000;
/** Keys are looked through for old ones every so many calls. */
const SWEEP_EVERY = 1_000;

/**
 * When the next turn is, in milliseconds: after all turns that were given, and so that no window holds more than it may.
 * @param given earlier turns, oldest first; those still to come count
 */
export function nextTurn(given: readonly number[], limits: readonly PaceLimit[], now: number): number {
  return limits.reduce(
    (at, { every_ms, calls }) => Math.max(at, (given.at(-calls) ?? Number.NEGATIVE_INFINITY) + every_ms),
    Math.max(now, given.at(-1) ?? now),
  );
}

/** A pace that one process keeps by itself, in memory. */
export function createPace({
  clock,
  sleep,
}: {
  readonly clock: () => Date;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}): Pace {
  /** Turns given, oldest first, and when the last window of a key has passed. */
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
    turns.push(turn);
    keys.set(key, { turns, over: turn + longest });
    if (turn > now)
      await sleep(turn - now, signal).catch((error: unknown) => {
        giveBack(key, turn);
        throw error;
      });
    return null;
  };

  /** Whoever gave up leaves room for the next one. */
  function giveBack(key: string, turn: number): void {
    const turns = keys.get(key)?.turns;
    const at = turns?.indexOf(turn) ?? -1;
    if (at >= 0) turns?.splice(at, 1);
  }
}
