/** What an identity provider says of somebody: the payload of its token. */
export type Claims = Readonly<Record<string, unknown>>;

/** What a rule asks for. */
export interface ClaimRequirement {
  /**
   * Claims by name: each has to be this text, or a list that holds it. A claim inside of another is named with points:
   * `realm_access.roles`. None = whoever the provider vouches for.
   */
  readonly claims: Readonly<Record<string, string>>;
}

/** The rules that fit, in their order. */
export function matchingRules<Rule extends ClaimRequirement>(rules: readonly Rule[], claims: Claims): readonly Rule[] {
  return rules.filter((rule) => Object.entries(rule.claims).every(([name, text]) => has(claims, name, text)));
}

/** Texts only: `true`, 1 and "1" are not the same. */
function has(claims: Claims, name: string, text: string): boolean {
  const claim = claimOf(claims, name);
  return Array.isArray(claim) ? claim.includes(text) : claim === text;
}

/** A claim of exactly this name comes first, since names have points of their own: `https://acme.example/roles`, ids of clients. */
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
