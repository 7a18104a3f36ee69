import { type Scenario, scenarioOf } from "./scenarios.js";

/** The state stored between the calls of one login, and for refreshes: never a password, only the scenario that it named. */
export interface SandboxLoginState {
  readonly username: string;
  readonly scenario: Scenario | null;
}

/** A login that waits for its customer, by what it waits for. */
export type PendingLogin =
  /** An answer to the challenge that `asked` names; `qr` is the code shown last. */
  | (SandboxLoginState & { readonly at: "challenge"; readonly asked: Scenario; readonly qr?: string })
  /** An approval in the app, which arrives without further input. */
  | (SandboxLoginState & { readonly at: "approval"; readonly approved_at: string })
  | (SandboxLoginState & { readonly at: "method" | "question" | "accounts" })
  /** The return from the bank's page. The customer is not known yet. */
  | { readonly at: "page"; readonly code_verifier: string };

/** What a login provides for later fetches. */
export interface SandboxAccess extends SandboxLoginState {
  /** When the customer gave access (RFC 3339). */
  readonly granted_at: string;
  /** Key of the one account that the customer shares; left out: all. */
  readonly accounts?: string;
  /** Whether the last refresh was throttled. */
  readonly throttled?: boolean;
}

type Kept = Partial<Record<string, unknown>>;

/** Parses a state, which is JSON that this provider wrote; anything else is an error of its storage. */
export function waitingOf(value: unknown): PendingLogin {
  const { at, code_verifier, approved_at, asked, qr } = kept(value);
  if (at === "page" && typeof code_verifier === "string") return { at, code_verifier };
  const visit = visitOf(value);
  if (at === "approval" && typeof approved_at === "string") return { ...visit, at, approved_at };
  if (at === "method" || at === "question" || at === "accounts") return { ...visit, at };
  const challenge = typeof asked === "string" ? scenarioOf(asked) : null;
  if (at !== "challenge" || challenge === null) throw notOurs("state");
  return { ...visit, at: "challenge", asked: challenge, ...(typeof qr === "string" && { qr }) };
}

/** Parses the access of a connection. */
export function accessOf(value: unknown): SandboxAccess {
  const { granted_at, accounts, throttled } = kept(value);
  if (typeof granted_at !== "string" || Number.isNaN(Date.parse(granted_at))) throw notOurs("access");
  return {
    ...visitOf(value),
    granted_at,
    ...(typeof accounts === "string" && { accounts }),
    ...(typeof throttled === "boolean" && { throttled }),
  };
}

function visitOf(value: unknown): SandboxLoginState {
  const { username, scenario } = kept(value);
  if (typeof username !== "string" || (scenario !== null && typeof scenario !== "string")) throw notOurs("state");
  return { username, scenario: scenario === null ? null : scenarioOf(scenario) };
}

function kept(value: unknown): Kept {
  return (value ?? {}) as Kept;
}

function notOurs(what: string): TypeError {
  return new TypeError(`not ${what === "access" ? "an access" : "a state"} of the sandbox banks`);
}
