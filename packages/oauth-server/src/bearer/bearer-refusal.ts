/** Why a request is not let through. */
export type BearerRefusal =
  | { readonly kind: "missing" }
  | { readonly kind: "invalid_token" }
  | { readonly kind: "insufficient_scope"; readonly scope: string };

/** What a challenge tells the client about the resource. */
export interface ChallengeFacts {
  /** Address of the protected resource metadata (RFC 9728). */
  readonly resourceMetadata: string;
  /** Scopes that a client without a token should ask for. */
  readonly scopes: readonly string[];
}

/** HTTP status of a refusal (RFC 6750 §3.1). */
export function refusalStatus({ kind }: BearerRefusal): 401 | 403 {
  return kind === "insufficient_scope" ? 403 : 401;
}

/** Value of `WWW-Authenticate`. Without credentials it names no error (RFC 6750 §3), which makes a client start its OAuth flow. */
export function challenge(refusal: BearerRefusal, { resourceMetadata, scopes }: ChallengeFacts): string {
  const error = refusal.kind === "missing" ? [] : [`error="${refusal.kind}"`];
  const description = refusal.kind === "invalid_token" ? ['error_description="the access token is not valid"'] : [];
  const scope = refusal.kind === "insufficient_scope" ? refusal.scope : scopes.join(" ");
  const facts = refusal.kind === "insufficient_scope" ? ["scope", "resource_metadata"] : ["resource_metadata", "scope"];
  const values: Record<string, string> = { scope, resource_metadata: resourceMetadata };
  return `Bearer ${[...error, ...description, ...facts.map((name) => `${name}="${values[name]}"`)].join(", ")}`;
}

/** The refusal of a principal without `scope`; null when it has it. */
export function missingScope(scopes: ReadonlySet<string>, scope: string): BearerRefusal | null {
  return scopes.has(scope) ? null : { kind: "insufficient_scope", scope };
}
