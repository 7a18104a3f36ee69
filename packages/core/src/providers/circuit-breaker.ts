/** Which calls are allowed: all, none for a while, or one to test whether they succeed again. */
export type BreakerState = "closed" | "open" | "half_open";

/** How a call is admitted: normally, or as a probe of whether the bank is back. */
export type CallAdmission = "call" | "probe";

/** When a breaker opens and for how long, in milliseconds. */
export interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number;
  readonly open_ms: number;
  /** Each failed probe doubles the open time, up to this. */
  readonly longest_open_ms: number;
}

/** Counts consecutive failures. Pure except for its own state: the time is an argument. */
export interface CircuitBreaker {
  state(now: number): BreakerState;
  /**
   * Returns how a call may proceed now; null = it may not. The first call after the pause is the probe, and no other proceeds until
   * it has ended. Calls that began before the breaker opened may end meanwhile; they do not count as the probe's result.
   */
  admit(now: number): CallAdmission | null;
  succeeded(): void;
  failed(now: number, admission: CallAdmission): void;
  /** The caller gave up, so the call says nothing about the bank. */
  abandoned(admission: CallAdmission): void;
  /** When a call may proceed again. */
  retryAt(): number;
}

export function createCircuitBreaker(settings: BreakerSettings): CircuitBreaker {
  let failures = 0;
  let openUntil: number | null = null;
  let openMs = settings.open_ms;
  let probing = false;

  return {
    state: (now) => (openUntil === null ? "closed" : now < openUntil ? "open" : "half_open"),
    admit(now) {
      if (openUntil === null) return "call";
      if (now < openUntil || probing) return null;
      probing = true;
      return "probe";
    },
    succeeded() {
      failures = 0;
      openUntil = null;
      openMs = settings.open_ms;
      probing = false;
    },
    failed(now, admission) {
      // Another call may have succeeded since, and closed the breaker.
      if (admission === "probe" && probing) {
        openMs = Math.min(openMs * 2, settings.longest_open_ms);
        openUntil = now + openMs;
        probing = false;
        return;
      }
      failures += 1;
      if (openUntil === null && failures >= settings.failures) openUntil = now + openMs;
    },
    abandoned(admission) {
      if (admission === "probe") probing = false;
    },
    retryAt: () => openUntil ?? 0,
  };
}
