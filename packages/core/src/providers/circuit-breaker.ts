/** Whether calls go through: all, none for a while, or one to see whether they can again. */
export type BreakerState = "closed" | "open" | "half_open";

/** How a call goes through: as one of many, or to see whether the bank is back. */
export type CallAdmission = "call" | "probe";

/** When a breaker opens and for how long, in milliseconds. */
export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failures: number;
  readonly open_ms: number;
  /** Each time the probe fails it stays open twice as long, up to this. */
  readonly longest_open_ms: number;
}

/** Counts failures in a row. Pure but for its own memory: the time is an argument. */
export interface CircuitBreaker {
  state(now: number): BreakerState;
  /**
   * How a call may go ahead now, null = not at all. The first after the pause is the probe, and alone until it has ended. What began
   * before the breaker opened may end while the probe runs: it is not what the probe came to.
   */
  admit(now: number): CallAdmission | null;
  succeeded(): void;
  failed(now: number, admission: CallAdmission): void;
  /** The call said nothing about the bank: it was given up by whoever made it. */
  abandoned(admission: CallAdmission): void;
  /** When a call may go ahead again. */
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
      // What it tried may be known meanwhile: another call has come through.
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
