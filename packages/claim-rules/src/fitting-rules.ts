/** What an identity provider says of somebody: the payload of its token. */
export type Claims = Readonly<Record<string, unknown>>;

/** What a rule asks for. */
export interface RuleOfClaims {
  /** Claims by name: each has to be this text, or a list that holds it. None = whoever the provider vouches for. */
  readonly claims: Readonly<Record<string, string>>;
}

/** The rules that fit, in their order. */
export function fittingRules<Rule extends RuleOfClaims>(rules: readonly Rule[], claims: Claims): readonly Rule[] {
  return rules.filter((rule) => Object.entries(rule.claims).every(([name, text]) => has(claims, name, text)));
}

/** Texts only: `true`, 1 and "1" are not the same. */
function has(claims: Claims, name: string, text: string): boolean {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return Array.isArray(claim) ? claim.includes(text) : claim === text;
}
