import { OAuthError } from "../oauth-error.js";

/** Paths of the MCP endpoints, each of which is a resource. */
export type McpPath = "/mcp" | "/mcp/analytics";

/** The resources of an installation, `/mcp` first: the default audience of a token. */
export function resourcesOf(issuer: string): readonly [mcp: string, analytics: string, api: string] {
  const of = (path: McpPath) => `${issuer}${path}`;
  return [of("/mcp"), of("/mcp/analytics"), issuer];
}

/**
 * The audience requested by `resource` parameters (RFC 8707 §2): each is one of the resources, with an optional trailing
 * slash. Undefined when there is none. Throws `invalid_target`.
 */
export function parseResources(issuer: string, resources: readonly string[]): readonly string[] | undefined {
  if (resources.length === 0) return undefined;
  const asked = resources.map((resource) => (resource.endsWith("/") ? resource.slice(0, -1) : resource));
  const known = resourcesOf(issuer);
  if (asked.some((resource) => !known.includes(resource))) throw invalidTarget();
  return known.filter((resource) => asked.includes(resource));
}

/** Refuses a resource that is unknown, or outside of what was granted. */
export function invalidTarget(): OAuthError {
  return new OAuthError("invalid_target", "resource is not one that this server or this grant gives access to");
}
