import type { ReachedLimit } from "./reached-limit.js";

/** Lets requests in for as long as the process keeps up with them. */
export interface OverloadGuard {
  /**
   * Lets a request in, or names the limit that it is over. Whoever is let in is to {@link leave}.
   * @param share asked only while the server is at its capacity: whose request it is
   */
  enter(share: () => Share): Admission | ReachedLimit;
  leave(admission: Admission): void;
  /** Requests that are being answered now. */
  readonly inFlight: number;
}

/** Whose request it is. */
export interface Share {
  /** Such as a tenant or a network. */
  readonly name: string;
  /** Whether it was seen to be somebody, as a tenant is. Networks are not: one caller may have thousands of them. */
  readonly isKnown: boolean;
}

/** A request that was let in. `share` is null where nobody had to share. */
export interface Admission {
  readonly share: Share | null;
}

/** What the guard is made of; all of it may be left out. */
export interface OverloadOptions {
  /** How late the event loop may be, all the time, before requests are refused, in ms; 0 = never. */
  readonly targetMs?: number;
  /**
   * How long even the luckiest have waited for something else that every request needs, such as a connection of the database, since
   * this was last asked, in ms. Asked ten times a second while requests are in flight, and held against the same target.
   */
  readonly standing?: () => number;
  /** Fewer requests at once than these are never refused. */
  readonly fewest?: number;
  /** Milliseconds of a clock that only runs forward; `performance.now` unless told otherwise. */
  readonly stopwatch?: () => number;
}

const PROBE_MS = 5;
const WINDOW_MS = 100;
/** Shares that nobody uses any more are forgotten once there are so many. */
const MAX_SHARES = 10_000;
const RETRY_SECONDS = 1;

/**
 * Makes a guard of what every request waits for: the event loop, and what `standing` says. While requests are in flight a timer measures how
 * late the loop is. A burst makes it late for a moment; when even the *smallest* delay of a tenth of a second is above the target,
 * a queue is standing in it (CoDel, RFC 8289 §3), and the number of requests at once is bounded: a third less with each such
 * window, a tenth more with each window without, as TCP does it. While it is bounded everybody who asks has the same share of
 * it; so one caller's flood is refused, and others' requests are not. Who is known keeps half of it at least, however many networks
 * nobody knows anything of ask for the rest.
 */
export function createOverloadGuard({
  targetMs = 20,
  standing = () => 0,
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

  /** How many one share of a group may have in flight: where there are more of them than places, one, while there is a place. */
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
    if (Math.max(smallestDelay, standing()) > targetMs)
      bound = Math.max(fewest, Math.min(bound ?? most, most) * (2 / 3));
    else if (bound !== null) {
      bound = bound * 1.1 + 1;
      // Nobody comes near it any more: the flood is over.
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

/** Shares of those that are known, or of those that are not. */
interface Group {
  /** Requests in flight by share, of those that came while there was a bound. */
  readonly shares: Map<string, number>;
  /** Shares that asked in this window and in the one before: those with whom the bound is divided. */
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
