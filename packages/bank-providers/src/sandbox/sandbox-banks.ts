import type {
  BankProvider,
  Challenge,
  FetchedSnapshot,
  FetchResult,
  LoginRequest,
  LoginStep,
  LookStep,
  PortfolioData,
  ResumeRequest,
} from "@org/provider-kit";
import { addressOfLogin, codeChallengeOf, createCodeStore } from "./authorization.js";
import { SANDBOX, type SandboxVariant, sandboxCatalogue, sandboxVariantOf } from "./catalogue.js";
import { credentialsOf, loginFormOf } from "./login-form.js";
import {
  ALL_ACCOUNTS,
  type Asked,
  askForAccounts,
  askForMethod,
  askQuestion,
  chosenMethod,
  isAnswer,
} from "./questions.js";
import { accessRefusal, challengeAt, judgeAnswer, loginOutcome, type Scenario, scenarioOf } from "./scenarios.js";
import { sandboxSnapshot } from "./snapshot.js";
import { accessOf, type PendingLogin, type SandboxAccess, type SandboxLoginState, waitingOf } from "./visit.js";

/** What the sandbox needs from its environment. */
export interface SandboxRuntime {
  readonly clock: () => Date;
  /** Returns this many unguessable bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Resolves after the time, rejects as soon as the signal aborts: `setTimeout` of `node:timers/promises` with `{ signal }`. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const DAY = 86_400_000;
/** How long a PSD2 consent lasts (Delegated Regulation (EU) 2022/2360). */
const PSD2_CONSENT_DAYS = 180;
const consentDays: Readonly<Partial<Record<Scenario, number>>> = { CONSENT_EXPIRES: 1, CONSENT_ENDS_SOON: 6 };
/** Time until the approval arrives at the decoupled bank. */
const APPROVAL_MS = 60_000;
/** Time that the bank with a report needs to prepare it. */
const REPORT_MS = 30_000;
const THROTTLED_SECONDS = 60;

/**
 * The sandbox banks (contract §5): every user name is accepted, and the password picks the scenario. Serves every connector of {@link
 * sandboxCatalogue} and any other id that a catalogue assigns to the provider `sandbox`.
 */
export function createSandboxBanks({
  clock,
  random,
  sleep,
}: SandboxRuntime): BankProvider & Required<Pick<BankProvider, "answer" | "resume" | "look">> {
  const psd2Ids = new Set(sandboxCatalogue().flatMap(({ id, type }) => (type === "psd2" ? [id] : [])));
  const codes = createCodeStore(clock);

  return {
    name: SANDBOX,

    credentialFields: (connector) => loginFormOf(sandboxVariantOf(connector)),

    async login(request) {
      request.signal.throwIfAborted();
      const way = sandboxVariantOf(request);
      if (way === "redirect") return goToPage(request);
      const { username, password } = credentialsOf(way, request.fields);
      if (username === "") return { kind: "rejected" };
      return enter({ username, scenario: scenarioOf(password) }, way, request);
    },

    async resume(request) {
      request.signal.throwIfAborted();
      const { state, params } = request;
      const waiting = waitingOf(state);
      if (waiting.at !== "page") throw new TypeError("nobody was sent to the page of a sandbox bank");
      if (params.error !== undefined)
        return params.error === "access_denied"
          ? { kind: "rejected" }
          : { kind: "failed", error_code: "InternalError" };
      const agreement = codes.redeem(params.code ?? "", waiting.code_verifier);
      return agreement === null ? { kind: "rejected" } : enter(agreement, "redirect", request);
    },

    async answer({ state, answer, fields, signal, ...connector }) {
      signal.throwIfAborted();
      const waiting = waitingOf(state);
      const way = sandboxVariantOf(connector);
      switch (waiting.at) {
        case "page":
          throw new TypeError("the page of a sandbox bank is not answered here");
        case "approval":
          return stillAsking(waiting);
        case "method":
          return begin(waiting, fields);
        case "question":
          return isAnswer(fields) ? afterConfirmation(waiting, way, connector) : { kind: "rejected" };
        case "accounts":
          return authenticated(waiting, connector.connector_id, fields.accounts ?? ALL_ACCOUNTS);
        case "challenge": {
          const judged = judgeAnswer(waiting.asked, answer);
          return judged === "passed" ? afterConfirmation(waiting, way, connector) : judged;
        }
      }
    },

    async look({ state, signal, connector_id }): Promise<LookStep> {
      signal.throwIfAborted();
      const waiting = waitingOf(state);
      if (waiting.at === "approval") return approvalOf(waiting, connector_id);
      const outcome = waiting.at === "challenge" ? loginOutcome(waiting.asked) : null;
      if (waiting.at !== "challenge" || outcome?.kind !== "challenge") return { kind: "waiting" };
      const step = confirming(waiting, waiting.asked, outcome.challenge);
      return step.state.qr === waiting.qr ? { kind: "waiting" } : step;
    },

    async fetch({ access, refresh, since, pending_state, signal, ...connector }): Promise<FetchResult> {
      signal.throwIfAborted();
      const held = accessOf(access);
      const refused = refresh ? accessRefusal(held.scenario) : null;
      if (refused !== null) return { refused };
      if (refresh && held.scenario === "THROTTLED" && held.throttled !== true)
        return { throttled: { retry_after: THROTTLED_SECONDS }, access: { ...held, throttled: true } };
      const way = sandboxVariantOf(connector);
      const wait = way === "report" ? reportWait(pending_state) : null;
      if (wait !== null) return { pending: wait };
      const snapshot = shared(snapshotOf(held, connector.connector_id, since), held.accounts ?? ALL_ACCOUNTS);
      signal.throwIfAborted();
      return {
        snapshot,
        consent_expires_at: consentOf(held, connector.connector_id),
        // The next refresh is throttled again.
        ...(held.throttled === true && { access: { ...held, throttled: false } }),
      };
    },

    /** Has nothing to revoke: the sandbox stores no access. */
    async revoke({ access, signal }) {
      signal.throwIfAborted();
      accessOf(access);
    },
  };

  function goToPage({ connector_id, callback_url, callback_state, language }: LoginRequest): LoginStep {
    const code_verifier = Buffer.from(random(32)).toString("base64url");
    const code_challenge = codeChallengeOf(code_verifier);
    const state: PendingLogin = { at: "page", code_verifier };
    const url = addressOfLogin(callback_url, { connector_id, state: callback_state, code_challenge, language });
    return { kind: "redirect", url, state };
  }

  /** Applies the scenario that the password names, then the first step of the bank's variant. */
  async function enter(
    visit: SandboxLoginState,
    way: SandboxVariant,
    { connector_id, signal }: Pick<LoginRequest | ResumeRequest, "connector_id" | "signal">,
  ): Promise<LoginStep> {
    const { username, scenario } = visit;
    const outcome = loginOutcome(scenario);
    if (outcome.kind === "challenge" && scenario !== null)
      return confirming({ username, scenario }, scenario, outcome.challenge);
    if (outcome.kind === "rejected" || outcome.kind === "failed") return outcome;
    if (outcome.kind === "succeed" && outcome.afterMilliseconds !== undefined)
      await sleep(outcome.afterMilliseconds, signal);
    signal.throwIfAborted();
    if (way === "decoupled") return approving(visit);
    if (way === "choices") return ask(askForMethod, { ...visit, at: "method" });
    return authenticated(visit, connector_id);
  }

  function begin(visit: SandboxLoginState, fields: Readonly<Record<string, string>>): LoginStep {
    const { username, scenario } = visit;
    const method = chosenMethod(fields);
    if (method === null) return { kind: "rejected" };
    if (method.kind === "unsupported") return { kind: "failed", error_code: "UnsupportedChallengeMethod" };
    if (method.kind === "question") return ask(askQuestion, { username, scenario, at: "question" });
    return confirming({ username, scenario }, method.scenario, method.challenge);
  }

  function afterConfirmation(
    { username, scenario }: SandboxLoginState,
    way: SandboxVariant,
    { connector_id }: { readonly connector_id: string },
  ): LoginStep {
    if (way !== "choices") return authenticated({ username, scenario }, connector_id);
    const { portfolios } = snapshotOf({ username, scenario }, connector_id);
    return ask(askForAccounts(portfolios ?? []), { username, scenario, at: "accounts" });
  }

  function ask(asked: Asked, state: PendingLogin): LoginStep {
    return { ...asked, state };
  }

  function confirming(visit: SandboxLoginState, asked: Scenario, challenge: Challenge) {
    const shown = challengeAt(challenge, clock());
    const { username, scenario } = visit;
    const state = {
      username,
      scenario,
      at: "challenge",
      asked,
      ...(shown.qr !== undefined && { qr: shown.qr }),
    } as const;
    return { kind: "challenge", challenge: shown, state } as const;
  }

  function approving({ username, scenario }: SandboxLoginState): LoginStep {
    const approved_at = new Date(clock().getTime() + APPROVAL_MS).toISOString();
    return stillAsking({ username, scenario, at: "approval", approved_at });
  }

  function stillAsking(state: Extract<PendingLogin, { at: "approval" }>): LoginStep {
    const message =
      "We have sent a message to your app. At this invented bank, the approval comes by itself after a minute.";
    return { kind: "challenge", challenge: { kind: "app", message }, state };
  }

  function approvalOf(waiting: Extract<PendingLogin, { at: "approval" }>, connectorId: string): LookStep {
    if (clock() < new Date(waiting.approved_at)) return { kind: "waiting" };
    return waiting.scenario === "SCA_DECLINED" ? { kind: "rejected" } : authenticated(waiting, connectorId);
  }

  function authenticated({ username, scenario }: SandboxLoginState, connectorId: string, accounts?: string): LoginStep {
    const access: SandboxAccess = {
      username,
      scenario,
      granted_at: clock().toISOString(),
      ...(accounts !== undefined && accounts !== ALL_ACCOUNTS && { accounts }),
    };
    return {
      kind: "authenticated",
      user_key: username,
      access,
      consent_expires_at: consentOf(access, connectorId),
    };
  }

  function consentOf({ scenario, granted_at }: SandboxAccess, connectorId: string): Date | null {
    const days = (scenario && consentDays[scenario]) ?? (psd2Ids.has(connectorId) ? PSD2_CONSENT_DAYS : null);
    return days === null ? null : new Date(Date.parse(granted_at) + days * DAY);
  }

  function snapshotOf(
    { username, scenario }: SandboxLoginState,
    connectorId: string,
    lastRead?: Date | null,
  ): FetchedSnapshot {
    const request = { connectorId, userKey: username, scenario, now: clock() };
    return sandboxSnapshot(lastRead === undefined ? request : { ...request, lastRead });
  }

  /** How long the report requested before still takes. Starts a report if none was requested. Null = it is ready. */
  function reportWait(pendingState: unknown): { retry_after: number; state: { ready_at: string } } | null {
    const now = clock().getTime();
    const { ready_at } = (pendingState ?? {}) as { ready_at?: string };
    const ready = ready_at === undefined ? now + REPORT_MS : Date.parse(ready_at);
    const state = { ready_at: new Date(ready).toISOString() };
    return ready <= now ? null : { retry_after: Math.ceil((ready - now) / 1000), state };
  }
}

/** The part of a snapshot about the one account that the customer shares. */
function shared(snapshot: FetchedSnapshot, accounts: string): FetchedSnapshot {
  if (accounts === ALL_ACCOUNTS) return snapshot;
  const { portfolios, holdings, transactions, earlier_days } = snapshot;
  const isShared = ({ key }: PortfolioData) => key === accounts;
  const isInShared = ({ portfolio_key }: { readonly portfolio_key: string }) => portfolio_key === accounts;
  return {
    ...snapshot,
    portfolios: portfolios?.filter(isShared) ?? null,
    holdings: holdings?.filter(isInShared) ?? null,
    transactions: transactions?.filter(isInShared) ?? null,
    ...(earlier_days && {
      earlier_days: earlier_days.map((day) => ({
        date: day.date,
        portfolios: day.portfolios.filter(isShared),
        holdings: day.holdings.filter(isInShared),
      })),
    }),
  };
}
