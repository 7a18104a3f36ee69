import {
  type ByteBudget,
  createByteBudget,
  createLoopScheduler,
  createOverloadGuard,
  createPlaces,
  createTokenBuckets,
  type LoopScheduler,
  type ReachedLimit,
  type SemaphoreLoad,
  type Share,
} from "@org/admission";
import {
  addressPrefix,
  type Count,
  createOccurrenceCounter,
  type Exchange,
  isDpop,
  networkOf,
  type UnknownRequest,
} from "@org/http";
import type { Config } from "@org/installation";

/** Decides before every route whether a request is admitted. It stores nothing and does not query the database. */
export interface AdmissionControl {
  readonly bodies: ByteBudget;
  /** The disk space that letters may use while they arrive. */
  readonly spooled: ByteBudget;
  /** The memory that answers may use until they have been read. */
  readonly answers: ByteBudget;
  /** Decides when work for a request begins while the event loop is late. */
  readonly scheduler: LoopScheduler;
  /** Requests that were begun, and work that waits for the event loop. */
  readonly load: SemaphoreLoad;
  /** Whom a request is charged to: the tenant if its token was verified before, otherwise its network. */
  shareOf(exchange: Exchange): Share;
  /** Whether a request asks for the server's health, which is answered under any load. Counts it. */
  isHealthCheck(exchange: Exchange): boolean;
  /**
   * The limit that a request exceeds; null when it may go on.
   * @param overConnections the limit that its connection exceeds
   */
  refusalOf(exchange: Exchange, overConnections: ReachedLimit | null): ReachedLimit | null;
  /** Whether an unauthenticated request gets its own log record. */
  shouldLogIndividually(request: UnknownRequest): boolean;
  /** How many requests got no log record of their own, in past minutes; with `all`, also in the current one. */
  takeCounted(all: boolean): readonly CountedRequests[];
}

/** Requests that appear in the log only as a count. */
export interface CountedRequests {
  readonly isRefused: boolean;
  readonly network: string;
  readonly kind: string;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** Log records for each network, route, status and minute: enough to see what a client does, too few to fill a disk. */
const LOGGED_INDIVIDUALLY = 20;
/** The same for answered requests, ten a second: more than people and monitors behind one address send. */
const ANSWERS_LOGGED_INDIVIDUALLY = 600;
const COUNTED_KINDS = 1_000;
/** Twenty a second: more than an office of people who mistype, and less than a tenth of what a loop sends. */
const REFUSALS_PER_MINUTE = 1_200;
/** A budget that two letters of maximum size do not fill. */
const LETTER_CONCURRENCY = 8;

/** Slow bodies are stored on disk, which has more room than memory. */
const SPOOLED_TIMES = 8;

/**
 * Concurrent requests without a token: as many as one address has connections, each of which may pipeline any number of requests. The total
 * is below the number that may wait for the database (`MAX_WAITING` of storage-postgres).
 */
const UNPROVEN = {
  ofKey: { name: "unproven_requests_of_network", value: 1_024 },
  overall: { name: "unproven_requests", value: 8_192 },
  retryAfterSeconds: 1,
};

/** Cached tokens with their tenants; the oldest is evicted first. They have to be known before a flood begins. */
const MAX_TOKENS = 5_000;

/** The paths by which monitors check whether a server is alive and ready; they are answered under any load. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/**
 * A second's requests for health of a network, and of all together: more than proxies and monitors send. Further ones are treated like any
 * other request.
 */
const HEALTH_OF_NETWORK = 50;
const HEALTH = 200;
const ALL = "all";

export function createAdmissionControl({
  config,
  countMs,
  standing,
}: {
  config: Pick<Config, "bodyBytesInFlight" | "letterMaxBytes" | "shedDelayMs">;
  /** How long refusals are counted before they are logged as one number. */
  countMs: number;
  /** See {@link OverloadOptions.standing}. */
  standing?: () => number;
}): AdmissionControl {
  const { bodyBytesInFlight, letterMaxBytes, shedDelayMs } = config;
  const counterOf = (samples: number) =>
    createOccurrenceCounter<null>({ windowMs: countMs, samples, maxCounts: COUNTED_KINDS });
  const refusals = counterOf(LOGGED_INDIVIDUALLY);
  const answers = counterOf(ANSWERS_LOGGED_INDIVIDUALLY);
  const scheduler = createLoopScheduler();
  const guard = createOverloadGuard({
    targetMs: shedDelayMs,
    standing: () => Math.max(scheduler.standing(), standing?.() ?? 0),
  });
  const tenants = new Map<string, Share>();
  const unproven = createPlaces(UNPROVEN);
  const rates = createTokenBuckets(60_000, () => REFUSALS_PER_MINUTE);
  const health = createTokenBuckets(1_000, (key) => (key === ALL ? HEALTH : HEALTH_OF_NETWORK));

  const bodyBytes = Math.max(bodyBytesInFlight, LETTER_CONCURRENCY * 2 * letterMaxBytes);

  return {
    bodies: createByteBudget({ maxBytes: bodyBytes }),
    spooled: createByteBudget({ maxBytes: SPOOLED_TIMES * bodyBytes, name: "spooled_bytes" }),
    answers: createByteBudget({ maxBytes: bodyBytes, name: "answer_bytes" }),
    scheduler,
    load: {
      get running() {
        return guard.inFlight;
      },
      get waiting() {
        return scheduler.waiting;
      },
    },
    shareOf,
    isHealthCheck: ({ request, route, address }) =>
      route !== null &&
      HEALTH_PATHS.has(route.path) &&
      route.methods.includes(request.method ?? "") &&
      mayAskForHealth(address),
    refusalOf(exchange, overConnections) {
      const { route } = exchange;
      const isProving = route !== null && route.scopes.length > 0;
      return (
        overConnections ??
        checkFailureRate(exchange, isProving) ??
        (isProving ? overloadOf(exchange) : unprovenOverloadOf(exchange))
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

  function mayAskForHealth(address: string | null): boolean {
    const [keys, now] = [[networkOf(address), ALL], Date.now()];
    if (keys.some((key) => health.emptyFor(key, now) > 0)) return false;
    for (const key of keys) health.take(key, now);
    return true;
  }

  /**
   * Refuses a network that was refused too often every request that can only fail or that proves nothing. A request with a secret or a
   * token is still admitted, since the credential may be right.
   * @param isProving whether the route asks for a token
   */
  function checkFailureRate({ request, route, address }: Exchange, isProving: boolean): ReachedLimit | null {
    const isOther = request.method === "POST" && !isProving;
    if (route !== null && (request.headers.authorization !== undefined || isOther)) return null;
    const seconds = rates.emptyFor(addressPrefix(address), Date.now());
    if (seconds === 0) return null;
    return {
      name: "refusals_per_minute",
      value: REFUSALS_PER_MINUTE,
      isOwnShare: true,
      retryAfterSeconds: seconds,
    };
  }

  /** Also limits concurrent requests that prove nothing before they are read, because others queue behind them. */
  function unprovenOverloadOf(exchange: Exchange): ReachedLimit | null {
    const network = networkOf(exchange.address);
    const limit = unproven.take(network);
    if (limit) return limit;
    const overload = overloadOf(exchange);
    if (overload) unproven.leave(network);
    else exchange.atClose(() => unproven.leave(network));
    return overload;
  }

  function overloadOf(exchange: Exchange): ReachedLimit | null {
    const admission = guard.enter(() => shareOf(exchange));
    if ("name" in admission) return admission;
    exchange.atClose(() => {
      guard.leave(admission);
      remember(exchange);
    });
    return null;
  }

  function shareOf(exchange: Exchange): Share {
    const token = tokenOf(exchange);
    const known = token === undefined ? undefined : tenants.get(token);
    return known ?? { name: networkOf(exchange.address), isKnown: false };
  }

  /** Remembers whose a token is, until it is refused. */
  function remember(exchange: Exchange): void {
    const { response, route, principal } = exchange;
    const token = tokenOf(exchange);
    // Elsewhere something else has proven the caller.
    if (token === undefined || route === null || route.scopes.length === 0) return;
    if (response.statusCode === 401) tenants.delete(token);
    if (principal === null || tenants.has(token)) return;
    if (tenants.size >= MAX_TOKENS) tenants.delete(tenants.keys().next().value as string);
    tenants.set(token, { name: principal.tenant_id ?? "operator", isKnown: true });
  }

  /**
   * What stands for a request's token. One that is bound to a key proves nothing without that key, so it counts only for the network from which
   * it came with a proof: a stranger who has found it uses nothing of its tenant's share.
   */
  function tokenOf({ request, address }: Exchange): string | undefined {
    const { authorization } = request.headers;
    return isDpop(authorization) ? `${networkOf(address)} ${authorization}` : authorization;
  }
}

/** Counts the requests that got no log record of their own. */
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
