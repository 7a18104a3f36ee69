import { createHash } from "node:crypto";
import { subjectOf } from "../audit.js";
import { authenticateOAuthClient } from "../clients/authenticate-oauth-client.js";
import { readClientCredentials } from "../clients/client-credentials.js";
import { type Form, requiredIn } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import type { RedemptionRefusal } from "../ports/authorization-store.js";
import { uuidV7 } from "../uuid.js";
import { signAccessToken, type TokenResponse, tokenResponse } from "./access-token.js";
import { readCode } from "./authorization-code.js";
import { provenKey, withoutProof } from "./proven-key.js";
import { mintRefreshToken } from "./refresh-token.js";
import { invalidTarget, parseResources } from "./resource-indicator.js";
import type { TokenRequest, TokenServices } from "./token-context.js";

/**
 * Handles `grant_type=authorization_code` (RFC 6749 §4.1.3, RFC 7636 §4.5). Everything is checked before and within the one
 * transaction that consumes the code, so that a failed request consumes nothing.
 */
export async function grantAuthorizationCode(
  services: TokenServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<TokenResponse> {
  const { issuer, random, codes } = services;
  const [code, verifier, redirect_uri] = [
    requiredIn(form, "code"),
    requiredIn(form, "code_verifier"),
    requiredIn(form, "redirect_uri"),
  ];
  if (!VERIFIER.test(verifier))
    throw new OAuthError("invalid_request", "code_verifier must have 43 to 128 unreserved characters");
  const audience = parseResources(issuer, form.all("resource"));
  const presented = readClientCredentials(authorization, form);
  const { client, is_authenticated } = await authenticateOAuthClient(services, presented, request);

  const parts = readCode(services.hash, code);
  if (!parts) {
    await services.guessLimits.countFailure(null, request);
    throw refusal("unknown");
  }
  const jkt = request.proof === undefined ? withoutProof(client) : await provenKey(services, request.proof, request.at);
  const refreshToken = mintRefreshToken(services.hash, uuidV7(request.at, random), random);
  const key = services.signingKeys.recentSigner() ?? (await services.signingKeys.signer());
  const result = await codes.redeemCode({
    ...parts,
    client_id: client.client_id,
    redirect_uri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    ...(audience === undefined ? {} : { audience }),
    is_confidential: is_authenticated,
    dpop_jkt: jkt,
    at: request.at,
    grant: {
      grant_id: refreshToken.grant_id,
      refresh_token_hash: refreshToken.token_hash,
      refresh_seconds: BROWSER_REFRESH_SECONDS,
    },
  });
  if (result.outcome === "refused") {
    // Recorded once: after the grant has ended, reuse is an ordinary refusal, or one old code could flood the audit trail.
    if (result.reason === "reused" && result.grant?.ended_at?.getTime() === request.at.getTime())
      request.record({ action: "grant.reuse_detected", ...subjectOf(result.grant) });
    throw refusal(result.reason);
  }
  const { grant } = result;
  const { scopes } = grant;
  request.record({ action: "grant.issued", ...subjectOf(grant), detail: grant.secret_id });
  const facts = { issuer, grant, scopes, audience: grant.audience, at: request.at, jkt };
  const accessToken = await signAccessToken(key, { ...facts, token_id: uuidV7(request.at, random) });
  return tokenResponse(accessToken, refreshToken.token, facts);
}

function refusal(reason: RedemptionRefusal): OAuthError {
  if (reason === "audience") return invalidTarget();
  return new OAuthError(
    "invalid_grant",
    "the code is unknown, used, expired or of another client, or redirect_uri, code_verifier or the DPoP key do not match it",
  );
}

/** Lifetime of a refresh token in the browser flow (S1 §8). */
const BROWSER_REFRESH_SECONDS = 30 * 24 * 3600;
/** RFC 7636 §4.1 */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;
