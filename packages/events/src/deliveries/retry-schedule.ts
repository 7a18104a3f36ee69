const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long each try waits for after the one before: about three days in all, as Standard Webhooks recommends. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Tries do not all come back at once. */
const JITTER = 0.1;
/** A receiver is not believed that wants to be asked later than that. */
const MAX_RETRY_AFTER_MS = DAY;

/** How a try ended. */
export interface AttemptResult {
  /** Status of the answer; null = there was none. */
  readonly status: number | null;
  /** What the answer's `Retry-After` says, in milliseconds from now; null = nothing. */
  readonly retry_after_ms: number | null;
}

/**
 * When a delivery is tried again that failed; null = it was the last try.
 * @param attempts tries made so far, this one included
 * @param chance between 0 and 1
 */
export function nextAttempt(attempts: number, end: AttemptResult, now: Date, chance: number): Date | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  const jittered = wait * (1 - JITTER + 2 * JITTER * chance);
  return new Date(now.getTime() + Math.round(Math.max(jittered, retryAfterMs(end) ?? 0)));
}

/** For how long a receiver that has too much to do wants to be left alone, in milliseconds; null = it does not say. */
export function retryAfterMs({ status, retry_after_ms }: AttemptResult): number | null {
  if (retry_after_ms === null || (status !== 429 && status !== 503)) return null;
  return Math.min(retry_after_ms, MAX_RETRY_AFTER_MS);
}

/** An endpoint that has not taken anything for so long is disabled. */
const DISABLE_AFTER_MS = 5 * DAY;

/** Why an endpoint is disabled after a try that failed; null = it is not. @param failingSince when the first try failed since one succeeded */
export function reasonToDisable({ status }: AttemptResult, failingSince: Date, now: Date): "gone" | "failing" | null {
  if (status === 410) return "gone";
  return now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS ? "failing" : null;
}

/**
 * The breaker: for how long, in milliseconds, an endpoint that takes nothing is left alone. A tenth of the time for which it has been
 * failing, so that one that is back after a moment is found in a moment, and one that has been away for hours within five minutes.
 */
export function pauseOf(failingSince: Date, now: Date): number {
  return Math.min(5 * MINUTE, Math.max(SECOND, (now.getTime() - failingSince.getTime()) / 10));
}
