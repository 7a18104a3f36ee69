/** What the people of an identity provider get: the data of one application, and these scopes of its. */
export interface ClaimRule {
  /** Claims that the assertion has to have, by name: as this text, or as a list that holds it. None = whoever the issuer vouches for. */
  readonly claims: Readonly<Record<string, string>>;
  /** Client id of the application whose data is reached. The tenant is the application's. */
  readonly client_id: string;
  /** At most these, and at most what the application has itself. */
  readonly scopes: readonly string[];
}

/** An identity provider whose assertions about people are taken for grants (RFC 7523, ID-JAG). It has no secret: all of this may be shown. */
export interface TrustedIssuer {
  /** UUIDv7, another one after each change: grants end with the trust under which they were made. */
  readonly trust_id: string;
  /** The `iss` of its assertions, compared exactly; unique over all tenants. */
  readonly issuer: string;
  /** Whose applications its rules may name; null = the installation's, whose rules may name those of any tenant. */
  readonly tenant_id: string | null;
  /** Where its public keys are, or the keys themselves; both null = its metadata say where. */
  readonly jwks_uri: string | null;
  readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] } | null;
  /** Signature algorithms that count, of those of `ASSERTION_ALGORITHMS`. */
  readonly algorithms: readonly string[];
  /** OAuth clients that may bring its assertions, by their ids here. */
  readonly client_ids: readonly string[];
  /** Whether clients among them that cannot authenticate may too. */
  readonly takes_public_clients: boolean;
  /** How long an assertion may live, from `iat` to `exp`. */
  readonly max_assertion_seconds: number;
  /** Life of the access tokens. */
  readonly token_seconds: number;
  /** The first that fits says which application; all that fit and name that one give their scopes. */
  readonly rules: readonly ClaimRule[];
  /** When it was trusted first, and last changed. */
  readonly created_at: Date;
  readonly changed_at: Date;
}

/** Trusted issuers. Each method is one transaction. */
export interface TrustedIssuerStore {
  /** All of them, by issuer. */
  listTrustedIssuers(): Promise<readonly TrustedIssuer[]>;
  /**
   * Trusts an issuer, or replaces the trust in it, which keeps `created_at`, and ends the grants that were made under what it
   * replaces. `other_owner` where another tenant trusts it, or the installation does; `full` where there are `atMost` others already;
   * `overtaken` where the trust that is there is not `replaces` (null = none is to be there; left out = whichever it is).
   */
  keepTrustedIssuer(
    trusted: TrustedIssuer,
    atMost: number,
    replaces?: string | null,
  ): Promise<
    | { readonly outcome: "kept"; readonly trusted: TrustedIssuer; readonly ended: number }
    | { readonly outcome: "other_owner" }
    | { readonly outcome: "full" }
    | { readonly outcome: "overtaken" }
  >;
  /** Trusts an issuer no more, and ends the grants made under that. Null when it is not trusted. */
  removeTrustedIssuer(
    issuer: string,
    at: Date,
  ): Promise<{ readonly trusted: TrustedIssuer; readonly ended: number } | null>;
}
