import type { EndpointLease } from "../ports/delivery-queue.js";
import type { WebhookAnswer } from "./post-webhook.js";
import { pauseOf, reasonToDisable, retryAfterMs } from "./retry-schedule.js";

/** How the attempts of one slice ended, and what follows for their endpoint. */
export interface DeliveryStats {
  /** Counts an attempt; returns whether it delivered. */
  add(answer: Pick<WebhookAnswer, "status" | "error" | "retry_after_ms" | "ms">): boolean;
  /** Whether sending to the endpoint must stop for now. */
  readonly isOver: boolean;
  /** The time since which every attempt has failed; null when the last one succeeded. */
  readonly failingSince: Date | null;
  /** Whether every attempt was quick and the last one delivered; as before while there was none. */
  readonly isProven: boolean;
  /** When a pause of the endpoint ends; null = no pause. */
  readonly pausedUntil: Date | null;
  /** Why it is to be disabled; null = it is not. */
  readonly disabled: "gone" | "failing" | null;
  readonly delivered: number;
  readonly failed: number;
  /** Status or code of the last failed attempt; null when none failed. */
  readonly lastFailure: string | null;
}

/** Consecutive failures after which an endpoint is paused. A timeout counts as three, because it occupies a place for all that time. */
const FAILURES_TO_PAUSE = 10;
const HANG_COUNTS = 3;
/** An attempt that takes longer is slow. */
export const QUICK_MS = 1_000;

/**
 * @param before the state of the endpoint before this slice. One that was failing is paused at its first failure; one that was
 * proven gives its place back at its first slow attempt
 */
export function createDeliveryStats(
  before: Pick<EndpointLease, "failing_since" | "is_proven">,
  clock: () => Date,
): DeliveryStats {
  let inARow = before.failing_since === null ? 0 : FAILURES_TO_PAUSE;
  let isSlow = false;
  const tally = {
    delivered: 0,
    failed: 0,
    lastFailure: null as string | null,
    failingSince: before.failing_since,
    isProven: before.is_proven,
    pausedUntil: null as Date | null,
    disabled: null as DeliveryStats["disabled"],
    get isOver() {
      return tally.pausedUntil !== null || tally.disabled !== null || (before.is_proven && isSlow);
    },
    add(answer: Parameters<DeliveryStats["add"]>[0]): boolean {
      const { status, error } = answer;
      isSlow ||= answer.ms > QUICK_MS;
      if (status !== null && status >= 200 && status <= 299) {
        tally.delivered += 1;
        tally.failingSince = null;
        tally.isProven = !isSlow;
        inARow = 0;
        return true;
      }
      const now = clock();
      const since = tally.failingSince ?? now;
      tally.failed += 1;
      tally.isProven = false;
      tally.lastFailure = error ?? String(status);
      tally.failingSince = since;
      tally.disabled ??= reasonToDisable(answer, since, now);
      inARow += error === "timeout" ? HANG_COUNTS : 1;
      const asked = retryAfterMs(answer);
      if (asked !== null) pause(asked);
      else if (inARow >= FAILURES_TO_PAUSE) pause(pauseOf(since, now));
      return false;

      function pause(milliseconds: number): void {
        const until = new Date(now.getTime() + milliseconds);
        if (tally.pausedUntil === null || until > tally.pausedUntil) tally.pausedUntil = until;
      }
    },
  };
  return tally;
}
