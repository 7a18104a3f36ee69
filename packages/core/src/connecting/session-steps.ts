import {
  type BankProvider,
  type CredentialField,
  isPrivateTransport,
  type LoginStep,
  parseUrl,
} from "@org/provider-kit";
import type { Connectors } from "../catalogue/connectors.js";
import { CoreError, type Fault, invalidAll, invalidValue } from "../errors.js";
import type { Runtime } from "../ports/runtime.js";
import type { Vault } from "../ports/vault.js";
import { ProviderAnswerError } from "../providers/provider-answers.js";
import { GuardError } from "../providers/provider-guard.js";
import { isStorableText } from "../schemas/identifier.js";
import type { SessionLanguage } from "../schemas/session.js";
import type { SessionChallenge, SessionRecord } from "./session-store.js";
import { hashOfSecret } from "./sessions.js";
import type { ConnectingStorage } from "./storage.js";

/** What is known about a customer's request. */
export interface CustomerRequest {
  /** Recorded in the audit trail and in fault reports. */
  readonly trace_id?: string;
  /** The network it came from: look-ups of links and states, which anybody can make up, take turns by it. */
  readonly network?: string;
  /** The language that the customer has switched the page to. */
  readonly language?: SessionLanguage | null;
  /** The language that the browser prefers, for a session without a language of its own. */
  readonly preferred_language?: SessionLanguage;
}

/** A session with its tenant, found by its link. */
export interface Located {
  readonly tenant_id: string;
  readonly session: SessionRecord;
  /** Trace id of the request with the link; null if the caller has none. */
  readonly trace_id: string | null;
  /** The customer's language. */
  readonly language: SessionLanguage;
}

/** A bank call that failed for a reason that is not the customer's. */
export interface ProviderFault {
  readonly session_id: string;
  readonly provider: string;
  readonly error: unknown;
  /** Trace id of the request that caused the call. */
  readonly trace_id: string | null;
}

/** A step at which the customer is asked for something. */
type AskingStep = Extract<LoginStep, { kind: "challenge" | "redirect" | "ask" }>;

/** Returns whether a step leaves the next move to the customer. */
function isAsking(step: LoginStep): step is AskingStep {
  return step.kind === "challenge" || step.kind === "redirect" || step.kind === "ask";
}

/** What a session stores of a step until its customer has done their part. The hash of a redirect stays until there is another one. */
interface KeptStep {
  readonly challenge: SessionChallenge;
  readonly sealed_challenge: string | null;
  readonly sealed_state: string;
  readonly callback_hash?: string;
}

/** Stores steps in sessions and seals their secrets: the provider's state, the bank's texts, and the URL of a redirect. */
export function createSessionSteps({ vault }: { readonly vault: Vault }) {
  return {
    /**
     * @param callbackState the state that the provider got for a redirect; null if it got none
     * @throws ProviderAnswerError when a redirect leads to a page that is not protected by TLS
     */
    async keep(
      session: Pick<SessionRecord, "session_id">,
      step: AskingStep,
      callbackState: string | null,
    ): Promise<KeptStep> {
      const seal = (content: unknown) => vault.seal(JSON.stringify(content), stateContext(session));
      if (step.kind !== "redirect") {
        const shown = shownOf(step);
        return {
          challenge: withoutWords(shown),
          sealed_challenge: await vault.seal(JSON.stringify(shown), challengeContext(session)),
          sealed_state: await seal(step.state),
        };
      }
      if (callbackState === null) throw new ProviderAnswerError("a redirect came where none is possible");
      return {
        challenge: { kind: "redirect", host: hostOf(step.url) },
        sealed_challenge: null,
        sealed_state: await seal({ state: step.state, url: step.url }),
        callback_hash: hashOfSecret(callbackState),
      };
    },
    /** Returns what the customer is asked for, with its text; null = nothing. */
    async challengeOf(session: SessionRecord): Promise<SessionChallenge | null> {
      const { challenge, sealed_challenge } = session;
      if (challenge === null || sealed_challenge === null) return challenge;
      return JSON.parse(await vault.open(sealed_challenge, challengeContext(session)));
    },
    /** Returns the provider's state, as it came with the step. */
    async stateOf(session: SessionRecord): Promise<unknown> {
      const content = await open(session);
      return session.challenge?.kind === "redirect" ? (content as Departure).state : content;
    },
    /** Returns the URL of a redirect. */
    async urlOf(session: SessionRecord): Promise<string> {
      return ((await open(session)) as Departure).url;
    },
  };

  async function open(session: SessionRecord): Promise<unknown> {
    return session.sealed_state && JSON.parse(await vault.open(session.sealed_state, stateContext(session)));
  }
}

function shownOf(step: Exclude<AskingStep, { kind: "redirect" }>): SessionChallenge {
  if (step.kind === "challenge") return step.challenge;
  const { fields, message = null } = step;
  return { kind: "ask", fields, message };
}

/** The part of a challenge that a list may read: its kind. */
function withoutWords({ kind }: SessionChallenge): SessionChallenge {
  if (kind === "redirect") throw new TypeError("of a redirect nothing is left out");
  return kind === "ask" ? { kind, fields: [], message: null } : { kind, message: "" };
}

/** The sealed part of a redirect. */
interface Departure {
  readonly state: unknown;
  readonly url: string;
}

/** Returns the host of a redirect. Refuses pages that others on the network could read or change; a local bank is one of a test. */
function hostOf(address: string): string {
  const url = parseUrl(address);
  if (url !== null && isPrivateTransport(url)) return url.host;
  throw new ProviderAnswerError("url of a redirect: must be https");
}

/** The context in which a provider's state between two exchanges is sealed. */
const stateContext = ({ session_id }: { readonly session_id: string }) => ({
  purpose: "session-state",
  row: session_id,
});
/** The context in which the text of a challenge or an ask is sealed. */
const challengeContext = ({ session_id }: { readonly session_id: string }) => ({
  purpose: "session-challenge",
  row: session_id,
});

/** A provider that can be polled. */
type PollableBank = BankProvider & Required<Pick<BankProvider, "look">>;

/** Returns whether a session waits for a challenge. A customer at the bank's own page is not polled for: they bring the result back. */
export function isChallenged({ challenge }: Pick<SessionRecord, "challenge">): boolean {
  return challenge !== null && challenge.kind !== "redirect" && challenge.kind !== "ask";
}

/** Returns whether a bank may change or end its challenges on its own. */
export function canPoll(provider: BankProvider | null): provider is PollableBank {
  return provider?.look !== undefined;
}

/** A step that ends the wait for an answer. */
type ConclusiveStep = Exclude<LoginStep, AskingStep>;

const POLL_TIMEOUT_MS = 10_000;
/** Longer than a poll can take. If the server that reserved a poll dies, the next poll waits this long. */
const POLL_LEASE_MS = 15_000;
/** From the end of one poll to the next; slightly shorter than the interval at which a page polls. */
const POLL_PAUSE_MS = 2_500;
const PAUSE_AFTER_FAULT_MS = 15_000;

/**
 * Polls challenges that a bank may change or end on its own. A poll is reserved in the storage, so that each session has at most
 * one at a time over all replicas. Its result counts only if the session has not moved since the poll began: an answer, a
 * cancellation and the expiry take precedence.
 */
export function createChallengePolls(deps: {
  storage: ConnectingStorage;
  runtime: Runtime;
  connectors: Pick<Connectors, "find">;
  onProviderFault: (fault: ProviderFault) => void;
  /** Processes the step as if it had been the response to an answer. @throws CoreError CONFLICT when the session has moved on concurrently */
  conclude: (found: Located, step: ConclusiveStep) => Promise<void>;
}) {
  const { storage, runtime } = deps;
  const steps = createSessionSteps(runtime);

  return {
    /** Begins a poll of a session that waits for an answer, if it is due and no other poll is running; `ended` never rejects. */
    async begin(found: Located, provider: PollableBank): Promise<{ readonly ended: Promise<void> } | null> {
      const { session } = found;
      const now = runtime.clock();
      if (session.poll_after !== null && session.poll_after > now) return null;
      const until = new Date(now.getTime() + POLL_LEASE_MS);
      if (!(await reserve(found, until))) return null;
      return { ended: poll({ ...found, session: { ...session, poll_after: until } }, provider) };
    },
  };

  async function poll(found: Located, provider: PollableBank): Promise<void> {
    const { session, trace_id } = found;
    try {
      if ((await take(found, provider)) === "waiting") await postpone(found, POLL_PAUSE_MS);
    } catch (error) {
      if (error instanceof CoreError && error.code === "CONFLICT") return;
      // A call that never reached the bank is not its failure.
      if (!(error instanceof GuardError) || error.code === "timed_out")
        deps.onProviderFault({ session_id: session.session_id, provider: provider.name, error, trace_id });
      // If that fails too, the reservation expires on its own.
      await postpone(found, PAUSE_AFTER_FAULT_MS).catch(() => undefined);
    }
  }

  async function take(found: Located, provider: PollableBank): Promise<"waiting" | "moved"> {
    const { tenant_id, session } = found;
    const state = await steps.stateOf(session);
    const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
    const connector_id = String(session.connector_id);
    const provider_ref = (await deps.connectors.find(connector_id))?.provider_ref ?? null;
    const request = { connector_id, provider_ref, for_tenant: tenant_id, signal };
    const step = await provider.look({ ...request, state });
    if (step.kind === "waiting") return "waiting";
    if (!isAsking(step)) {
      await deps.conclude(found, step);
      return "moved";
    }
    const kept = await steps.keep(session, step, null);
    const now = runtime.clock();
    if (session.expires_at <= now) return "moved";
    await storage.inTenant(tenant_id, ({ sessions }) =>
      sessions.move(session.session_id, session.version, {
        ...kept,
        poll_after: step.kind === "challenge" ? new Date(now.getTime() + POLL_PAUSE_MS) : null,
        updated_at: now,
      }),
    );
    return "moved";
  }

  async function postpone(found: Located, milliseconds: number): Promise<void> {
    await reserve(found, new Date(runtime.clock().getTime() + milliseconds));
  }

  function reserve({ tenant_id, session }: Located, until: Date): Promise<boolean> {
    return storage.inTenant(tenant_id, ({ sessions }) => sessions.reservePoll(session, until));
  }
}

/** What a customer typed, by field name. */
export type TypedFields = Readonly<Record<string, string>>;

const MAX_CHARACTERS = 500;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * Returns what was typed into a bank's fields, as the bank gets it: without fields that were not asked for, and without optional
 * fields that are empty.
 * @throws CoreError VALIDATION_ERROR on the names of the fields
 */
export function typedValues(asked: readonly CredentialField[], typed: TypedFields): TypedFields {
  const given = asked.flatMap((field) => {
    const value = Object.hasOwn(typed, field.name) ? (typed[field.name] ?? "") : "";
    return isEmpty(field, value) ? [] : [{ field, value }];
  });
  const missing = asked.filter(
    ({ name, required }) => required !== false && !given.some(({ field }) => field.name === name),
  );
  const faults = [
    ...missing.map(({ name }): Fault => ({ field: name, error_type: "RequiredField", message: "is required" })),
    ...given.flatMap(({ field, value }) => {
      const rule = brokenRule(field, value);
      return rule === null ? [] : [invalidValue(field.name, rule)];
    }),
  ];
  if (faults.length > 0) throw invalidAll(faults);
  return Object.fromEntries(given.map(({ field, value }) => [field.name, value]));
}

/** Returns the rule that a customer's text breaks; null if none. */
export function textRule(value: string): string | null {
  return value.length > MAX_CHARACTERS || !isStorableText(value)
    ? `must be text of at most ${MAX_CHARACTERS} characters`
    : null;
}

/** A secret may consist of blanks. */
function isEmpty({ kind, name }: CredentialField, value: string): boolean {
  return value === "" || (kind !== "secret" && name !== "password" && value.trim() === "");
}

function brokenRule({ kind, options = [], pattern }: CredentialField, value: string): string | null {
  const fault = textRule(value);
  if (fault !== null) return fault;
  if (kind === "choice" && !options.some((option) => option.value === value)) return "must be one of the options";
  if (kind === "number" && !NUMBER.test(value)) return "must be a number";
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, "u").test(value)) return `must match ${pattern}`;
  return null;
}
