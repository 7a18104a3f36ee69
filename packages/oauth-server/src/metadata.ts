import { PROOF_ALGORITHMS } from "@org/http";
import { pageLanguages } from "@org/pages";
import { ASSERTION_ALGORITHMS } from "./clients/client-assertion.js";
import { CLIENT_AUTH_METHODS } from "./clients/client-metadata.js";
import type { OAuthPath } from "./routes.js";
import { ANALYTICS_SCOPES, MCP_SCOPES, TENANT_SCOPES } from "./scopes.js";
import { JWT_BEARER } from "./token/identity-assertion-grant.js";
import type { McpPath } from "./token/resource-indicator.js";

/** Authorization server metadata (RFC 8414). `grant_types_supported` has the order of S1 §5.9. */
export function authorizationServerMetadata(
  issuer: string,
  /**
   * Whether URLs of metadata documents are client ids, whether clients may register, and whether any issuer's assertions are
   * accepted.
   */
  {
    takesDocuments,
    takesRegistrations,
    takesAssertions,
  }: { takesDocuments: boolean; takesRegistrations: boolean; takesAssertions: boolean },
): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    ...(takesRegistrations ? { registration_endpoint: `${issuer}/register` } : {}),
    revocation_endpoint: `${issuer}/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: [
      ...["authorization_code", "refresh_token", "client_credentials"],
      ...(takesAssertions ? [JWT_BEARER] : []),
    ],
    response_types_supported: ["code"],
    scopes_supported: TENANT_SCOPES,
    response_modes_supported: ["query"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    ui_locales_supported: pageLanguages,
    client_id_metadata_document_supported: takesDocuments,
    // Says that assertions are accepted, but not whose (draft-ietf-oauth-identity-assertion-authz-grant-04 §7.2).
    ...(takesAssertions ? { authorization_grant_profiles_supported: [ID_JAG_PROFILE] } : {}),
  };
}

/** Protected resource metadata (RFC 9728) of an MCP endpoint. */
export function protectedResourceMetadata(issuer: string, path: McpPath): object {
  return {
    resource: `${issuer}${path}`,
    authorization_servers: [issuer],
    scopes_supported: path === "/mcp" ? MCP_SCOPES : ANALYTICS_SCOPES,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  };
}

/** URL of the protected resource metadata of an MCP endpoint, for `resource_metadata` of a challenge (RFC 9728 §5.1). */
export function resourceMetadataUrl(issuer: string, path: McpPath = "/mcp"): string {
  const document: OAuthPath = `/.well-known/oauth-protected-resource${path}`;
  return `${issuer}${document}`;
}

const ID_JAG_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";
