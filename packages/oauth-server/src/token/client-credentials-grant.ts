import { authenticateClient } from "../clients/authenticate-client.js";
import { invalidClient, readClientCredentials } from "../clients/client-credentials.js";
import type { Form } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import { narrowScopes, parseScope } from "../scopes.js";
import { uuidV7 } from "../uuid.js";
import { signAccessToken, type TokenResponse, tokenResponse } from "./access-token.js";
import { provenKey, withoutProof } from "./proven-key.js";
import { mintRefreshToken } from "./refresh-token.js";
import { parseResources, resourcesOf } from "./resource-indicator.js";
import type { TokenRequest, TokenServices } from "./token-context.js";

/**
 * Handles `grant_type=client_credentials` (RFC 6749 §4.4), with a refresh token as S1 §5.6 requires. In one transaction the
 * store keeps the grant only if application and secret are valid at that time.
 */
export async function grantClientCredentials(
  services: TokenServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<TokenResponse> {
  const { issuer, grants, random } = services;
  const { client_id, client_secret } = readClientCredentials(authorization, form);
  const asked = parseScope(form.get("scope"));
  const audience = parseResources(issuer, form.all("resource")) ?? resourcesOf(issuer);
  if (client_id === undefined || client_secret === undefined) throw invalidClient();

  const client = await authenticateClient(services, { client_id, client_secret }, request);
  const { application, secret_id } = client;
  const scopes = narrowScopes(application.scopes, asked);
  const jkt =
    request.proof === undefined ? withoutProof(application) : await provenKey(services, request.proof, request.at);
  const refreshToken = mintRefreshToken(services.hash, uuidV7(request.at, random), random);
  const grant = {
    grant_id: refreshToken.grant_id,
    tenant_id: application.tenant_id,
    application_id: application.application_id,
    client_id,
    secret_id,
    flow: "machine",
    scopes,
    audience,
    created_at: request.at,
    refresh_seconds: MACHINE_REFRESH_SECONDS,
    refresh_token_hash: refreshToken.token_hash,
    dpop_jkt: jkt,
  } as const;
  const key = services.signingKeys.recentSigner() ?? (await services.signingKeys.signer());
  const limit = grantLimit(services, application.tenant_id);
  const outcome = await grants.issueGrant(grant, limit?.exactly);
  if (outcome === "full" && limit) throw grantsFull(limit.exactly);
  if (outcome !== "issued") {
    services.applications.forget(client_id);
    throw invalidClient();
  }
  const { tenant_id, application_id, grant_id } = grant;
  request.record({ action: "grant.issued", tenant_id, application_id, client_id, grant_id, detail: secret_id });
  const facts = { issuer, grant, scopes, audience, token_id: uuidV7(request.at, random), at: request.at, jkt };
  return tokenResponse(await signAccessToken(key, facts), refreshToken.token, facts);
}

/** How many live grants the tenant may have, if they must be counted. @throws OAuthError `temporarily_unavailable` */
export function grantLimit({ admitGrant }: Pick<TokenServices, "admitGrant">, tenantId: string | null) {
  return tenantId === null ? null : (admitGrant?.(tenantId) ?? null);
}

/** The refusal for a tenant that has reached its limit of live grants. */
export function grantsFull(most: number): OAuthError {
  const message = `the tenant has too many live grants: ${most} at most`;
  return new OAuthError("temporarily_unavailable", message, {
    retryAfterSeconds: 60,
    limit: { name: "grants", value: most },
  });
}

/** Lifetime of a refresh token in the machine flow (S1 §8). */
const MACHINE_REFRESH_SECONDS = 24 * 3600;
