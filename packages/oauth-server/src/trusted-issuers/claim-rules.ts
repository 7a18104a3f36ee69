import { type Claims, fittingRules } from "@org/claim-rules";
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
export function applyRules(rules: readonly ClaimRule[], claims: Claims): RuleGrant | null {
  const fitting = fittingRules(rules, claims);
  const [first] = fitting;
  if (!first) return null;
  const { client_id } = first;
  const scopes = fitting.filter((rule) => rule.client_id === client_id).flatMap((rule) => rule.scopes);
  return { client_id, scopes: new Set(scopes) };
}
