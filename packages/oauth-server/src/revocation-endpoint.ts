import { authenticateOAuthClient } from "./clients/authenticate-oauth-client.js";
import { invalidClient, readClientCredentials } from "./clients/client-credentials.js";
import type { Endpoint } from "./http/endpoint.js";
import { type BodyLimits, type Form, readForm } from "./http/read-form.js";
import { OAuthError } from "./oauth-error.js";
import { readRefreshToken } from "./token/refresh-token.js";
import type { RequestRecorder } from "./token/request-recorder.js";
import type { TokenRequest, TokenServices } from "./token/token-context.js";

/** What revocation needs beyond the token endpoint: reading access tokens. */
export interface RevocationServices extends TokenServices {
  /** The grant of a valid access token of this server; null for anything else. */
  grantOfAccessToken(token: string): Promise<string | null>;
}

/**
 * `POST /revoke` (RFC 7009): either token takes the whole grant along. Like a refresh it needs no client authentication, and
 * checks it when there is one. Unknown and foreign tokens are answered like revoked ones.
 */
export function revocationEndpoint(
  services: RevocationServices,
  recorder: RequestRecorder,
  limits: BodyLimits,
): Endpoint {
  return {
    method: "POST",
    anyOrigin: false,
    async answer(req) {
      const request = recorder.begin(req);
      let form: Form | undefined;
      try {
        form = await readForm(req, limits);
        await revoke(services, form, req.headers.authorization, request);
        return { status: 200 };
      } catch (error) {
        if (error instanceof OAuthError) request.refused(error, form);
        throw error;
      }
    },
  };
}

async function revoke(
  services: RevocationServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<void> {
  const token = form.get("token");
  if (token === undefined) throw new OAuthError("invalid_request", "token is missing");
  const clientId = await requireClient(services, form, authorization, request);
  // A consumed refresh token ends the grant too: whoever lost the answer that replaced it has no other one to name it by.
  const refreshToken = readRefreshToken(services.hash, token);
  const grantId = refreshToken?.grant_id ?? (await services.grantOfAccessToken(token));
  const grant = grantId === null ? null : await services.grants.findGrant(grantId);
  if (!grant || (clientId !== undefined && clientId !== grant.client_id)) return;
  if (!(await services.grants.endGrant(grant.grant_id, request.at))) return;
  const { tenant_id, application_id, client_id, grant_id } = grant;
  request.record({ action: "grant.ended", tenant_id, application_id, client_id, grant_id });
}

async function requireClient(
  services: RevocationServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<string | undefined> {
  const presented = readClientCredentials(authorization, form);
  if (presented.client_secret === undefined && presented.client_assertion === undefined) return presented.client_id;
  if (presented.client_id === undefined) throw invalidClient();
  const { client, buckets } = await authenticateOAuthClient(services, presented, request);
  await services.guessLimits.requireFree(buckets, request.at);
  return client.client_id;
}
