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

/** Dependencies of revocation, which also reads access tokens. */
export interface RevocationServices extends TokenServices {
  /** The grant of a valid access token of this server; null for any other text. */
  grantOfAccessToken(token: string): Promise<Uuid | null>;
}

/**
 * `POST /revoke` (RFC 7009): either token ends the whole grant. As with a refresh, a confidential grant requires client
 * authentication, and credentials that are sent are always checked. Unknown tokens and those of other clients get the same
 * answer as revoked ones.
 */
export function revocationEndpoint(services: RevocationServices, recorder: RequestRecorder): OAuthEndpoint {
  return formEndpoint(recorder, (form, authorization, request) => revoke(services, form, authorization, request));
}

async function revoke(
  services: RevocationServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<undefined> {
  const token = requiredIn(form, "token");
  const { clientId, isAuthenticated } = await requireClient(services, form, authorization, request);
  // A consumed refresh token ends the grant too: a client that lost the answer with the new token has no other.
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
