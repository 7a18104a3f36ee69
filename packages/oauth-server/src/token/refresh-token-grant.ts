import { subjectOf } from "../audit.js";
import { authenticateOAuthClient } from "../clients/authenticate-oauth-client.js";
import { readClientCredentials } from "../clients/client-credentials.js";
import { proofRefused } from "../dpop/proof.js";
import { type Form, requiredIn } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import type { Grant, Rotation, RotationRefusal } from "../ports/grant-store.js";
import { narrowScopes, parseScope, scopeTooWide } from "../scopes.js";
import { uuidV7 } from "../uuid.js";
import { signAccessToken, type TokenResponse, tokenResponse } from "./access-token.js";
import { provenKey, withoutProof } from "./proven-key.js";
import { mintRefreshToken, type RefreshTokenParts, readRefreshToken } from "./refresh-token.js";
import { invalidTarget, parseResources } from "./resource-indicator.js";
import type { TokenRequest, TokenServices } from "./token-context.js";

/**
 * Handles `grant_type=refresh_token` (RFC 6749 §6, S1 §5.7). All checks that can refuse the request are part of the one
 * statement that rotates, so that a refused request consumes nothing.
 */
export async function grantRefreshToken(
  services: TokenServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<TokenResponse> {
  const presented = requiredIn(form, "refresh_token");
  const credentials = readClientCredentials(authorization, form);
  const scopes = parseScope(form.get("scope"));
  const audience = parseResources(services.issuer, form.all("resource"));
  const token = readRefreshToken(services.hash, presented);

  // A secret or assertion that is sent must be valid (S1 §5.7). The grant says whether one is required: the store refuses to rotate a
  // confidential grant without it, in the statement that every refresh runs anyway.
  const isProving = credentials.client_secret !== undefined || credentials.client_assertion !== undefined;
  const client = isProving
    ? await authenticateOAuthClient(
        services,
        { ...credentials, client_id: credentials.client_id ?? (await ownerOf(services, token)) },
        request,
      )
    : undefined;
  if (!token) {
    await services.guessLimits.countFailure(null, request);
    throw refusal("unknown");
  }
  const client_id = client?.client.client_id ?? credentials.client_id;
  const jkt =
    request.proof === undefined ? withoutProof(client?.client) : await provenKey(services, request.proof, request.at);
  const next = mintRefreshToken(services.hash, token.grant_id, services.random);
  const rotation: Rotation = {
    next_token_hash: next.token_hash,
    at: request.at,
    is_authenticated: client?.is_authenticated ?? false,
    ...token,
    ...(client_id === undefined ? {} : { client_id }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(audience === undefined ? {} : { audience }),
    ...(jkt === null ? {} : { dpop_jkt: jkt }),
  };
  // Loaded before anything is consumed, so that a missing key cannot cost the client its token.
  const key = services.signingKeys.recentSigner() ?? (await services.signingKeys.signer());
  const respond = async (grant: Grant) => {
    const granted = narrowScopes(grant.scopes, scopes);
    const facts = { scopes: granted, audience: audience ?? grant.audience, at: request.at, jkt };
    const token_id = uuidV7(request.at, services.random);
    const accessToken = await signAccessToken(key, { grant, issuer: services.issuer, token_id, ...facts });
    return tokenResponse(accessToken, next.token, facts);
  };
  const prepared = services.refreshReplaySeconds > 0 ? await prepare(services, rotation, respond) : undefined;
  const result = await services.grants.rotateRefreshToken(prepared ? { ...rotation, ...prepared.kept } : rotation);
  if (result.outcome === "rotated") {
    record(request, "grant.refreshed", result.grant);
    return prepared?.response ?? respond(result.grant);
  }
  if (result.outcome === "replayed") {
    record(request, "grant.replayed", result.grant);
    return JSON.parse(await services.keyring.open(result.response, replayContext(rotation))) as TokenResponse;
  }
  if (result.reason === "reused" && result.grant) record(request, "grant.reuse_detected", result.grant);
  throw refusal(result.reason, result.grant);
}

/** Builds the response before the token is consumed, because the same transaction stores it, encrypted, for a replay. */
async function prepare(services: TokenServices, rotation: Rotation, respond: (grant: Grant) => Promise<TokenResponse>) {
  const grant = await services.grants.findGrant(rotation.grant_id);
  // Without a grant that allows the scopes there is no response, and the store refuses.
  if (!grant || rotation.scopes?.some((scope) => !grant.scopes.includes(scope))) return undefined;
  const response = await respond(grant);
  const sealed = await services.keyring.seal(JSON.stringify(response), replayContext(rotation));
  const until = new Date(rotation.at.getTime() + services.refreshReplaySeconds * 1000);
  return { response, kept: { replay: { response: sealed, until } } };
}

function replayContext({ grant_id }: Rotation): { purpose: string; row: string } {
  return { purpose: "refresh-replay", row: grant_id };
}

/** The client id of the grant, for credentials that name none. */
async function ownerOf({ grants }: TokenServices, token: RefreshTokenParts | null): Promise<string | undefined> {
  return token ? (await grants.findGrant(token.grant_id))?.client_id : undefined;
}

function refusal(reason: RotationRefusal, grant: Grant | null = null): OAuthError {
  if (reason === "scope") return scopeTooWide();
  if (reason === "audience") return invalidTarget();
  const facts = grant ? { about: subjectOf(grant) } : {};
  if (reason === "unauthenticated")
    return new OAuthError("invalid_client", "this client has to authenticate to refresh", facts);
  if (reason === "no_proof") return proofRefused("missing");
  const message =
    reason === "other_key"
      ? "the refresh token is bound to another DPoP key"
      : "the refresh token is unknown, used, expired, revoked or of another client";
  return new OAuthError("invalid_grant", message, facts);
}

function record(
  request: TokenRequest,
  action: "grant.refreshed" | "grant.replayed" | "grant.reuse_detected",
  grant: Grant,
): void {
  request.record({ action, ...subjectOf(grant) });
}
