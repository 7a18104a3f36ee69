import { createHash } from "node:crypto";
import { z } from "zod";
import type { HttpClient, TlsIdentity } from "../http-client.js";
import { AnswerFailure } from "../outage.js";
import { endIfThrottled } from "../own-key/institution-calls.js";

/** We as a client of an institution's authorization server (RFC 6749). Settings of this shape can be passed as they are. */
export interface InstitutionClient {
  /** Where a customer is sent to log in; only {@link oauthCode} needs it. */
  readonly authorize_url?: string | undefined;
  readonly token_url: string;
  /** Where tokens are revoked (RFC 7009); left out: they are left to expire. */
  readonly revoke_url?: string | undefined;
  readonly client_id: string;
  readonly client_secret: string;
  /** How the client authenticates: HTTP Basic, which is the default, or in the form (RFC 6749 §2.3.1). */
  readonly client_authentication?: "basic" | "post" | undefined;
  readonly scope?: string | undefined;
  /** Whether a refresh needs the `redirect_uri` of the login, as at Saxo. RFC 6749 does not ask for it. */
  readonly redirect_in_refresh?: boolean | undefined;
  /** The `iss` in the institution's authorization responses (RFC 9207); others are refused. */
  readonly issuer?: string | undefined;
  /** Sent with every request to the authorization server. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tls?: TlsIdentity | undefined;
}

/** An authorization server answered with an error that no customer can change. */
export class OAuthFailure extends AnswerFailure {
  override readonly name = "OAuthFailure";
  /** The error code of RFC 6749 §5.2; null if the answer has none. */
  readonly oauth_code: string | null;

  constructor(message: string, status: number, oauth_code: string | null = null) {
    super(message, { status });
    this.oauth_code = oauth_code;
  }

  /** Whether the client is refused, whatever code or token it sends. */
  get concerns_client(): boolean {
    return ["invalid_client", "unauthorized_client", "unsupported_grant_type"].includes(this.oauth_code ?? "");
  }
}

/** Tokens of one customer; part of a connection's access, which is stored sealed. Times are in milliseconds of the epoch. */
export const oauthTokens = z.object({
  access_token: z.string(),
  /** Null if the institution does not say. */
  ends_at: z.number().nullable(),
  refresh_token: z.string().nullable(),
  refresh_ends_at: z.number().nullable(),
  /** Of the login, where a refresh needs it. */
  redirect_uri: z.string().optional(),
});
export type OAuthTokens = z.output<typeof oauthTokens>;

/** Tokens, or the error code (RFC 6749 §5.2) of a refusal that the customer can change. */
export type TokenExchangeResult = { readonly tokens: OAuthTokens } | { readonly refused: string };

/** What a call to an authorization server needs. */
export interface TokenCall {
  readonly http: HttpClient;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

const seconds = z.coerce.number().positive().max(1e10);
/** RFC 6749, appendix A.12. One that no header can carry would be kept, and refused by nobody who could be asked for another. */
const accessToken = z
  .string()
  .regex(/^[ -~]+$/)
  .max(16_384);
const success = z.object({
  access_token: accessToken,
  expires_in: seconds.optional().catch(undefined),
  refresh_token: z.string().min(1).optional(),
  // Not in RFC 6749; many servers use the first name, Keycloak the second.
  refresh_token_expires_in: seconds.optional().catch(undefined),
  refresh_expires_in: seconds.optional().catch(undefined),
});
const refusal = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });

/** Codes about the customer's grant; all others concern us or the institution. */
const grantRefusals = new Set(["invalid_grant", "interaction_required", "login_required", "consent_required"]);

/** A token for the client itself (RFC 6749 §4.4). @throws OAuthFailure, HttpFailure, ReadInterrupted `throttled`; so do the functions below */
export function clientToken(client: InstitutionClient, call: TokenCall): Promise<TokenExchangeResult> {
  const { scope } = client;
  return askForTokens(client, { grant_type: "client_credentials", ...(scope !== undefined && { scope }) }, call);
}

/** Exchanges the code with which a customer returned, with the verifier of its login (RFC 7636). */
export async function exchangeCode(
  client: InstitutionClient,
  { code, verifier, callback_url: redirect_uri }: { code: string; verifier: string; callback_url: string },
  call: TokenCall,
): Promise<TokenExchangeResult> {
  const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
  const answer = await askForTokens(client, form, call);
  return "refused" in answer || !client.redirect_in_refresh ? answer : { tokens: { ...answer.tokens, redirect_uri } };
}

/**
 * Whether an authorization server knows the client, tried with a code that is none: a server that does refuses the code.
 * @returns the error code (RFC 6749 §5.2) with which it refuses the client; null = none
 */
export async function refusalOfClient(client: InstitutionClient, call: TokenCall): Promise<string | null> {
  const callback_url = client.authorize_url ?? "";
  const probe = { code: "settings-test", verifier: "settings-test".repeat(4), callback_url };
  try {
    await exchangeCode(client, probe, call);
  } catch (failure) {
    if (!(failure instanceof OAuthFailure) || failure.oauth_code === null) throw failure;
    return failure.concerns_client ? failure.oauth_code : null;
  }
  return null;
}

/** Exchanges a refresh token. If the institution issues no new one, the former one stays valid (RFC 6749 §6). */
export async function refreshTokens(
  client: InstitutionClient,
  { refresh_token, refresh_ends_at, redirect_uri }: OAuthTokens & { readonly refresh_token: string },
  call: TokenCall,
): Promise<TokenExchangeResult> {
  const kept = redirect_uri === undefined ? {} : { redirect_uri };
  const answer = await askForTokens(client, { grant_type: "refresh_token", refresh_token, ...kept }, call);
  if ("refused" in answer) return answer;
  const former = answer.tokens.refresh_token === null ? { refresh_token, refresh_ends_at } : {};
  return { tokens: { ...answer.tokens, ...former, ...kept } };
}

/**
 * Revokes tokens (RFC 7009) where the institution lets us, each separately: some keep one valid when the other is revoked. A token that the
 * institution does not know counts as revoked.
 */
export async function revokeTokens(
  client: InstitutionClient,
  { refresh_token, access_token }: OAuthTokens,
  { http, signal }: Pick<TokenCall, "http" | "signal">,
): Promise<void> {
  const { revoke_url } = client;
  if (revoke_url === undefined) return;
  const given = [
    ...(refresh_token === null ? [] : [{ token: refresh_token, token_type_hint: "refresh_token" }]),
    { token: access_token, token_type_hint: "access_token" },
  ];
  for (const form of given) {
    const { status, body } = endIfThrottled(await http.request(post(client, revoke_url, form, signal)));
    if (status >= 300 && refusal.safeParse(body).data?.error !== "invalid_token")
      throw new OAuthFailure(`POST ${new URL(revoke_url).host} answered ${status} when a token was given back`, status);
  }
}

/** The URL that a customer is sent to, with the hash of our verifier. */
export function authorizeUrl(
  { authorize_url = "", client_id, scope }: InstitutionClient,
  way: { callback_url: string; callback_state: string; verifier: string },
): string {
  const url = new URL(authorize_url);
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
  client: InstitutionClient,
  form: Record<string, string>,
  { http, clock, signal }: TokenCall,
): Promise<TokenExchangeResult> {
  const { status, body } = endIfThrottled(await http.request(post(client, client.token_url, form, signal)));
  const about = `the token endpoint at ${new URL(client.token_url).host} answered ${status}`;
  if (status >= 200 && status < 300) {
    const { data } = success.safeParse(body);
    if (data === undefined) throw new OAuthFailure(`${about} without a token`, status);
    const { access_token, expires_in, refresh_token = null, refresh_token_expires_in, refresh_expires_in } = data;
    const now = clock().getTime();
    const end = (lifetime: number | undefined) => (lifetime === undefined ? null : now + lifetime * 1000);
    const refresh_ends_at = end(refresh_token_expires_in ?? refresh_expires_in);
    return { tokens: { access_token, ends_at: end(expires_in), refresh_token, refresh_ends_at } };
  }
  const code = refusal.safeParse(body).data?.error;
  if (code !== undefined && grantRefusals.has(code) && status < 500) return { refused: code };
  throw code === undefined ? new OAuthFailure(about, status) : new OAuthFailure(`${about} (${code})`, status, code);
}

/** Short: the answer for a used refresh token must arrive before the whole call is ended. */
const TIMEOUT_MS = 10_000;

function post(
  { client_id, client_secret, client_authentication, headers, tls }: InstitutionClient,
  url: string,
  form: Record<string, string>,
  signal: AbortSignal,
) {
  const isBasic = client_authentication !== "post";
  // Both halves are form-encoded before they are joined (RFC 6749 §2.3.1).
  const basic = `Basic ${Buffer.from(`${encoded(client_id)}:${encoded(client_secret)}`).toString("base64")}`;
  return {
    method: "POST",
    url,
    headers: { ...headers, accept: "application/json", ...(isBasic && { authorization: basic }) },
    form: isBasic ? form : { ...form, client_id, client_secret },
    timeout_ms: TIMEOUT_MS,
    max_bytes: 1024 * 1024,
    tls,
    signal,
    read: "json",
  } as const;
}

function encoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
