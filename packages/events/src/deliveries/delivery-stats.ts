import type { WebhookAnswer } from "./post-webhook.js";
import { pauseOf, reasonToDisable, retryAfterMs } from "./retry-schedule.js";

/** How the tries of one slice ended, and what follows from it for their endpoint. */
export interface DeliveryStats {
  /** Counts a try; whether it delivered. */
  add(answer: Pick<WebhookAnswer, "status" | "error" | "retry_after_ms">): boolean;
  /** Whether nothing more is to be sent to the endpoint for now. */
  readonly isOver: boolean;
  /** Since when every try has failed; null when the last one went well. */
  readonly failingSince: Date | null;
  /** Until when the endpoint is left alone; null = it is not. */
  readonly pausedUntil: Date | null;
  /** Why it is disabled; null = it is not. */
  readonly disabled: "gone" | "failing" | null;
  readonly delivered: number;
  readonly failed: number;
  /** Why the last try failed that did: a status, or a code. Null when none did. */
  readonly lastFailure: string | null;
}

/** Tries that fail in a row until an endpoint is left alone for a while. One that hangs counts for three: it costs a place all the while. */
const FAILURES_TO_PAUSE = 10;
const HANG_COUNTS = 3;

/** @param failingBefore since when every try had failed before this slice; such an endpoint is left alone at its first failure */
export function createDeliveryStats(failingBefore: Date | null, clock: () => Date): DeliveryStats {
  let inARow = failingBefore === null ? 0 : FAILURES_TO_PAUSE;
  const tally = {
    delivered: 0,
    failed: 0,
    lastFailure: null as string | null,
    failingSince: failingBefore,
    pausedUntil: null as Date | null,
    disabled: null as DeliveryStats["disabled"],
    get isOver() {
      return tally.pausedUntil !== null || tally.disabled !== null;
    },
    add(answer: Parameters<DeliveryStats["add"]>[0]): boolean {
      const { status, error } = answer;
      if (status !== null && status >= 200 && status <= 299) {
        tally.delivered += 1;
        tally.failingSince = null;
        inARow = 0;
        return true;
      }
      const now = clock();
      const since = tally.failingSince ?? now;
      tally.failed += 1;
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
