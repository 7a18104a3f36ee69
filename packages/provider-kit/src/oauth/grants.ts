import { type HttpAnswer, type HttpClient, HttpFailure } from "../http-client.js";
import { ReadInterrupted } from "../own-key/read-interrupted.js";
import type { AccessRefusal } from "../port.js";
import {
  clientToken,
  type InstitutionClient,
  OAuthFailure,
  type OAuthTokens,
  refreshTokens,
  type TokenCall,
} from "./token-endpoint.js";

/** Access to an institution: a bearer token that is renewed when it expires. */
export interface OAuthGrant {
  /** @throws ReadInterrupted if the institution no longer issues tokens */
  token(): Promise<string>;
  /** A token to replace the one that the institution refused; renewed once for all concurrent callers. */
  tokenAfter(refused: string): Promise<string>;
}

/** A customer's grant, whose refresh token may change with every use. */
export interface CustomerGrant extends OAuthGrant {
  /** The latest tokens. */
  readonly tokens: () => OAuthTokens;
  /** Whether the tokens have changed since the grant was made. */
  readonly isRenewed: () => boolean;
}

/** A token this close to its expiry is no longer used. */
const RENEW_BEFORE_END_MS = 30_000;

/**
 * The grant of a customer who gave consent. Its refresh token is used once, however many requests wait for it, and the one that replaces it is saved
 * before the new access token is used: a server that is killed in between has lost nothing. A renewal that has begun is not cut off with its fetch,
 * since the institution may already have replaced the token.
 */
export function customerGrant(
  client: InstitutionClient,
  given: OAuthTokens,
  call: TokenCall & { readonly save: (tokens: OAuthTokens) => Promise<void> },
): CustomerGrant {
  let latest = given;
  let saved = given;
  const renew = sharedCall(async () => {
    const { refresh_token } = latest;
    // An institution that issues no refresh token needs its customer again when the access token has expired.
    if (refresh_token === null) throw new ReadInterrupted({ refused: "sca_required" });
    call.signal.throwIfAborted();
    const { signal } = new AbortController();
    const answer = await refreshTokens(client, { ...latest, refresh_token }, { ...call, signal });
    if ("refused" in answer) throw new ReadInterrupted({ refused: refusalOf(answer.refused, latest, call.clock()) });
    latest = answer.tokens;
    await call.save(latest);
    saved = latest;
    return saved.access_token;
  });
  return {
    token: async () => (isUsable(saved, call.clock()) ? saved.access_token : renew()),
    tokenAfter: async (refused) => (saved.access_token === refused ? renew() : saved.access_token),
    tokens: () => latest,
    isRenewed: () => latest !== given,
  };
}

/** The grant of the client itself (RFC 6749 §4.4), whose token is kept in memory until it expires. */
export function clientGrant(
  client: InstitutionClient,
  call: Omit<TokenCall, "signal">,
): (signal: AbortSignal) => OAuthGrant {
  let kept: OAuthTokens | null = null;
  return (signal) => {
    const renew = sharedCall(async () => {
      const answer = await clientToken(client, { ...call, signal });
      if ("refused" in answer)
        throw new OAuthFailure(`the token endpoint refuses the client (${answer.refused})`, 400, answer.refused);
      kept = answer.tokens;
      return kept.access_token;
    });
    return {
      token: async () => (kept !== null && isUsable(kept, call.clock()) ? kept.access_token : renew()),
      tokenAfter: async (refused) => (kept === null || kept.access_token === refused ? renew() : kept.access_token),
    };
  };
}

/** The HTTP client with a grant's token in every request. A token that the institution refuses (401) is renewed once, and the request sent again. */
export function withBearer(http: HttpClient, grant: OAuthGrant): HttpClient {
  return {
    async request(request) {
      const send = (token: string) =>
        http.request({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
      const token = await grant.token();
      const first = await send(token).catch((error: unknown) => {
        if (error instanceof HttpFailure && error.status === 401) return error;
        throw error;
      });
      return first.status === 401 ? send(await grant.tokenAfter(token)) : (first as HttpAnswer<typeof request.read>);
    },
  };
}

/** A refresh token that ends sooner than this is replaced with every use, and says nothing about the consent. */
const MIN_CONSENT_MS = 8 * 24 * 60 * 60 * 1000;

/** When a customer's consent ends, if the end of the refresh token shows it. */
export function consentEnd(tokens: OAuthTokens | null, now: Date): Date | null {
  const end = tokens?.refresh_ends_at ?? null;
  return end !== null && end - now.getTime() > MIN_CONSENT_MS ? new Date(end) : null;
}

/** If the announced end of a refresh token has passed, the consent has expired; otherwise it was withdrawn. */
function refusalOf(code: string, { refresh_ends_at }: OAuthTokens, now: Date): AccessRefusal {
  if (code !== "invalid_grant") return "sca_required";
  return refresh_ends_at !== null && refresh_ends_at <= now.getTime() ? "consent_expired" : "rejected";
}

function isUsable({ ends_at }: OAuthTokens, now: Date): boolean {
  return ends_at === null || ends_at - RENEW_BEFORE_END_MS > now.getTime();
}

/** Runs one call at a time; concurrent callers share its result. */
function sharedCall<T>(call: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= call().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
