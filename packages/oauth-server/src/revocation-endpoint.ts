import { subjectOf } from "./audit.js";
import { authenticateOAuthClient } from "./clients/authenticate-oauth-client.js";
import { invalidClient, readClientCredentials } from "./clients/client-credentials.js";
import type { OAuthEndpoint } from "./http/endpoint.js";
import { type Form, requiredIn } from "./http/read-form.js";
import { OAuthError } from "./oauth-error.js";
import { formEndpoint } from "./token/form-endpoint.js";
import { readRefreshToken } from "./token/refresh-token.js";
import type { RequestRecorder } from "./token/request-recorder.js";
import type { TokenRequest, TokenServices } from "./token/token-context.js";
import type { Uuid } from "./uuid.js";

/** What revocation needs beyond the token endpoint: reading access tokens. */
export interface RevocationServices extends TokenServices {
  /** The grant of a valid access token of this server; null for anything else. */
  grantOfAccessToken(token: string): Promise<Uuid | null>;
}

/**
 * `POST /revoke` (RFC 7009): either token takes the whole grant along. Like a refresh it needs client authentication for the grant
 * of a client that authenticated when it was made, and checks it when there is one. Unknown and foreign tokens are answered like
 * revoked ones.
 */
export function revocationEndpoint(services: RevocationServices, recorder: RequestRecorder): OAuthEndpoint {
  return formEndpoint(recorder, async (form, authorization, request) => {
    await revoke(services, form, authorization, request);
    return { status: 200 };
  });
}

async function revoke(
  services: RevocationServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<void> {
  const token = requiredIn(form, "token");
  const { clientId, isAuthenticated } = await requireClient(services, form, authorization, request);
  // A consumed refresh token ends the grant too: whoever lost the answer that replaced it has no other one to name it by.
  const refreshToken = readRefreshToken(services.hash, token);
  const grantId = refreshToken?.grant_id ?? (await services.grantOfAccessToken(token));
  const grant = grantId === null ? null : await services.grants.findGrant(grantId);
  if (!grant || (clientId !== undefined && clientId !== grant.client_id)) return;
  if (grant.ended_at === null && grant.is_confidential && !isAuthenticated)
    throw new OAuthError("invalid_client", "this client has to authenticate to revoke", { about: subjectOf(grant) });
  if (!(await services.grants.endGrant(grant.grant_id, request.at))) return;
  request.record({ action: "grant.ended", ...subjectOf(grant) });
}

async function requireClient(
  services: RevocationServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<{ clientId: string | undefined; isAuthenticated: boolean }> {
  const presented = readClientCredentials(authorization, form);
  if (presented.client_secret === undefined && presented.client_assertion === undefined)
    return { clientId: presented.client_id, isAuthenticated: false };
  if (presented.client_id === undefined) throw invalidClient();
  const { client, is_authenticated } = await authenticateOAuthClient(services, presented, request);
  return { clientId: client.client_id, isAuthenticated: is_authenticated };
}
