import {
  addressPrefix,
  type BodyBudget,
  type Count,
  createBodyBudget,
  createNetworkRates,
  createOccurrenceCounter,
  createOverloadGuard,
  type Exchange,
  type ReachedLimit,
  type Share,
  type UnknownRequest,
} from "@org/http";
import type { Config } from "@org/installation";

/** Stands before every route and decides what comes in now. Nothing is stored, and no database is asked. */
export interface AdmissionControl {
  readonly bodies: BodyBudget;
  /** What letters may take of the disk while they arrive. */
  readonly spooled: BodyBudget;
  /** What answers may take of the memory until they have been read. */
  readonly answers: BodyBudget;
  /**
   * The limit that a request is over; null when it may go on.
   * @param overConnections the limit that its connection is over
   */
  refusalOf(exchange: Exchange, overConnections: ReachedLimit | null): ReachedLimit | null;
  /** Whether a request of somebody whom nobody knows has a record of its own in the log. */
  shouldLogIndividually(request: UnknownRequest): boolean;
  /** How many had none, in minutes that are over; in all minutes where `all`. */
  takeCounted(all: boolean): readonly CountedRequests[];
}

/** Requests that the log has only as a number. */
export interface CountedRequests {
  readonly isRefused: boolean;
  readonly network: string;
  readonly kind: string;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** Of each network, route, status and minute: enough to see what somebody does, too few to fill a disk. */
const LOGGED_INDIVIDUALLY = 20;
/** Of those that are answered ten a second: more than people and monitors behind one address ask for. */
const ANSWERS_LOGGED_INDIVIDUALLY = 600;
const COUNTED_KINDS = 1_000;
/** Twenty a second: a whole office of people who mistype, and not a tenth of what a loop sends. */
const REFUSALS_PER_MINUTE = 1_200;
/** A budget that two of the largest letters do not fill. */
const LETTERS_AT_ONCE = 8;

/** What arrives slowly is on the disk, which has more room than the memory. */
const SPOOLED_TIMES = 8;

/**
 * Requests that bring no token, at once: as many as one address has connections, on each of which any number can follow the other
 * before the first is answered. In all they are fewer than may wait for the database (`MAX_WAITING` of storage-postgres).
 */
const UNPROVEN_OF_NETWORK = 1_024;
const UNPROVEN = 4_096;
/** A customer of a provider has an IPv6 /48 at most, and any number of addresses and networks in it. */
const WIDE = { ipv4: 24, ipv6: 48 };

/** Tokens whose tenant is remembered, the one that was seen first forgotten first: when there is a flood it is too late to learn them. */
const MAX_TOKENS = 5_000;

/** How a server is found alive and ready, whatever its load. */
const EXEMPT_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** Fifty a second of a network are more than its proxies and monitors ask; more are requests like any other. */
const HEALTH_PER_MINUTE = 3_000;

export function createAdmissionControl({
  config,
  countMs,
  standing,
}: {
  config: Pick<Config, "bodyBytesInFlight" | "letterMaxBytes" | "shedDelayMs">;
  /** For how long refusals are counted before they are one number. */
  countMs: number;
  /** See {@link OverloadOptions.standing}. */
  standing?: () => number;
}): AdmissionControl {
  const { bodyBytesInFlight, letterMaxBytes, shedDelayMs } = config;
  const counterOf = (samples: number) =>
    createOccurrenceCounter<null>({ windowMs: countMs, samples, maxCounts: COUNTED_KINDS });
  const refusals = counterOf(LOGGED_INDIVIDUALLY);
  const answers = counterOf(ANSWERS_LOGGED_INDIVIDUALLY);
  const guard = createOverloadGuard({ targetMs: shedDelayMs, ...(standing && { standing }) });
  const tenants = new Map<string, Share>();
  const unproven = new Map<string, number>();
  let unprovenInAll = 0;
  const rates = createNetworkRates({ perMinute: REFUSALS_PER_MINUTE });
  const health = createNetworkRates({ perMinute: HEALTH_PER_MINUTE });

  const bodyBytes = Math.max(bodyBytesInFlight, LETTERS_AT_ONCE * 2 * letterMaxBytes);

  return {
    bodies: createBodyBudget({ maxBytes: bodyBytes }),
    spooled: createBodyBudget({ maxBytes: SPOOLED_TIMES * bodyBytes, name: "spooled_bytes" }),
    answers: createBodyBudget({ maxBytes: bodyBytes, name: "answer_bytes" }),
    refusalOf(exchange, overConnections) {
      const { route } = exchange;
      if (route !== null && EXEMPT_PATHS.has(route.path) && mayAskForHealth(exchange)) return null;
      const isProving = route !== null && route.scopes.length > 0;
      return (
        overConnections ??
        checkFailureRate(exchange, isProving) ??
        checkConcurrency(exchange, isProving) ??
        overloadOf(exchange, isProving)
      );
    },
    shouldLogIndividually({ isRefused, ...request }) {
      const at = new Date();
      if (isRefused) rates.take(addressPrefix(request.address), at.getTime());
      return (isRefused ? refusals : answers).add({ ...request, at, about: null, traceId: null, facts: null });
    },
    takeCounted(all) {
      const before = all ? undefined : new Date();
      return [
        ...beyond(LOGGED_INDIVIDUALLY, refusals.take(before), true),
        ...beyond(ANSWERS_LOGGED_INDIVIDUALLY, answers.take(before), false),
      ];
    },
  };

  function mayAskForHealth({ address }: Exchange): boolean {
    const [network, now] = [addressPrefix(address), Date.now()];
    if (health.emptyFor(network, now) > 0) return false;
    health.take(network, now);
    return true;
  }

  /**
   * A network that was refused too often is refused what can only fail or what proves nothing; whoever brings a secret or a token
   * is heard, since it may be right.
   * @param isProving whether the route asks for a token
   */
  function checkFailureRate({ request, address }: Exchange, isProving: boolean): ReachedLimit | null {
    if (request.headers.authorization !== undefined || (request.method === "POST" && !isProving)) return null;
    const seconds = rates.emptyFor(addressPrefix(address), Date.now());
    if (seconds === 0) return null;
    return {
      name: "refusals_per_minute",
      value: REFUSALS_PER_MINUTE,
      isOwnShare: true,
      retryAfterSeconds: seconds,
    };
  }

  /** The limit on requests at once that prove nothing before they are read: whatever they wait for, others wait for it behind them. */
  function checkConcurrency({ address }: Exchange, isProving: boolean): ReachedLimit | null {
    if (isProving) return null;
    const own = unproven.get(addressPrefix(address, WIDE)) ?? 0;
    if (own >= UNPROVEN_OF_NETWORK)
      return {
        name: "unproven_requests_of_network",
        value: UNPROVEN_OF_NETWORK,
        isOwnShare: true,
        retryAfterSeconds: 1,
      };
    // Whoever has less than a fair part of them has some still.
    if (unprovenInAll < UNPROVEN || own < Math.max(1, UNPROVEN / unproven.size)) return null;
    return { name: "unproven_requests", value: UNPROVEN, isOwnShare: false, retryAfterSeconds: 1 };
  }

  function overloadOf(exchange: Exchange, isProving: boolean): ReachedLimit | null {
    const admission = guard.enter(() => shareOf(exchange));
    if ("name" in admission) return admission;
    const network = isProving ? null : addressPrefix(exchange.address, WIDE);
    if (network !== null) countUnproven(network, 1);
    exchange.response.once("close", () => {
      if (network !== null) countUnproven(network, -1);
      guard.leave(admission);
      remember(exchange);
    });
    return null;
  }

  function countUnproven(network: string, more: 1 | -1): void {
    unprovenInAll += more;
    const now = (unproven.get(network) ?? 0) + more;
    if (now > 0) unproven.set(network, now);
    else unproven.delete(network);
  }

  /** A tenant's when its token was seen to be good before, otherwise the network's. */
  function shareOf({ request, address }: Exchange): Share {
    const { authorization } = request.headers;
    const known = authorization === undefined ? undefined : tenants.get(authorization);
    return known ?? { name: addressPrefix(address, WIDE), isKnown: false };
  }

  function remember({ request, principal }: Exchange): void {
    const { authorization } = request.headers;
    if (authorization === undefined || principal === null || tenants.has(authorization)) return;
    if (tenants.size >= MAX_TOKENS) tenants.delete(tenants.keys().next().value as string);
    tenants.set(authorization, { name: principal.tenant_id ?? "operator", isKnown: true });
  }
}

/** What of counts had no record of its own. */
function beyond(loggedIndividually: number, counts: readonly Count<null>[], isRefused: boolean): CountedRequests[] {
  return counts
    .filter(({ count }) => count > loggedIndividually)
    .map(({ network, kind, count, first, last }) => ({
      isRefused,
      network,
      kind,
      count: count - loggedIndividually,
      first,
      last,
    }));
}
