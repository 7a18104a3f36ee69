import type { ReachedLimit } from "./reached-limit.js";
import type { Share } from "./share.js";

/** Admits requests for as long as the process keeps up. */
export interface OverloadGuard {
  /**
   * Admits a request, or returns the limit that it exceeds. Every admission must be passed to {@link leave}.
   * @param share whose request it is; called only while the server is at capacity
   */
  enter(share: () => Share): Admission | ReachedLimit;
  leave(admission: Admission): void;
  /** Number of requests in flight. */
  readonly inFlight: number;
}

/** An admitted request. `share` is null when capacity was not limited. */
export interface Admission {
  readonly share: Share | null;
}

/** Options of the guard; all are optional. */
export interface OverloadOptions {
  /** Event loop delay, sustained, at which requests are refused, in ms; 0 = never. */
  readonly targetMs?: number;
  /**
   * Shortest wait, since the last call, for another resource that every request needs, such as a database connection, in ms. Called ten
   * times a second while requests are in flight, and compared with the same target.
   */
  readonly standing?: () => number;
  /** This many concurrent requests are always admitted. */
  readonly fewest?: number;
  /** Monotonic clock, in milliseconds; `performance.now` by default. */
  readonly stopwatch?: () => number;
}

const PROBE_MS = 5;
const WINDOW_MS = 100;
/** Above this number, the counts of a group are cleared to bound its memory. */
const MAX_SHARES = 10_000;
const RETRY_SECONDS = 1;

/**
 * Makes a guard over the resources that every request waits for: the event loop, and whatever `standing` measures. While requests are in
 * flight, a timer measures how late the loop is. A burst delays it for a moment; when even the *smallest* delay within a tenth of a second
 * exceeds the target, there is a standing queue (CoDel, RFC 8289 §3), and the number of concurrent requests is bounded: by a third less
 * after each such window, by a tenth more after each window without, similar to TCP. While there is a bound, it is divided equally among
 * the shares that ask, so one caller's flood is refused and others' requests are not. Authenticated shares keep at least half of it,
 * however many unauthenticated networks ask for the rest.
 */
export function createOverloadGuard({
  targetMs = 20,
  standing = () => 0,
  fewest = 32,
  stopwatch = () => performance.now(),
}: OverloadOptions = {}): OverloadGuard {
  let inFlight = 0;
  /** Maximum number of requests in flight; null while there is no overload. */
  let bound: number | null = null;
  let isProbing = false;
  let windowEnd = 0;
  let smallestDelay = Number.POSITIVE_INFINITY;
  let most = 0;
  const known = createGroup();
  const unknown = createGroup();

  return {
    get inFlight() {
      return inFlight;
    },
    enter(shareOf) {
      if (bound !== null) {
        const share = shareOf();
        const group = share.isKnown ? known : unknown;
        group.asking.add(share.name);
        const own = group.shares.get(share.name) ?? 0;
        const fair = fairPart(bound, group);
        if (own >= fair)
          return {
            name: "requests_in_flight",
            value: Math.max(1, fair),
            isOwnShare: false,
            retryAfterSeconds: RETRY_SECONDS,
          };
        group.shares.set(share.name, own + 1);
        begin();
        return { share };
      }
      begin();
      return UNSHARED;
    },
    leave({ share }) {
      inFlight -= 1;
      if (share === null) return;
      const { shares } = share.isKnown ? known : unknown;
      const left = (shares.get(share.name) ?? 1) - 1;
      if (left > 0) shares.set(share.name, left);
      else shares.delete(share.name);
    },
  };

  /** Maximum number of requests in flight for one share of a group. With more shares than places, each share gets one while places last. */
  function fairPart(bound: number, group: Group): number {
    const [knownParts, unknownParts] = [partsOf(known), partsOf(unknown)];
    const parts = knownParts + Math.min(unknownParts, Math.max(knownParts, 1));
    if (group === known) return Math.max(1, Math.floor(bound / parts));
    const rest = bound - (bound / parts) * knownParts;
    const fair = Math.floor(rest / Math.max(unknownParts, 1));
    return fair >= 1 ? fair : group.shares.size < rest ? 1 : 0;
  }

  function begin(): void {
    inFlight += 1;
    if (inFlight > most) most = inFlight;
    if (isProbing || targetMs === 0) return;
    isProbing = true;
    windowEnd = stopwatch() + WINDOW_MS;
    probe();
  }

  /** Measures only while requests are in flight, so that an idle server has no timer. */
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
    if (Math.max(smallestDelay, standing()) > targetMs)
      bound = Math.max(fewest, Math.min(bound ?? most, most) * (2 / 3));
    else if (bound !== null) {
      bound = bound * 1.1 + 1;
      // The load no longer comes near the bound: the flood is over.
      if (bound > 2 * Math.max(fewest, most)) bound = null;
    }
    smallestDelay = Number.POSITIVE_INFINITY;
    most = inFlight;
    for (const group of [known, unknown]) {
      group.askedBefore = group.asking.size;
      group.asking = new Set();
      if (group.shares.size > MAX_SHARES) group.shares.clear();
    }
  }
}

/** Authenticated shares, or unauthenticated ones. */
interface Group {
  /** Requests in flight by share, counting those that were admitted under a bound. */
  readonly shares: Map<string, number>;
  /** Shares that asked in this window; `askedBefore` counts those of the previous one. The bound is divided among them. */
  asking: Set<string>;
  askedBefore: number;
}

function createGroup(): Group {
  return { shares: new Map(), asking: new Set(), askedBefore: 0 };
}

function partsOf({ asking, askedBefore }: Group): number {
  return Math.max(asking.size, askedBefore);
}

const UNSHARED: Admission = { share: null };
