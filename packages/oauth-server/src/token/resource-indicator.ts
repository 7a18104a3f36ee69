import { OAuthError } from "../oauth-error.js";

/** The two resources of an installation, MCP endpoint first: what a token is for when nothing else was asked. */
export function resourcesOf(issuer: string): readonly [mcp: string, api: string] {
  return [`${issuer}/mcp`, issuer];
}

/**
 * The audience that `resource` parameters ask for (RFC 8707 §2): each is one of the two resources, one trailing slash
 * tolerated. Undefined when there is none. Throws `invalid_target`.
 */
export function parseResources(issuer: string, resources: readonly string[]): readonly string[] | undefined {
  if (resources.length === 0) return undefined;
  const asked = resources.map((resource) => (resource.endsWith("/") ? resource.slice(0, -1) : resource));
  const known = resourcesOf(issuer);
  if (asked.some((resource) => !known.includes(resource))) throw invalidTarget();
  return known.filter((resource) => asked.includes(resource));
}

/** The refusal of a resource that is unknown, or outside what was granted. */
export function invalidTarget(): OAuthError {
  return new OAuthError("invalid_target", "resource is not one that this server or this grant gives access to");
}
