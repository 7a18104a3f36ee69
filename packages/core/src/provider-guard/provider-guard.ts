import type { BankProvider, CredentialField, Words } from "@org/provider-kit";
import type { Sleep } from "../ports/runtime.js";
import { checkProviderAnswer, ProviderAnswerError } from "../schemas/provider-answers.js";
import { cleanText } from "../schemas/stated-text.js";
import { createBankPlaces, type PlaceLimits } from "./bank-places.js";
import {
  type BreakerSettings,
  type BreakerState,
  type CircuitBreaker,
  createCircuitBreaker,
} from "./circuit-breaker.js";

/** Why the guard itself ended or refused a call. */
export type GuardErrorCode = "timed_out" | "circuit_open" | "busy";

/** A call that the guard ended or did not let through. */
export class GuardError extends Error {
  override readonly name = "GuardError";
  readonly code: GuardErrorCode;
  /** When it makes sense to ask again; null = at any time. */
  readonly retryAt: Date | null;

  constructor(code: GuardErrorCode, message: string, options: { retryAt?: Date; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAt = options.retryAt ?? null;
  }
}

/** The calls of a {@link BankProvider}. */
export type ProviderCall = "login" | "answer" | "look" | "fetch";

/** Limits of the guard; times in milliseconds. */
export interface GuardSettings {
  readonly limits: Readonly<Record<ProviderCall, number>>;
  /** How long a call whose signal has aborted may take to end before it is left to itself. */
  readonly grace_ms: number;
  /** How often a fetch is tried in all. */
  readonly attempts: number;
  /** Before the second attempt at most; doubles with each. */
  readonly retry_ms: number;
  readonly breaker: BreakerSettings;
  readonly places: PlaceLimits;
  /** Places of their own for polls of challenges, which wait for none: the next poll is never far. */
  readonly poll_places: Pick<PlaceLimits, "overall" | "each">;
}

export const defaultGuardSettings: GuardSettings = {
  limits: { login: 60_000, answer: 60_000, look: 8_000, fetch: 60_000 },
  grace_ms: 1_000,
  attempts: 3,
  retry_ms: 1_000,
  breaker: { failures: 5, open_ms: 60_000, longest_open_ms: 15 * 60_000 },
  places: { overall: 100, each: 20, waiting: 1_000, waitingEach: 200 },
  poll_places: { overall: 50, each: 20 },
};

/** Told of every call that went out: how it ended and how long it took. */
export type CallObserver = (call: {
  readonly provider: string;
  readonly call: ProviderCall;
  readonly outcome: "ok" | "failed" | "timed_out" | "given_up" | "circuit_open" | "busy";
  readonly milliseconds: number;
}) => void;

/** Stands between the product and its bank providers. */
export interface ProviderGuard {
  /**
   * The same provider, guarded: calls have time limits even if the provider ignores its signal, only so many run at once, shared
   * between tenants (`for_tenant` of the request),
   * a connector that fails too often is left alone for a while, a fetch that throws is tried again, and what does not keep to
   * the interface is not let through. Polls neither take places from other calls nor count as failures of the bank:
   * a bank whose polls fail still lets its customers in.
   * @throws GuardError from its methods
   */
  guard(provider: BankProvider): BankProvider;
  /** Calls that are at banks now, and those that wait for a place. */
  readonly calls: { readonly running: number; readonly waiting: number };
  /** Connectors whose calls do not all go through. */
  openBreakers(): readonly { readonly connector_id: string; readonly state: Exclude<BreakerState, "closed"> }[];
}

export function createProviderGuard(deps: {
  readonly clock: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly settings?: GuardSettings;
  readonly onCall?: CallObserver;
  readonly onBreaker?: (change: { connector_id: string; state: BreakerState }) => void;
}): ProviderGuard {
  const { settings = defaultGuardSettings, sleep } = deps;
  const now = () => deps.clock().getTime();
  const places = createBankPlaces(settings.places);
  const pollPlaces = createBankPlaces({ ...settings.poll_places, waiting: 0, waitingEach: 0 });
  /** Only of connectors that failed lately. */
  const breakers = new Map<string, CircuitBreaker>();

  return {
    guard: (provider) => ({
      name: provider.name,
      ...(provider.credentialFields && { credentialFields: cleanFieldsOf(provider.credentialFields.bind(provider)) }),
      login: (request) => once(provider, "login", request, (signal) => provider.login(toBank(request, signal))),
      ...(provider.answer && { answer: answerOf(provider, provider.answer.bind(provider)) }),
      ...(provider.look && { look: lookOf(provider, provider.look.bind(provider)) }),
      fetch: (request) => repeated(provider, request, (signal) => provider.fetch(toBank(request, signal))),
    }),
    calls: places,
    openBreakers: () =>
      [...breakers].flatMap(([connector_id, breaker]) => {
        const state = breaker.state(now());
        return state === "closed" ? [] : [{ connector_id, state }];
      }),
  };

  function answerOf(provider: BankProvider, answer: NonNullable<BankProvider["answer"]>): typeof answer {
    return (request) => once(provider, "answer", request, (signal) => answer(toBank(request, signal)));
  }

  function lookOf(provider: BankProvider, look: NonNullable<BankProvider["look"]>): typeof look {
    return (request) => once(provider, "look", request, (signal) => look(toBank(request, signal)));
  }

  /** Only what can be asked twice without harm; a bank that did not answer in time is not asked again at once. */
  async function repeated<T>(
    provider: BankProvider,
    request: Asked,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await once(provider, "fetch", request, ask);
      } catch (error) {
        if (attempt >= settings.attempts || isFinal(error) || request.signal.aborted) throw error;
        await sleep(settings.retry_ms * 2 ** (attempt - 1) * deps.random(), request.signal);
      }
  }

  async function once<T>(
    provider: BankProvider,
    call: ProviderCall,
    { connector_id, for_tenant = "", signal }: Asked,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const observe = (outcome: Parameters<CallObserver>[0]["outcome"], since = now()) =>
      deps.onCall?.({ provider: provider.name, call, outcome, milliseconds: now() - since });
    const isPoll = call === "look";
    const leave = await (isPoll ? pollPlaces : places)
      .take(connector_id, for_tenant, signal)
      .catch((error: unknown) => {
        observe(signal.aborted ? "given_up" : "busy");
        throw signal.aborted ? error : new GuardError("busy", "too many calls wait for banks", { cause: error });
      });
    const started = now();
    try {
      admit(connector_id, isPoll, () => observe("circuit_open"));
      const answer = checkProviderAnswer(call, await limited(settings.limits[call], signal, ask));
      if (!isPoll) recordSuccess(connector_id);
      observe("ok", started);
      return answer;
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!isPoll) recordEnd(connector_id, signal);
      observe(signal.aborted ? "given_up" : error instanceof GuardError ? "timed_out" : "failed", started);
      throw error;
    } finally {
      leave();
    }
  }

  /** A poll is never the call that tries whether the bank is back. */
  function admit(connectorId: string, isPoll: boolean, onRefused: () => void): void {
    const breaker = breakers.get(connectorId);
    if (!breaker || (isPoll ? breaker.state(now()) === "closed" : breaker.admit(now()))) return;
    onRefused();
    const retryAt = new Date(breaker.retryAt());
    throw new GuardError("circuit_open", `${connectorId} fails too often and is left alone for a while`, { retryAt });
  }

  function recordSuccess(connectorId: string): void {
    const breaker = breakers.get(connectorId);
    if (!breaker) return;
    const wasClosed = breaker.state(now()) === "closed";
    breaker.succeeded();
    breakers.delete(connectorId);
    if (!wasClosed) deps.onBreaker?.({ connector_id: connectorId, state: "closed" });
  }

  function recordEnd(connectorId: string, signal: AbortSignal): void {
    if (signal.aborted) {
      breakers.get(connectorId)?.abandoned();
      return;
    }
    const breaker = breakers.get(connectorId) ?? createCircuitBreaker(settings.breaker);
    breakers.set(connectorId, breaker);
    const before = breaker.state(now());
    breaker.failed(now());
    if (before !== "open" && breaker.state(now()) === "open")
      deps.onBreaker?.({ connector_id: connectorId, state: "open" });
  }

  /** The first of: the answer, the caller's signal, the time limit and its grace. Later ones have no effect. */
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
      outer.addEventListener("abort", () => reject(outer.reason), { once: true, signal: over.signal });
    });
    // Whichever loses the race is nobody's business any more.
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

/** What a bank calls its fields is text of the bank. */
function cleanFieldsOf(
  fieldsOf: NonNullable<BankProvider["credentialFields"]>,
): NonNullable<BankProvider["credentialFields"]> {
  return (connector) => fieldsOf(connector).map(cleanField);
}

function cleanField({ label, hint, options, ...field }: CredentialField): CredentialField {
  return {
    ...field,
    ...(label !== undefined && { label: cleanWords(label) }),
    ...(hint !== undefined && { hint: cleanWords(hint) }),
    ...(options && { options: options.map(({ value, label }) => ({ value, label: cleanWords(label) })) }),
  };
}

function cleanWords(words: Words): Words {
  if (typeof words === "string") return cleanText(words);
  return Object.fromEntries(Object.entries(words).map(([language, text]) => [language, cleanText(text)]));
}

/** What every request to a provider has. */
interface Asked {
  readonly connector_id: string;
  readonly for_tenant?: string | undefined;
  readonly signal: AbortSignal;
}

/** A request as a provider gets it: whose share of the places it takes is not a bank's business. */
function toBank<Request extends Asked>({ for_tenant: _, ...request }: Request, signal: AbortSignal) {
  return { ...request, signal };
}

/** What another attempt would not change: a bank that hangs, a provider that answers nonsense. */
function isFinal(error: unknown): boolean {
  return error instanceof GuardError || error instanceof ProviderAnswerError;
}

/** Refused before the bank was asked, which says nothing new about the bank. */
function isRefusal(error: unknown): boolean {
  return error instanceof GuardError && error.code !== "timed_out";
}
