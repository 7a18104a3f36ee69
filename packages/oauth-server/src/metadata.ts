import { TENANT_SCOPES } from "./scopes.js";
import { resourcesOf } from "./token/resource-indicator.js";

/**
 * Authorization server metadata (RFC 8414) of what is mounted here. `grant_types_supported` has the order of S1 §5.9 and
 * names the browser's grant also where its endpoints are not mounted.
 */
export function authorizationServerMetadata(issuer: string): object {
  const authMethods = ["none", "client_secret_post", "client_secret_basic"];
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
    response_types_supported: ["code"],
    scopes_supported: TENANT_SCOPES,
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
  };
}

/** Protected resource metadata (RFC 9728). Both addresses answer the same: the resource is the MCP endpoint. */
export function protectedResourceMetadata(issuer: string): object {
  return {
    resource: resourcesOf(issuer)[0],
    authorization_servers: [issuer],
    scopes_supported: TENANT_SCOPES,
    bearer_methods_supported: ["header"],
  };
}

/** Where the protected resource metadata stands, for `resource_metadata` of a challenge (RFC 9728 §5.1). */
export function resourceMetadataUrl(issuer: string): string {
  return `${issuer}${PROTECTED_RESOURCE_PATH}/mcp`;
}

/** Addresses of the documents; each also exists with `/mcp` appended. */
export const AUTHORIZATION_SERVER_PATH = "/.well-known/oauth-authorization-server";
export const PROTECTED_RESOURCE_PATH = "/.well-known/oauth-protected-resource";
