import { type BankProvider, type FetchResult, HttpFailure, isOutage, type LoginStep } from "@org/provider-kit";
import { createEventLoopYielder, waitOf } from "../event-loop-yielder.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import { type BankPlaces, createBankPlaces, type PlaceLimits } from "./bank-places.js";
import {
  type BreakerSettings,
  type BreakerState,
  type CallAdmission,
  type CircuitBreaker,
  createCircuitBreaker,
} from "./circuit-breaker.js";
import { checkAnswerInSteps, checkProviderAnswer, ProviderAnswerError } from "./provider-answers.js";

/** Why the guard itself aborted or refused a call. */
export type GuardErrorCode = "timed_out" | "circuit_open" | "busy";

/** A call that the guard aborted or refused. */
export class GuardError extends Error {
  override readonly name = "GuardError";
  readonly code: GuardErrorCode;
  /** When a retry makes sense; null = at any time. */
  readonly retryAt: Date | null;

  constructor(code: GuardErrorCode, message: string, options: { retryAt?: Date; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAt = options.retryAt ?? null;
  }
}

/** The calls of a {@link BankProvider} that go to a bank or come from one. */
export type ProviderCall = Exclude<keyof BankProvider, "name" | "credentialFields" | "terms">;

/** Limits of the guard; times in milliseconds. */
export interface GuardSettings {
  readonly limits: Readonly<Record<ProviderCall, number>>;
  /** How long a call may take to end after its signal aborted, before it is abandoned. */
  readonly grace_ms: number;
  /** Total attempts of a fetch. */
  readonly attempts: number;
  /** Maximum wait before the second attempt; doubles with each attempt. */
  readonly retry_ms: number;
  readonly breaker: BreakerSettings;
  readonly places: PlaceLimits;
  /** Separate places for polls of challenges, which never queue: the next poll is always soon. */
  readonly poll_places: Pick<PlaceLimits, "overall" | "each">;
  /** Separate places for notifications, which anybody can send: shared between networks. They never queue; a refresh finds what is lost. */
  readonly notify_places: Pick<PlaceLimits, "overall" | "each">;
}

export const defaultGuardSettings: GuardSettings = {
  limits: {
    login: 60_000,
    answer: 60_000,
    resume: 60_000,
    look: 8_000,
    fetch: 60_000,
    revoke: 30_000,
    notify: 10_000,
  },
  grace_ms: 1_000,
  attempts: 3,
  retry_ms: 1_000,
  breaker: { failures: 5, open_ms: 60_000, longest_open_ms: 15 * 60_000 },
  places: { overall: 100, each: 20, waiting: 1_000, waitingEach: 200 },
  poll_places: { overall: 50, each: 20 },
  notify_places: { overall: 20, each: 10 },
};

/** Called after every call with its outcome and duration. A fetch can also end as `pending`, and a fetch or a login as `throttled`. */
export type CallObserver = (call: {
  readonly provider: string;
  readonly call: ProviderCall;
  readonly outcome: "ok" | "pending" | "throttled" | "failed" | "timed_out" | "given_up" | "circuit_open" | "busy";
  readonly milliseconds: number;
}) => void;

/** A connector whose breaker is open or half open. */
export interface OpenBreaker {
  readonly connector_id: string;
  /** The provider's name. */
  readonly provider: string;
  /** As in {@link ProviderGuard.guard}. */
  readonly scope: string;
  readonly state: Exclude<BreakerState, "closed">;
}

/** Wraps bank providers with limits, retries and circuit breakers. */
export interface ProviderGuard {
  /**
   * Returns the provider with guarded calls:
   * - Calls have time limits even if the provider ignores its signal. Only so many run concurrently, shared between tenants
   * (`for_tenant` of the request).
   * - A connector that fails too often is not called for a while. Failures are timeouts, and errors and `failed` fetches that
   * report an outage ({@link isOutage}); any other answer interrupts their row. Once it is not called, only what no provider can
   * know without the institution shows that it is back: a login that got in or gets a challenge, or data.
   * - A fetch that throws is retried, with the access that it saved last; a `failed` one is not.
   * - An answer that violates the interface is refused.
   * - Polls, revocations and notifications do not count, because the bank still lets its customers in.
   * @param scope whose settings the provider uses, if they are a tenant's own; its failures say nothing about others
   * @throws GuardError from its methods
   */
  guard(provider: BankProvider, scope?: string): BankProvider;
  /** Calls that are running, and calls that wait for a place. */
  readonly calls: { readonly running: number; readonly waiting: number };
  /** Returns the connectors whose breaker is not closed. */
  openBreakers(): readonly OpenBreaker[];
}

export function createProviderGuard(deps: {
  readonly clock: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly settings?: GuardSettings;
  /** Shares the event loop between tenants while it is late. */
  readonly loop?: Runtime["loop"];
  readonly onCall?: CallObserver;
  /** Called when a breaker opens, again after each failed probe, and when it closes. */
  readonly onBreaker?: (change: Omit<OpenBreaker, "state"> & { readonly state: BreakerState }) => void;
}): ProviderGuard {
  const { settings = defaultGuardSettings, sleep } = deps;
  const now = () => deps.clock().getTime();
  const places = createBankPlaces(settings.places);
  const placesOf: Partial<Record<ProviderCall, BankPlaces>> = {
    look: createBankPlaces({ ...settings.poll_places, waiting: 0, waitingEach: 0 }),
    notify: createBankPlaces({ ...settings.notify_places, waiting: 0, waitingEach: 0 }),
  };
  /** Only connectors that failed lately, by connector and scope. */
  const breakers = new Map<string, Place & { readonly breaker: CircuitBreaker }>();

  return {
    guard(provider, scope = "") {
      const { credentialFields, terms, answer, resume, look, revoke, notify } = provider;
      const through =
        <Request extends Asked, Answer>(call: ProviderCall, own: (request: Request) => Promise<Answer>) =>
        (request: Request) =>
          once({ provider, scope, call, request }, (signal) => own.call(provider, toBank(request, signal)));
      return {
        name: provider.name,
        ...(credentialFields && {
          credentialFields: (connector) =>
            checkProviderAnswer("credentialFields", credentialFields.call(provider, connector)),
        }),
        ...(terms && {
          terms: (connector) => checkProviderAnswer("terms", terms.call(provider, connector)),
        }),
        login: through("login", provider.login),
        ...(answer && { answer: through("answer", answer) }),
        ...(resume && { resume: through("resume", resume) }),
        ...(look && { look: through("look", look) }),
        fetch(request) {
          let { access } = request;
          const saveAccess = async (renewed: unknown) => {
            await request.saveAccess(renewed);
            access = renewed;
          };
          const fetch = through("fetch", provider.fetch);
          return repeated(request.signal, () => fetch({ ...request, access, saveAccess }));
        },
        ...(revoke && { revoke: through("revoke", revoke) }),
        ...(notify && {
          notify: ({ from_network, ...request }) =>
            once({ provider, scope, call: "notify", request: placeOf(provider, from_network, request) }, (signal) =>
              notify.call(provider, { ...request, signal }),
            ),
        }),
      };
    },
    calls: places,
    openBreakers: () =>
      [...breakers.values()].flatMap(({ connector_id, provider, scope, breaker }) => {
        const state = breaker.state(now());
        return state === "closed" ? [] : [{ connector_id, provider, scope, state }];
      }),
  };

  /** Retries a call that is safe to repeat. A bank that did not answer in time is not called again immediately. */
  async function repeated<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await ask();
      } catch (error) {
        if (attempt >= settings.attempts || isFinal(error) || signal.aborted) throw error;
        await sleep(settings.retry_ms * 2 ** (attempt - 1) * deps.random(), signal);
      }
  }

  async function once<T>(
    { provider, scope, call, request }: { provider: BankProvider; scope: string; call: ProviderCall; request: Asked },
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { connector_id, for_tenant = "", signal } = request;
    const at = { connector_id, provider: provider.name, scope, key: JSON.stringify([connector_id, scope]) };
    const observe = (outcome: Parameters<CallObserver>[0]["outcome"], since = now()) =>
      deps.onCall?.({ provider: provider.name, call, outcome, milliseconds: now() - since });
    const standsApart = call === "look" || call === "revoke" || call === "notify";
    const leave = await (placesOf[call] ?? places).take(connector_id, for_tenant, signal).catch((error: unknown) => {
      observe(signal.aborted ? "given_up" : "busy");
      throw signal.aborted ? error : new GuardError("busy", "too many calls wait for banks", { cause: error });
    });
    const started = now();
    let admission: CallAdmission = "call";
    try {
      admission = admit(at, standsApart, () => observe("circuit_open"));
      const told = await limited(settings.limits[call], signal, ask);
      const pace = createEventLoopYielder(waitOf(deps.loop, for_tenant === "" ? null : for_tenant));
      const answer = await checkAnswerInSteps(call, told, deps.clock(), pace);
      if (!standsApart) {
        if (saysOutage(answer)) recordFailure(at, admission);
        else recordAnswer(at, admission, isOfBank(answer));
      }
      observe(endOf(call, answer), started);
      return answer;
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!standsApart) {
        if (signal.aborted || neverReachedBank(error)) breakers.get(at.key)?.breaker.abandoned(admission);
        else if (error instanceof ProviderAnswerError || !isOutage(error)) recordAnswer(at, admission, false);
        else recordFailure(at, admission);
      }
      observe(signal.aborted ? "given_up" : error instanceof GuardError ? "timed_out" : "failed", started);
      throw error;
    } finally {
      leave();
    }
  }

  /** A poll, revocation or notification is never the probe. */
  function admit({ connector_id, key }: Place, standsApart: boolean, onRefused: () => void): CallAdmission {
    const breaker = breakers.get(key)?.breaker;
    if (!breaker) return "call";
    const admission = standsApart ? (breaker.state(now()) === "closed" ? "call" : null) : breaker.admit(now());
    if (admission) return admission;
    onRefused();
    const retryAt = new Date(breaker.retryAt());
    throw new GuardError("circuit_open", `${connector_id} fails too often and is left alone for a while`, { retryAt });
  }

  /** A provider may refuse a customer without any request, which does not show that a bank that was down is back. */
  function recordAnswer({ key, ...at }: Place, admission: CallAdmission, isOfBank: boolean): void {
    const breaker = breakers.get(key)?.breaker;
    if (!breaker) return;
    const wasClosed = breaker.state(now()) === "closed";
    if (!wasClosed && !isOfBank) {
      breaker.abandoned(admission);
      return;
    }
    breaker.succeeded();
    breakers.delete(key);
    if (!wasClosed) deps.onBreaker?.({ ...at, state: "closed" });
  }

  function recordFailure(at: Place, admission: CallAdmission): void {
    const { key, ...place } = at;
    const breaker = breakers.get(key)?.breaker ?? createCircuitBreaker(settings.breaker);
    breakers.set(key, { ...at, breaker });
    const before = breaker.state(now());
    breaker.failed(now(), admission);
    if (before !== "open" && breaker.state(now()) === "open") deps.onBreaker?.({ ...place, state: "open" });
  }

  /**
   * Settles with the first of: the answer, the caller's signal or the time limit, each with its grace, in which a provider may end what must not be cut
   * off. Later ones have no effect.
   */
  async function limited<T>(
    milliseconds: number,
    outer: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const over = new AbortController();
    const timedOut = new GuardError("timed_out", `no answer within ${milliseconds / 1000} s`);
    const limit = (async () => {
      await sleep(milliseconds, over.signal);
      late.abort(timedOut);
      await sleep(settings.grace_ms, over.signal);
      throw timedOut;
    })();
    const givenUp = new Promise<never>((_, reject) => {
      const giveUp = () =>
        sleep(settings.grace_ms, over.signal).then(
          () => reject(outer.reason),
          () => undefined,
        );
      outer.addEventListener("abort", giveUp, { once: true, signal: over.signal });
    });
    // Ignore rejections of the losers of the race.
    for (const loser of [limit, givenUp]) loser.catch(() => undefined);
    try {
      outer.throwIfAborted();
      return await Promise.race([ask(AbortSignal.any([outer, late.signal])), limit, givenUp]);
    } catch (error) {
      throw late.signal.aborted && !outer.aborted ? timedOut : error;
    } finally {
      over.abort();
    }
  }
}

/** The connector and scope of a breaker; the key distinguishes scopes. */
interface Place {
  readonly connector_id: string;
  readonly provider: string;
  readonly scope: string;
  readonly key: string;
}

function endOf(call: ProviderCall, answer: unknown): "ok" | "pending" | "throttled" | "failed" {
  if (call !== "fetch") return (answer as Partial<LoginStep> | undefined)?.kind === "throttled" ? "throttled" : "ok";
  const { pending, throttled, failed } = answer as FetchResult;
  if (failed !== undefined) return "failed";
  return pending !== undefined ? "pending" : throttled !== undefined ? "throttled" : "ok";
}

/** Returns whether a provider needs the institution for such an answer. Refusals, redirects, questions and waits may be its own. */
function isOfBank(answer: unknown): boolean {
  const { kind, snapshot } = answer as { readonly kind?: LoginStep["kind"]; readonly snapshot?: unknown };
  return kind === "authenticated" || kind === "challenge" || snapshot !== undefined;
}

function saysOutage(answer: unknown): boolean {
  return (answer as Partial<FetchResult>).failed?.outage === true;
}

/** Returns whether the request was never sent. */
function neverReachedBank(error: unknown): boolean {
  return error instanceof HttpFailure && (error.code === "refused_host" || error.code === "unsendable");
}

/** What every request to a provider contains. */
interface Asked {
  readonly connector_id: string;
  readonly for_tenant?: string | undefined;
  readonly signal: AbortSignal;
}

/** Returns the request for the provider, without `for_tenant`: whose share of the places it uses is not the bank's concern. */
function toBank<Request extends Asked>({ for_tenant: _, ...request }: Request, signal: AbortSignal): Request {
  return { ...request, signal } as unknown as Request;
}

/** Until a notification is verified it may be anybody's, so it takes a place of its network at the institution. */
function placeOf({ name }: BankProvider, from_network: string | undefined, { signal }: { signal: AbortSignal }): Asked {
  return { connector_id: name, for_tenant: from_network, signal };
}

/** Returns whether another attempt is pointless: the bank hangs, or the provider's answer is invalid. */
function isFinal(error: unknown): boolean {
  return error instanceof GuardError || error instanceof ProviderAnswerError;
}

/** Returns whether the call was refused before it reached the bank, which says nothing new about the bank. */
function isRefusal(error: unknown): boolean {
  return error instanceof GuardError && error.code !== "timed_out";
}
