import type { ReachedLimit } from "./reached-limit.js";

/** Lets requests in for as long as the process keeps up with them. */
export interface OverloadGuard {
  /**
   * Lets a request in, or names the limit that it is over. Whoever is let in is to {@link leave}.
   * @param share asked only while the server is at its capacity: whose request it is, such as a tenant or a network
   */
  enter(share: () => string): Admission | ReachedLimit;
  leave(admission: Admission): void;
  /** Requests that are being answered now. */
  readonly inFlight: number;
}

/** A request that was let in. `share` is null where nobody had to share. */
export interface Admission {
  readonly share: string | null;
}

/** What the guard is made of; all of it may be left out. */
export interface OverloadOptions {
  /** How late the event loop may be, all the time, before requests are refused, in ms; 0 = never. */
  readonly targetMs?: number;
  /** Fewer requests at once than these are never refused. */
  readonly fewest?: number;
  /** Milliseconds of a clock that only runs forward; `performance.now` unless told otherwise. */
  readonly stopwatch?: () => number;
}

const PROBE_MS = 5;
const WINDOW_MS = 100;
/** Shares that nobody uses any more are forgotten once there are so many. */
const MOST_SHARES = 10_000;
const RETRY_SECONDS = 1;

/**
 * Makes a guard of the event loop, which is what every request here waits for. While requests are in flight a timer measures how
 * late the loop is. A burst makes it late for a moment; when even the *smallest* delay of a tenth of a second is above the target,
 * a queue is standing in it (CoDel, RFC 8289 §3), and the number of requests at once is bounded: a third less with each such
 * window, a tenth more with each window without, as TCP does it. While it is bounded everybody who asks has the same share of
 * it; so one caller's flood is refused, and others' requests are not.
 */
export function createOverloadGuard({
  targetMs = 50,
  fewest = 32,
  stopwatch = () => performance.now(),
}: OverloadOptions = {}): OverloadGuard {
  let inFlight = 0;
  /** How many may be in flight; null while there is no need to ask. */
  let bound: number | null = null;
  let isProbing = false;
  let windowEnd = 0;
  let smallestDelay = Number.POSITIVE_INFINITY;
  let most = 0;
  /** Requests in flight by share, of those that came while there was a bound. */
  const shares = new Map<string, number>();
  /** Shares that asked in this window and in the one before: those with whom the bound is divided. */
  let asking = new Set<string>();
  let askedBefore = 0;

  return {
    get inFlight() {
      return inFlight;
    },
    enter(shareOf) {
      if (bound !== null) {
        const share = shareOf();
        asking.add(share);
        const own = shares.get(share) ?? 0;
        const fair = Math.max(1, Math.floor(bound / Math.max(asking.size, askedBefore, 1)));
        if (own >= fair)
          return { name: "requests_in_flight", value: fair, isOwnShare: false, retryAfterSeconds: RETRY_SECONDS };
        shares.set(share, own + 1);
        begin();
        return { share };
      }
      begin();
      return UNSHARED;
    },
    leave({ share }) {
      inFlight -= 1;
      if (share === null) return;
      const left = (shares.get(share) ?? 1) - 1;
      if (left > 0) shares.set(share, left);
      else shares.delete(share);
    },
  };

  function begin(): void {
    inFlight += 1;
    if (inFlight > most) most = inFlight;
    if (isProbing || targetMs === 0) return;
    isProbing = true;
    windowEnd = stopwatch() + WINDOW_MS;
    probe();
  }

  /** An idle server has no timer: it is measured only while there is somebody to wait. */
  function probe(): void {
    const due = stopwatch() + PROBE_MS;
    setTimeout(() => {
      const now = stopwatch();
      smallestDelay = Math.min(smallestDelay, now - due);
      if (now >= windowEnd) {
        judge();
        windowEnd = now + WINDOW_MS;
      }
      if (inFlight > 0 || bound !== null) probe();
      else isProbing = false;
    }, PROBE_MS).unref();
  }

  function judge(): void {
    if (smallestDelay > targetMs) bound = Math.max(fewest, Math.min(bound ?? most, most) * (2 / 3));
    else if (bound !== null) {
      bound = bound * 1.1 + 1;
      // Nobody comes near it any more: the flood is over.
      if (bound > 2 * Math.max(fewest, most)) bound = null;
    }
    smallestDelay = Number.POSITIVE_INFINITY;
    most = inFlight;
    askedBefore = asking.size;
    asking = new Set();
    if (shares.size > MOST_SHARES) shares.clear();
  }
}

const UNSHARED: Admission = { share: null };
