/** Claims that an identity provider makes about a person or client: the payload of its token. */
export type Claims = Readonly<Record<string, unknown>>;

/** The claims that a rule requires. */
export interface ClaimRequirement {
  /**
   * Required claims by name: each must equal this text, or be a list that contains it. Dots name a nested claim:
   * `realm_access.roles`. An empty record matches everyone the provider vouches for.
   */
  readonly claims: Readonly<Record<string, string>>;
}

/** Returns the rules that match, in their order. */
export function matchingRules<Rule extends ClaimRequirement>(rules: readonly Rule[], claims: Claims): readonly Rule[] {
  return rules.filter((rule) => Object.entries(rule.claims).every(([name, text]) => has(claims, name, text)));
}

/** Compares strings only: `true` and 1 match no text. */
function has(claims: Claims, name: string, text: string): boolean {
  const claim = claimOf(claims, name);
  return Array.isArray(claim) ? claim.includes(text) : claim === text;
}

/** Looks for a claim with exactly this name first, because names may contain dots: `https://acme.example/roles`, client ids. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) {
    const outer = name.slice(0, at);
    const inside = Object.hasOwn(claims, outer) ? claims[outer] : undefined;
    const found = isObject(inside) ? claimOf(inside, name.slice(at + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(claim: unknown): claim is Claims {
  return typeof claim === "object" && claim !== null && !Array.isArray(claim);
}
