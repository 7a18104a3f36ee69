import type { BankProvider, Challenge, LoginStep } from "@org/provider-kit";
import { SANDBOX, sandboxCatalogue } from "./catalogue.js";
import { challengeAt, judgeAnswer, outcomeOf, refusalOf, type Scenario, scenarioOf } from "./scenarios.js";
import { sandboxSnapshot } from "./snapshot.js";

/** What the sandbox takes from outside. */
export interface SandboxRuntime {
  readonly clock: () => Date;
  /** Resolves after the time, rejects as soon as the signal aborts: `setTimeout` of `node:timers/promises` with `{ signal }`. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** What is kept between the calls of one login, and for refreshes: never a password, only the scenario it named. */
interface Visit {
  readonly username: string;
  readonly scenario: Scenario | null;
}
/** A visit that waits for an answer, with the code that was shown last, if any. */
interface Waiting extends Visit {
  readonly qr?: string;
}
interface Access extends Visit {
  /** RFC 3339, when the customer let us in. */
  readonly granted_at: string;
}

const DAY = 86_400_000;
/** How long a PSD2 consent lasts (Delegated Regulation (EU) 2022/2360), and how long that of `CONSENT_EXPIRES`. */
const PSD2_CONSENT_DAYS = 180;
const SHORT_CONSENT_DAYS = 1;

/**
 * The sandbox banks (contract §5): any user name gets in, the password picks the scenario. Serves every connector of
 * {@link sandboxCatalogue} and any other id that a catalogue gives to the provider `sandbox`.
 */
export function createSandboxBanks({ clock, sleep }: SandboxRuntime): BankProvider {
  const psd2Ids = new Set(sandboxCatalogue().flatMap(({ id, type }) => (type === "psd2" ? [id] : [])));

  const authenticated = (visit: Visit): LoginStep => {
    const access: Access = { ...visit, granted_at: clock().toISOString() };
    return { kind: "authenticated", user_key: visit.username, access };
  };

  const asking = (visit: Visit, challenge: Challenge) => {
    const shown = challengeAt(challenge, clock());
    const state: Waiting = { ...visit, ...(shown.qr !== undefined && { qr: shown.qr }) };
    return { kind: "challenge", challenge: shown, state } as const;
  };

  return {
    name: SANDBOX,

    async login({ fields: { username = "", password = "" }, signal }) {
      signal.throwIfAborted();
      const visit: Visit = { username: username.trim().toLowerCase(), scenario: scenarioOf(password) };
      if (visit.username === "") return { kind: "rejected" };
      const outcome = outcomeOf(visit.scenario);
      if (outcome.kind === "challenge") return asking(visit, outcome.challenge);
      if (outcome.kind !== "succeed") return outcome;
      if (outcome.afterMilliseconds !== undefined) await sleep(outcome.afterMilliseconds, signal);
      signal.throwIfAborted();
      return authenticated(visit);
    },

    async answer({ state, answer, signal }) {
      signal.throwIfAborted();
      const visit = visitOf(state);
      const judged = judgeAnswer(visit.scenario, answer);
      return judged === "passed" ? authenticated(visit) : judged;
    },

    /** Only the QR code changes; the customer approves by Continue. */
    async look({ state, signal }) {
      signal.throwIfAborted();
      const visit = visitOf(state);
      const outcome = outcomeOf(visit.scenario);
      if (outcome.kind !== "challenge") return { kind: "waiting" };
      const step = asking(visit, outcome.challenge);
      return step.state.qr === (state as Waiting).qr ? { kind: "waiting" } : step;
    },

    async fetch({ connector_id, access, refresh, signal }) {
      signal.throwIfAborted();
      const { username, scenario, granted_at } = accessOf(access);
      const refused = refresh ? refusalOf(scenario) : null;
      if (refused !== null) return { refused };
      const snapshot = sandboxSnapshot({ connectorId: connector_id, userKey: username, scenario, now: clock() });
      signal.throwIfAborted();
      const days =
        scenario === "CONSENT_EXPIRES" ? SHORT_CONSENT_DAYS : psd2Ids.has(connector_id) ? PSD2_CONSENT_DAYS : null;
      return {
        snapshot,
        consent_expires_at: days === null ? null : new Date(Date.parse(granted_at) + days * DAY),
      };
    },
  };
}

/** State and access come back as JSON that this provider wrote; anything else is a fault of whoever stored it. */
function visitOf(value: unknown): Visit {
  const { username, scenario } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof username !== "string" || (scenario !== null && typeof scenario !== "string")) {
    throw new TypeError("not a state of the sandbox banks");
  }
  return { username, scenario: scenario === null ? null : scenarioOf(scenario) };
}

function accessOf(value: unknown): Access {
  const { granted_at } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof granted_at !== "string" || Number.isNaN(Date.parse(granted_at))) {
    throw new TypeError("not an access of the sandbox banks");
  }
  return { ...visitOf(value), granted_at };
}
