import { isClientId } from "../clients/client-credentials.js";
import type { ClientDirectory, LookupCaller, OAuthClient } from "../clients/oauth-client.js";
import { matchesRedirectUri, redirectUriFault } from "../clients/redirect-uri.js";
import { BITS_256 } from "../dpop/proof.js";
import { OAuthError } from "../oauth-error.js";
import { ASSIGNABLE_SCOPES, OPERATOR_SCOPE, parseScope, scopeTooWide } from "../scopes.js";
import { parseResources, resourcesOf } from "../token/resource-indicator.js";
import type { Uuid } from "../uuid.js";
import { isVerified, PageRefusal, RedirectRefusal } from "./outcomes.js";

/** A client's checked authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2). */
export interface AuthorizationRequest {
  /** UUIDv7, assigned by this server. */
  readonly request_id: Uuid;
  readonly client_id: string;
  readonly redirect_uri: string;
  /** Returned to the client unchanged; null when there was none. */
  readonly state: string | null;
  readonly code_challenge: string;
  /** Thumbprint of the key that the client will prove when it redeems the code (RFC 9449 §10). */
  readonly dpop_jkt?: string | undefined;
  /** Null when the client requested none: it is offered every scope of `MCP_SCOPES` that the login has. */
  readonly scopes: readonly string[] | null;
  /** Whether it also requested scopes that do not exist here, such as `offline_access`; they are left out (RFC 6749 §3.3). */
  readonly has_unknown_scopes?: boolean | undefined;
  readonly audience: readonly string[];
  readonly expires_at: Date;
}

/**
 * Checks the query of `/authorize`. Throws a `PageRefusal` until client and redirect_uri are known to be valid (RFC 6749
 * §4.1.2.1), and a `RedirectRefusal` after that. An unverified client gets a page until a user has signed in: anyone can
 * register a client, and this server must not become an open redirector (RFC 9700 §4.11.2).
 */
export async function readAuthorizationRequest(
  query: URLSearchParams,
  context: {
    issuer: string;
    directory: ClientDirectory;
    from: LookupCaller;
    request_id: Uuid;
    expires_at: Date;
    hasSignedIn: () => Promise<boolean>;
  },
): Promise<{ request: AuthorizationRequest; client: OAuthClient }> {
  const client = await findClient(query, context);
  const redirect_uri = redirectUriOf(query, client);
  const states = query.getAll("state");
  const state = states.length === 1 ? (states[0] as string) : null;
  try {
    requireSingle(query);
    requireCodeFlow(query);
    if (state !== null && encodeURIComponent(state).length > MAX_STATE_LENGTH)
      throw new OAuthError("invalid_request", `state is longer than ${MAX_STATE_LENGTH} characters in an address`);
    const request = {
      request_id: context.request_id,
      client_id: client.client_id,
      redirect_uri,
      state,
      code_challenge: challengeOf(query),
      dpop_jkt: keyOf(query),
      ...scopesOf(query.get("scope")),
      audience: parseResources(context.issuer, query.getAll("resource").filter(Boolean)) ?? resourcesOf(context.issuer),
      expires_at: context.expires_at,
    };
    return { request, client };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (!isVerified(client) && !(await context.hasSignedIn()))
      throw new PageRefusal("bad_request", `${error.code}: ${error.message}`);
    throw new RedirectRefusal({ redirect_uri, state }, error.code, error.message);
  }
}

async function findClient(
  query: URLSearchParams,
  { directory, from }: { directory: ClientDirectory; from: LookupCaller },
): Promise<OAuthClient> {
  const clientId = single(query, "client_id");
  const client = isClientId(clientId) ? await directory.find(clientId, from) : null;
  if (client) return client;
  throw new PageRefusal("unknown_client", "client_id names no client that is registered here");
}

function redirectUriOf(query: URLSearchParams, client: OAuthClient): string {
  const redirectUri = single(query, "redirect_uri");
  if (!matchesRedirectUri(client.redirect_uris, redirectUri))
    throw new PageRefusal("bad_redirect", "redirect_uri is not one that this client registered");
  // The client may have registered it under older rules.
  const fault = redirectUriFault(redirectUri);
  if (fault !== null) throw new PageRefusal("bad_redirect", `redirect_uri ${fault}`);
  return redirectUri;
}

function single(query: URLSearchParams, name: string): string {
  const [value = "", ...more] = query.getAll(name);
  if (value === "") throw new PageRefusal("bad_request", `${name} is missing`);
  if (more.length > 0) throw new PageRefusal("bad_request", `${name} is repeated`);
  return value;
}

/** RFC 6749 §3.1: no parameter may be repeated, except `resource` (RFC 8707 §2). */
function requireSingle(query: URLSearchParams): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (name !== "resource" && seen.has(name)) throw new OAuthError("invalid_request", "a parameter is repeated");
    seen.add(name);
  }
}

function requireCodeFlow(query: URLSearchParams): void {
  const responseType = query.get("response_type");
  if (!responseType) throw new OAuthError("invalid_request", "response_type is missing");
  if (responseType !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code");
  if ((query.get("response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "response_mode must be query");
  if (query.has("request") || query.has("request_uri"))
    throw new OAuthError("invalid_request", "request objects are not supported");
}

/** PKCE with S256 is required; a missing method means plain (RFC 7636 §4.3), which is refused. */
function challengeOf(query: URLSearchParams): string {
  const challenge = query.get("code_challenge");
  if (!challenge) throw new OAuthError("invalid_request", "code_challenge is missing");
  if (query.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method must be S256");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge is not a base64url SHA-256 hash");
  return challenge;
}

function keyOf(query: URLSearchParams): string | undefined {
  const jkt = query.get("dpop_jkt") || undefined;
  if (jkt !== undefined && !BITS_256.test(jkt))
    throw new OAuthError("invalid_request", "dpop_jkt is not a base64url SHA-256 hash");
  return jkt;
}

/** Leaves out unknown scopes, as `/register` does (contract §12). @throws OAuthError `invalid_scope` when none is left */
function scopesOf(scope: string | null): Pick<AuthorizationRequest, "scopes" | "has_unknown_scopes"> {
  const asked = parseScope(scope || undefined);
  if (!asked) return { scopes: null };
  if (asked.includes(OPERATOR_SCOPE)) throw scopeTooWide();
  const scopes = ASSIGNABLE_SCOPES.filter((known) => asked.includes(known));
  if (scopes.length === 0) throw scopeTooWide();
  return { scopes, has_unknown_scopes: scopes.length < asked.length };
}

/** Counted in percent-encoded characters, because it is returned in a URL. */
const MAX_STATE_LENGTH = 4096;
