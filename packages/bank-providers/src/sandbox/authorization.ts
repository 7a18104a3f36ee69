import { createHash } from "node:crypto";
import { type Language, languages } from "@org/provider-kit";
import { type Scenario, scenarioOf } from "./scenarios.js";

/** Path of the login page of sandbox banks that work by redirect, below the site's address. */
export const SANDBOX_LOGIN_PATH = "/sandbox/login";

/** The parameters of a request for the login page. */
export interface SandboxAuthorization {
  readonly connector_id: string;
  /** Returned unchanged. */
  readonly state: string;
  /** PKCE challenge (RFC 7636): only its sender can redeem the code. */
  readonly code_challenge: string;
  readonly language: Language;
}

/** A customer who agreed on the page. The password is not stored, only the scenario that it named. */
export interface Agreement {
  readonly username: string;
  readonly scenario: Scenario | null;
}

/** The result of the login form: the page is shown again, or the browser returns with these parameters. */
export type PageVerdict =
  | { readonly kind: "again"; readonly problem: "no_username" | "wrong_credentials" }
  | { readonly kind: "back"; readonly params: Readonly<Record<string, string>> };

/** What the customer entered on the login page. */
export interface LoginForm {
  readonly username: string;
  readonly password: string;
  readonly decision: "agree" | "decline";
}

/** A code is valid once, and for this long. */
const CODE_MS = 10 * 60_000;
/** Maximum number of used codes to remember. */
const MAX_CODES = 10_000;

/** The address of the login page. The pages are on the site of `callback_url`. */
export function addressOfLogin(
  callbackUrl: string,
  { connector_id, state, code_challenge, language }: SandboxAuthorization,
): string {
  const url = new URL(`..${SANDBOX_LOGIN_PATH}`, callbackUrl);
  url.search = new URLSearchParams({ connector_id, state, code_challenge, ui_locales: language }).toString();
  return url.href;
}

/** Parses the query of that address; null if this provider did not make it. */
export function sandboxAuthorizationOf(query: Readonly<Record<string, unknown>>): SandboxAuthorization | null {
  const { connector_id, state, code_challenge, ui_locales } = query;
  if (![connector_id, state, code_challenge].every((value) => typeof value === "string" && shape.test(value)))
    return null;
  const language = languages.find((known) => known === ui_locales) ?? "en";
  return { connector_id, state, code_challenge, language } as SandboxAuthorization;
}

const shape = /^[\w.:~-]{1,200}$/;

/**
 * Decides on the form. The password picks the scenario, as at the other sandbox banks: the page reports a wrong password, `INTERNAL_ERROR` sends
 * the customer back with an error, and every other scenario takes effect when the code is redeemed.
 * @param nonce unguessable, and different for each code
 */
export function judgeLoginForm(
  { code_challenge }: SandboxAuthorization,
  { username, password, decision }: LoginForm,
  { now, nonce }: { readonly now: Date; readonly nonce: string },
): PageVerdict {
  if (decision === "decline") return { kind: "back", params: { error: "access_denied" } };
  const name = username.trim().toLowerCase();
  const scenario = scenarioOf(password);
  if (name === "") return { kind: "again", problem: "no_username" };
  if (scenario === "INVALID_CREDENTIALS") return { kind: "again", problem: "wrong_credentials" };
  if (scenario === "INTERNAL_ERROR") return { kind: "back", params: { error: "server_error" } };
  const code: Code = { username: name, scenario, code_challenge, nonce, ends_at: now.getTime() + CODE_MS };
  return { kind: "back", params: { code: Buffer.from(JSON.stringify(code)).toString("base64url") } };
}

interface Code extends Agreement {
  readonly code_challenge: string;
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly ends_at: number;
}

/** The challenge of a code verifier (RFC 7636 §4.2, S256). */
export function codeChallengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/**
 * Redeems codes, each once. Codes are not signed: a page of invented banks lets anybody in anyway, and the verifier binds a code to the login for
 * which it was made.
 */
export function createCodeStore(clock: () => Date): { redeem(code: string, verifier: string): Agreement | null } {
  const used = new Map<string, number>();
  return {
    redeem(text, verifier) {
      const now = clock().getTime();
      const code = codeOf(text);
      if (code === null || code.ends_at <= now || used.has(code.nonce)) return null;
      if (code.code_challenge !== codeChallengeOf(verifier)) return null;
      for (const [nonce, endsAt] of used) if (endsAt <= now || used.size >= MAX_CODES) used.delete(nonce);
      used.set(code.nonce, code.ends_at);
      return { username: code.username, scenario: code.scenario === null ? null : scenarioOf(code.scenario) };
    },
  };
}

function codeOf(text: string): Code | null {
  try {
    const code = JSON.parse(Buffer.from(text, "base64url").toString()) as Partial<Record<keyof Code, unknown>> | null;
    const isCode =
      typeof code?.username === "string" &&
      (code.scenario === null || typeof code.scenario === "string") &&
      [code.code_challenge, code.nonce].every((value) => typeof value === "string") &&
      typeof code.ends_at === "number";
    return isCode ? (code as Code) : null;
  } catch {
    return null;
  }
}
