import { OAuthError } from "./oauth-error.js";

/** Scopes that an application of a tenant gets by itself (contract §2), in the order in which they are listed everywhere. */
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

/** What assistants are offered at the MCP endpoint: nothing there needs events, and webhooks send a tenant's news elsewhere. */
export const MCP_SCOPES: readonly string[] = TENANT_SCOPES.filter((scope) => !scope.startsWith("events:"));

/**
 * Sees and ends the grants of all applications of the tenant at `/grants`. An application has it only when it was created so, and
 * metadata do not offer it: clients that ask for all that is offered would be refused it.
 */
export const GRANTS_SCOPE = "grants:manage";

/** All scopes that an application of a tenant may have. */
export const ASSIGNABLE_SCOPES = [...TENANT_SCOPES, GRANTS_SCOPE] as const;

/** What people may do here: see; work with connections and letters; administer what is their tenant's. Each with what comes before it. */
export type PersonPower = "see" | "work" | "administer";

/** What somebody may allow: no more than they may do themselves. */
export function scopesOf(power: PersonPower): readonly string[] {
  const needs = (scope: string): PersonPower =>
    scope.endsWith(":read") ? "see" : scope === GRANTS_SCOPE || scope.startsWith("events:") ? "administer" : "work";
  const powers: readonly PersonPower[] = ["see", "work", "administer"];
  return ASSIGNABLE_SCOPES.filter((scope) => powers.indexOf(needs(scope)) <= powers.indexOf(power));
}

/** The only scope of an operator application; no tenant's application may have it. */
export const OPERATOR_SCOPE = "operator";

/**
 * Reads a `scope` parameter (RFC 6749 §3.3) without repetitions, or answers undefined when there is none.
 * Throws `invalid_scope` when it is malformed.
 */
export function parseScope(scope: string | undefined): readonly string[] | undefined {
  if (scope === undefined) return undefined;
  if (!SCOPE.test(scope)) throw new OAuthError("invalid_scope", "scope is not a list of names with single spaces");
  return [...new Set(scope.split(" "))];
}

/** The scopes asked for, in the order of `allowed`; all of them when none were asked for. Throws `invalid_scope` for any other. */
export function narrowScopes(allowed: readonly string[], asked: readonly string[] | undefined): readonly string[] {
  if (!asked) return allowed;
  if (asked.some((scope) => !allowed.includes(scope))) throw scopeTooWide();
  return allowed.filter((scope) => asked.includes(scope));
}

/** The refusal of a scope that the application or the grant does not have. */
export function scopeTooWide(): OAuthError {
  return new OAuthError("invalid_scope", "a requested scope is unknown or not allowed for this client");
}

/** scope-token *( SP scope-token ) */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;
