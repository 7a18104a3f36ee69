import {
  addressPrefix,
  type BodyBudget,
  createBodyBudget,
  createNetworkRates,
  createOccurrenceCounter,
  createOverloadGuard,
  type Exchange,
  pathOf,
  type ReachedLimit,
  type Refusal,
  type RouteFacts,
  type RouteTable,
} from "@org/http";
import type { Config } from "@org/installation";

/** Stands before every route and decides what comes in now. Nothing is stored, and no database is asked. */
export interface Door {
  readonly bodies: BodyBudget;
  /**
   * The limit that a request is over; null when it may go on.
   * @param overConnections the limit that its connection is over
   */
  refusalOf(exchange: Exchange, overConnections: ReachedLimit | null): ReachedLimit | null;
  /** Whether a refusal of somebody whom nobody knows has a record of its own in the log. */
  isToldApart(refusal: Refusal): boolean;
  /** How many had none, in minutes that are over; in all minutes where `all`. */
  takeCounted(all: boolean): readonly CountedRefusals[];
}

/** Refusals that the log has only as a number. */
export interface CountedRefusals {
  readonly network: string;
  readonly kind: string;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** Of each network, route, status and minute: enough to see what somebody does, too few to fill a disk. */
const TOLD_APART = 20;
const COUNTED_KINDS = 1_000;
/** Twenty a second: a whole office of people who mistype, and not a tenth of what a loop sends. */
const REFUSALS_PER_MINUTE = 1_200;
/** A budget that two of the largest letters do not fill. */
const LETTERS_AT_ONCE = 8;

/** Tokens whose tenant is remembered while the server is at its capacity. */
const MOST_TOKENS = 5_000;

/** How a server is found alive and ready, whatever its load. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

export function createDoor({
  config,
  routes,
  countMs,
}: {
  config: Pick<Config, "bodyBytesInFlight" | "letterMaxBytes" | "shedDelayMs">;
  routes: RouteTable;
  /** For how long refusals are counted before they are one number. */
  countMs: number;
}): Door {
  const { bodyBytesInFlight, letterMaxBytes, shedDelayMs } = config;
  const facts = new Map(routes.routes.map((route) => [route.path, route]));
  const refusals = createOccurrenceCounter<null>({
    windowMs: countMs,
    samples: TOLD_APART,
    maxCounts: COUNTED_KINDS,
  });
  const guard = createOverloadGuard({ targetMs: shedDelayMs });
  const tenants = new Map<string, string>();
  const rates = createNetworkRates({ perMinute: REFUSALS_PER_MINUTE });

  return {
    bodies: createBodyBudget({ maxBytes: Math.max(bodyBytesInFlight, LETTERS_AT_ONCE * 2 * letterMaxBytes) }),
    refusalOf(exchange, overConnections) {
      const path = pathOf(exchange.request);
      if (ALWAYS_ANSWERED.has(path)) return null;
      return overConnections ?? failuresOf(exchange, path) ?? overloadOf(exchange);
    },
    isToldApart(refusal) {
      const at = new Date();
      rates.take(addressPrefix(refusal.address), at.getTime());
      return refusals.add({ ...refusal, at, about: null, traceId: null, facts: null });
    },
    takeCounted: (all) =>
      refusals
        .take(all ? undefined : new Date())
        .filter(({ count }) => count > TOLD_APART)
        .map(({ network, kind, count, first, last }) => ({ network, kind, count: count - TOLD_APART, first, last })),
  };

  /**
   * A network that was refused too often is refused what can only fail or what proves nothing; whoever brings a secret or a token
   * is heard, since it may be right.
   */
  function failuresOf({ request, address }: Exchange, path: string): ReachedLimit | null {
    if (request.headers.authorization !== undefined) return null;
    if (request.method === "POST" && !needsToken(facts.get(routes.patternOf(path) ?? ""))) return null;
    const seconds = rates.emptyFor(addressPrefix(address), Date.now());
    if (seconds === 0) return null;
    return {
      name: "refusals_per_minute",
      value: REFUSALS_PER_MINUTE,
      isOwnShare: true,
      retryAfterSeconds: seconds,
    };
  }

  function overloadOf(exchange: Exchange): ReachedLimit | null {
    const admission = guard.enter(() => shareOf(exchange));
    if ("name" in admission) return admission;
    exchange.response.once("close", () => {
      guard.leave(admission);
      if (admission.share !== null) remember(exchange);
    });
    return null;
  }

  /** A tenant's when its token was seen to be good before, otherwise the network's. */
  function shareOf({ request, address }: Exchange): string {
    const { authorization } = request.headers;
    return (authorization === undefined ? undefined : tenants.get(authorization)) ?? addressPrefix(address);
  }

  function remember({ request, principal }: Exchange): void {
    const { authorization } = request.headers;
    if (authorization === undefined || principal === null || tenants.has(authorization)) return;
    if (tenants.size >= MOST_TOKENS) tenants.clear();
    tenants.set(authorization, `tenant ${principal.tenant_id ?? "operator"}`);
  }
}

function needsToken(route: Pick<RouteFacts, "scopes"> | undefined): boolean {
  return route !== undefined && route.scopes.length > 0;
}
