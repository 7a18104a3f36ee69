import type { ClaimRule } from "../ports/trusted-issuer-store.js";

/** What the rules of an issuer give somebody: one application, and scopes of its. */
export interface RuleGrant {
  readonly client_id: string;
  readonly scopes: ReadonlySet<string>;
}

/**
 * The first rule that fits the claims says which application; all that fit and name the same one give their scopes. Null where none
 * fits: then nothing is granted.
 */
export function applyRules(rules: readonly ClaimRule[], claims: Readonly<Record<string, unknown>>): RuleGrant | null {
  const fitting = rules.filter((rule) => Object.entries(rule.claims).every(([name, text]) => has(claims, name, text)));
  const [first] = fitting;
  if (!first) return null;
  const { client_id } = first;
  const scopes = fitting.filter((rule) => rule.client_id === client_id).flatMap((rule) => rule.scopes);
  return { client_id, scopes: new Set(scopes) };
}

/** Texts only: `true`, 1 and "1" are not the same. */
function has(claims: Readonly<Record<string, unknown>>, name: string, text: string): boolean {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return Array.isArray(claim) ? claim.includes(text) : claim === text;
}
