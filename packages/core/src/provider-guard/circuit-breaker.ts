/** Whether calls go through: all, none for a while, or one to see whether they can again. */
export type BreakerState = "closed" | "open" | "half_open";

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
  /** Whether a call may go ahead now; the first after the pause is the probe, and alone until it has ended. */
  admit(now: number): boolean;
  succeeded(): void;
  failed(now: number): void;
  /** The call said nothing about the bank: it was given up by whoever made it. */
  abandoned(): void;
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
      if (openUntil === null) return true;
      if (now < openUntil || probing) return false;
      probing = true;
      return true;
    },
    succeeded() {
      failures = 0;
      openUntil = null;
      openMs = settings.open_ms;
      probing = false;
    },
    failed(now) {
      failures += 1;
      if (probing) openMs = Math.min(openMs * 2, settings.longest_open_ms);
      if (probing || (openUntil === null && failures >= settings.failures)) openUntil = now + openMs;
      probing = false;
    },
    abandoned() {
      probing = false;
    },
    retryAt: () => openUntil ?? 0,
  };
}
