const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The wait after each failed attempt: about three days in total, as Standard Webhooks recommends. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Spreads retries, so that they do not all happen at the same time. */
const JITTER = 0.1;
/** A longer `Retry-After` is not honoured. */
const MAX_RETRY_AFTER_MS = DAY;

/** How an attempt ended. */
export interface AttemptResult {
  /** Status of the answer; null = there was none. */
  readonly status: number | null;
  /** `Retry-After` of the answer in milliseconds from now; null = none. */
  readonly retry_after_ms: number | null;
}

/**
 * When a failed delivery is attempted again; null = it was the last attempt.
 * @param attempts number of attempts so far, including this one
 * @param chance between 0 and 1
 */
export function nextAttempt(attempts: number, end: AttemptResult, now: Date, chance: number): Date | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  const jittered = wait * (1 - JITTER + 2 * JITTER * chance);
  return new Date(now.getTime() + Math.round(Math.max(jittered, retryAfterMs(end) ?? 0)));
}

/** How long an overloaded receiver asks not to be called, in milliseconds; null = it does not say. */
export function retryAfterMs({ status, retry_after_ms }: AttemptResult): number | null {
  if (retry_after_ms === null || (status !== 429 && status !== 503)) return null;
  return Math.min(retry_after_ms, MAX_RETRY_AFTER_MS);
}

/** An endpoint that has failed for this long is disabled. */
const DISABLE_AFTER_MS = 5 * DAY;

/**
 * Why a failed attempt disables its endpoint; null = it does not.
 * @param failingSince time of the first failure since the last success
 */
export function reasonToDisable({ status }: AttemptResult, failingSince: Date, now: Date): "gone" | "failing" | null {
  if (status === 410) return "gone";
  return now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS ? "failing" : null;
}

/**
 * The circuit breaker: how long a failing endpoint is paused, in milliseconds. It is a tenth of the time it has been failing,
 * so that a short outage ends within moments, and the end of one of hours is noticed within five minutes.
 */
export function pauseOf(failingSince: Date, now: Date): number {
  return Math.min(5 * MINUTE, Math.max(SECOND, (now.getTime() - failingSince.getTime()) / 10));
}
