/** What people of an identity provider get: the data of one application, with these scopes. */
export interface ClaimRule {
  /**
   * Claims that the assertion must have, by name: equal to this text, or a list that contains it. Empty = everyone the issuer
   * vouches for.
   */
  readonly claims: Readonly<Record<string, string>>;
  /** Client id of the application whose data is accessed. The tenant is the application's. */
  readonly client_id: string;
  /** At most these scopes, and at most what the application has. */
  readonly scopes: readonly string[];
}

/**
 * An identity provider whose assertions about people are accepted for grants (RFC 7523, ID-JAG). It contains no secret and may
 * be shown as a whole.
 */
export interface TrustedIssuer {
  /** UUIDv7, a new one after each change: grants end with the trust under which they were made. */
  readonly trust_id: string;
  /** The `iss` of its assertions, compared exactly; unique over all tenants. */
  readonly issuer: string;
  /** The tenant whose applications its rules may name; null = the installation's issuer, whose rules may name those of any tenant. */
  readonly tenant_id: string | null;
  /** URL of its public keys, or the keys themselves; both null = its metadata has the URL. */
  readonly jwks_uri: string | null;
  readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] } | null;
  /** Accepted signature algorithms, a subset of `ASSERTION_ALGORITHMS`. */
  readonly algorithms: readonly string[];
  /** Client ids of the OAuth clients that may present its assertions. */
  readonly client_ids: readonly string[];
  /** Whether this includes clients that cannot authenticate. */
  readonly takes_public_clients: boolean;
  /** Maximum lifetime of an assertion, from `iat` to `exp`. */
  readonly max_assertion_seconds: number;
  /** Lifetime of the access tokens. */
  readonly token_seconds: number;
  /** The first matching rule selects the application; all matching rules for that application contribute their scopes. */
  readonly rules: readonly ClaimRule[];
  /** When it was first trusted, and last changed. */
  readonly created_at: Date;
  readonly changed_at: Date;
}

/** Trusted issuers. Each method is one transaction. */
export interface TrustedIssuerStore {
  /** All of them, sorted by issuer. */
  listTrustedIssuers(): Promise<readonly TrustedIssuer[]>;
  /**
   * Trusts an issuer, or replaces its trust, which keeps `created_at`, and ends the grants made under the replaced trust.
   * `other_owner`: another tenant or the installation trusts it. `full`: there are `atMost` others already. `overtaken`: the
   * current trust is not `replaces` (null = there must be none; omitted = any).
   */
  storeTrustedIssuer(
    trusted: TrustedIssuer,
    atMost: number,
    replaces?: string | null,
  ): Promise<
    | { readonly outcome: "kept"; readonly trusted: TrustedIssuer; readonly ended: number }
    | { readonly outcome: "other_owner" }
    | { readonly outcome: "full" }
    | { readonly outcome: "overtaken" }
  >;
  /** Stops trusting an issuer, and ends the grants made under that trust. Null when it is not trusted. */
  removeTrustedIssuer(
    issuer: string,
    at: Date,
  ): Promise<{ readonly trusted: TrustedIssuer; readonly ended: number } | null>;
}
