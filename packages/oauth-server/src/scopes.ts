import { OAuthError } from "./oauth-error.js";

/** Default scopes of a tenant's application (contract §2), in the order in which they are always listed. */
export const TENANT_SCOPES = [
  "connections:read",
  "connections:write",
  "connections:delete",
  "investments:read",
  "letters:read",
  "letters:write",
  "events:read",
  "events:write",
] as const;

/** Scopes offered to assistants at the MCP endpoint: nothing there needs events, and webhooks send a tenant's news elsewhere. */
export const MCP_SCOPES: readonly string[] = TENANT_SCOPES.filter((scope) => !scope.startsWith("events:"));

/** Scopes offered to assistants at `/mcp/analytics`, which only computes. */
export const ANALYTICS_SCOPES: readonly string[] = ["investments:read"];

/**
 * Allows seeing and ending the grants of all applications of the tenant at `/grants`. An application has it only if created
 * with it, and metadata do not list it: clients that request everything listed would be refused.
 */
export const GRANTS_SCOPE = "grants:manage";

/** All scopes that an application of a tenant can have. */
export const ASSIGNABLE_SCOPES = [...TENANT_SCOPES, GRANTS_SCOPE] as const;

/** What people may do: see; work with connections and letters; administer their tenant. Each power includes the ones before it. */
export type PersonPower = "see" | "work" | "administer";

/** The scopes that a person may grant: no more than they have themselves. */
export function scopesOf(power: PersonPower): readonly string[] {
  const needs = (scope: string): PersonPower =>
    scope.endsWith(":read") ? "see" : scope === GRANTS_SCOPE || scope.startsWith("events:") ? "administer" : "work";
  const powers: readonly PersonPower[] = ["see", "work", "administer"];
  return ASSIGNABLE_SCOPES.filter((scope) => powers.indexOf(needs(scope)) <= powers.indexOf(power));
}

/** The only scope of an operator's application; no tenant's application may have it. */
export const OPERATOR_SCOPE = "operator";

/**
 * Parses a `scope` parameter (RFC 6749 §3.3) and removes duplicates; returns undefined when there is none. Throws
 * `invalid_scope` when it is malformed.
 */
export function parseScope(scope: string | undefined): readonly string[] | undefined {
  if (scope === undefined) return undefined;
  if (!SCOPE.test(scope)) throw new OAuthError("invalid_scope", "scope is not a list of names with single spaces");
  return [...new Set(scope.split(" "))];
}

/**
 * Returns the requested scopes in the order of `allowed`, or all of `allowed` when none are requested. Throws `invalid_scope`
 * for any other scope.
 */
export function narrowScopes(allowed: readonly string[], asked: readonly string[] | undefined): readonly string[] {
  if (!asked) return allowed;
  if (asked.some((scope) => !allowed.includes(scope))) throw scopeTooWide();
  return allowed.filter((scope) => asked.includes(scope));
}

/** Refuses a scope that the application or the grant does not have. */
export function scopeTooWide(): OAuthError {
  return new OAuthError("invalid_scope", "a requested scope is unknown or not allowed for this client");
}

/** scope-token *( SP scope-token ) */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;
