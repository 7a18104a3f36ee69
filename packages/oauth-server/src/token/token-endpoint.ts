import type { OAuthEndpoint } from "../http/endpoint.js";
import type { Form } from "../http/read-form.js";
import { OAuthError, unsupportedGrantType } from "../oauth-error.js";
import type { TokenResponse } from "./access-token.js";
import { grantAuthorizationCode } from "./authorization-code-grant.js";
import { grantClientCredentials } from "./client-credentials-grant.js";
import { formEndpoint } from "./form-endpoint.js";
import { type AssertionServices, grantIdentityAssertion, JWT_BEARER } from "./identity-assertion-grant.js";
import { grantRefreshToken } from "./refresh-token-grant.js";
import type { RequestRecorder } from "./request-recorder.js";
import type { TokenRequest, TokenServices } from "./token-context.js";

/** `POST /token` (RFC 6749 §3.2). Every refusal is recorded, including that of an unknown grant type. */
export function tokenEndpoint(services: TokenServices & AssertionServices, recorder: RequestRecorder): OAuthEndpoint {
  return formEndpoint(recorder, (form, authorization, request) => exchange(services, form, authorization, request));
}

function exchange(
  services: TokenServices & AssertionServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<TokenResponse> {
  switch (form.get("grant_type")) {
    case "authorization_code":
      return grantAuthorizationCode(services, form, authorization, request);
    case "client_credentials":
      return grantClientCredentials(services, form, authorization, request);
    case "refresh_token":
      return grantRefreshToken(services, form, authorization, request);
    case JWT_BEARER:
      return grantIdentityAssertion(services, form, authorization, request);
    case undefined:
      throw new OAuthError("invalid_request", "grant_type is missing");
    default:
      throw unsupportedGrantType();
  }
}
