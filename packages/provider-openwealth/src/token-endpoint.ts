import { createHash } from "node:crypto";
import type { HttpClient, TlsIdentity } from "@org/provider-kit";
import { z } from "zod";
import { OpenWealthFailure, sendRequest } from "./bank-requests.js";
import type { Bank } from "./settings.js";

/** Tokens of one customer at one bank; part of a connection's access, which is stored sealed. Times are in milliseconds. */
export const tokensSchema = z.object({
  access_token: z.string(),
  /** Null if the bank does not say. */
  ends_at: z.number().nullable(),
  refresh_token: z.string().nullable(),
  refresh_ends_at: z.number().nullable(),
});
export type Tokens = z.infer<typeof tokensSchema>;

/** Tokens, or the bank's error code (RFC 6749 §5.2) for a problem that the customer can solve. */
export type TokenExchangeResult = { readonly tokens: Tokens } | { readonly refused: string };

const seconds = z.coerce.number().positive().max(1e10);
const success = z.object({
  access_token: z.string().min(1),
  expires_in: seconds.optional().catch(undefined),
  refresh_token: z.string().min(1).optional(),
  // Not in RFC 6749; many servers use the first name, Keycloak the second.
  refresh_token_expires_in: seconds.optional().catch(undefined),
  refresh_expires_in: seconds.optional().catch(undefined),
});
const refusal = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });

/** Codes about the customer's grant; all others concern us or the bank. */
const grantRefusals = new Set(["invalid_grant", "interaction_required", "login_required", "consent_required"]);

/** What the calls of this file need. */
export interface TokenCall {
  readonly http: HttpClient;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

/** A token for the client itself (RFC 6749 §4.4). */
export function clientToken(bank: Bank, call: TokenCall): Promise<TokenExchangeResult> {
  const { scope } = bank.auth;
  return askForTokens(bank, { grant_type: "client_credentials", ...(scope !== undefined && { scope }) }, call);
}

/** Exchanges the code with which a customer returned. */
export function exchangeCode(
  bank: Bank,
  { code, verifier, callback_url }: { code: string; verifier: string; callback_url: string },
  call: TokenCall,
): Promise<TokenExchangeResult> {
  const form = { grant_type: "authorization_code", code, redirect_uri: callback_url, code_verifier: verifier };
  return askForTokens(bank, form, call);
}

/** Exchanges a refresh token. If the bank issues no new one, the old one stays valid. */
export async function refreshTokens(
  bank: Bank,
  { refresh_token, refresh_ends_at }: Tokens & { readonly refresh_token: string },
  call: TokenCall,
): Promise<TokenExchangeResult> {
  const answer = await askForTokens(bank, { grant_type: "refresh_token", refresh_token }, call);
  if ("refused" in answer || answer.tokens.refresh_token !== null) return answer;
  return { tokens: { ...answer.tokens, refresh_token, refresh_ends_at } };
}

/**
 * Revokes tokens (RFC 7009), each separately: some banks keep one valid when the other is revoked. A token that the bank does not know counts as
 * revoked.
 */
export async function revokeTokens(
  bank: Bank,
  url: string,
  tokens: Tokens,
  { http, signal }: TokenCall,
): Promise<void> {
  const { refresh_token, access_token } = tokens;
  const given = [
    ...(refresh_token === null ? [] : [{ token: refresh_token, token_type_hint: "refresh_token" }]),
    { token: access_token, token_type_hint: "access_token" },
  ];
  for (const form of given) {
    const { status, body } = await sendRequest(http, post(bank, url, form, signal));
    if (status >= 300 && refusal.safeParse(body).data?.error !== "invalid_token")
      throw new OpenWealthFailure(`${bank.id} answered ${status} when a token was given back`);
  }
}

/** The URL that a customer is sent to, with the hash of our verifier (RFC 7636). */
export function authorizeUrl(
  address: string,
  { client_id, scope }: Bank["auth"],
  way: { callback_url: string; callback_state: string; verifier: string },
): string {
  const url = new URL(address);
  const query = {
    response_type: "code",
    client_id,
    redirect_uri: way.callback_url,
    state: way.callback_state,
    code_challenge: createHash("sha256").update(way.verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...(scope !== undefined && { scope }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

async function askForTokens(
  bank: Bank,
  form: Record<string, string>,
  { http, clock, signal }: TokenCall,
): Promise<TokenExchangeResult> {
  const { status, body } = await sendRequest(http, post(bank, bank.auth.token_url, form, signal));
  if (status >= 200 && status < 300) {
    const answer = success.safeParse(body);
    if (!answer.success)
      throw new OpenWealthFailure(`the token endpoint of ${bank.id} answered ${status} without a token`);
    const { access_token, expires_in, refresh_token, refresh_token_expires_in, refresh_expires_in } = answer.data;
    const now = clock().getTime();
    const end = (lifetime: number | undefined) => (lifetime === undefined ? null : now + lifetime * 1000);
    const refresh_ends_at = end(refresh_token_expires_in ?? refresh_expires_in);
    return {
      tokens: { access_token, ends_at: end(expires_in), refresh_token: refresh_token ?? null, refresh_ends_at },
    };
  }
  const code = refusal.safeParse(body).data?.error;
  if (code !== undefined && grantRefusals.has(code) && status < 500) return { refused: code };
  const words = `the token endpoint of ${bank.id} answered ${status}`;
  throw code === undefined
    ? new OpenWealthFailure(words, { status })
    : new OpenWealthFailure(`${words} (${code})`, { oauth_code: code, status });
}

function post(bank: Bank, url: string, form: Record<string, string>, signal: AbortSignal) {
  const { client_id, client_secret, client_authentication } = bank.auth;
  const isBasic = client_authentication === "basic";
  // Both halves are form-encoded before they are joined (RFC 6749 §2.3.1).
  const basic = `Basic ${Buffer.from(`${encoded(client_id)}:${encoded(client_secret)}`).toString("base64")}`;
  return {
    method: "POST",
    url,
    headers: { ...bank.headers, accept: "application/json", ...(isBasic && { authorization: basic }) },
    form: isBasic ? form : { ...form, client_id, client_secret },
    timeout_ms: TIMEOUT_MS,
    max_bytes: 1024 * 1024,
    ...tlsOf(bank),
    signal,
    read: "json",
  } as const;
}

/** Short: the answer for a used refresh token must arrive before the whole call is ended. */
const TIMEOUT_MS = 10_000;

function encoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** The client's certificate, if the bank requires one. */
export function tlsOf({ tls }: Bank): { readonly tls?: TlsIdentity } {
  if (tls === undefined) return {};
  const { cert, key, ca } = tls;
  return {
    tls: { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }), ...(ca !== undefined && { ca }) },
  };
}
