import type { Uuid } from "../uuid.js";

/** What an application allowed a client to do, with the one refresh token that is live for it. */
export interface Grant {
  /** UUIDv7, the `gid` of its access tokens. */
  readonly grant_id: Uuid;
  readonly tenant_id: string | null;
  readonly application_id: string;
  /** The OAuth client that holds the tokens; in the machine flow the application's own `client_id`, otherwise maybe another's. */
  readonly client_id: string;
  /**
   * The secret it was obtained with; removing that one ends the grant. Of an asserted one the trust in its issuer takes that place, of a
   * person's the person.
   */
  readonly secret_id: string;
  /** Who approved it with a sign-in of their own; their removal, or a lesser role, ends it. Null for what a secret or an assertion stands for. */
  readonly person_id: string | null;
  /** asserted: a trusted identity provider vouched for a person. It has no refresh token and lives as long as its access token. */
  readonly flow: "machine" | "browser" | "asserted";
  /**
   * Whether its client authenticated when the code was redeemed, and so has to wherever the refresh token is used (RFC 6749 §6,
   * RFC 9700 §4.14.2). Never of the machine flow, whose refresh needs nothing but the token (S1 §5.7).
   */
  readonly is_confidential: boolean;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly created_at: Date;
  /** Life of each refresh token from its issue: every rotation slides `refresh_expires_at`. */
  readonly refresh_seconds: number;
  readonly refresh_expires_at: Date;
  /** When tokens were last issued; its access tokens are dead an access-token life later. */
  readonly last_issued_at: Date;
  readonly ended_at: Date | null;
}

/** A grant as it is issued. `refresh_expires_at` = `created_at` + `refresh_seconds`, `last_issued_at` = `created_at`. */
export type NewGrant = Omit<
  Grant,
  "is_confidential" | "person_id" | "refresh_expires_at" | "last_issued_at" | "ended_at"
> & {
  /** Keyed hash of the first refresh token; opaque to the store, like all hashes here. */
  readonly refresh_token_hash: string;
};

/** A grant that an identity provider's assertion stands for: `secret_id` is the `trust_id`, `refresh_seconds` the life of its access token. */
export type AssertedGrant = Omit<NewGrant, "flow" | "refresh_token_hash"> & {
  /** Which assertion: it is used up with the grant, or not at all. */
  readonly assertion: { readonly issuer: string; readonly jti: string; readonly usable_until: Date };
};

/** A request to exchange the live refresh token of a grant for its successor. */
export interface Rotation {
  readonly grant_id: Uuid;
  readonly token_hash: string;
  readonly next_token_hash: string;
  readonly at: Date;
  /** Whether the client authenticated. A confidential grant needs it; one of a browser becomes confidential by it. */
  readonly is_authenticated: boolean;
  /** Each, where given, must hold: the grant's client, a subset of its scopes, a subset of its audience. */
  readonly client_id?: string;
  readonly scopes?: readonly string[];
  readonly audience?: readonly string[];
  /** Kept with the grant: what to answer if the exchanged token comes again before `until`. */
  readonly replay?: { readonly response: string; readonly until: Date };
}

/** Why a rotation changed nothing; `reused` alone has ended the grant. */
export type RotationRefusal =
  | "unknown"
  | "other_client"
  | "unauthenticated"
  | "ended"
  | "reused"
  | "expired"
  | "scope"
  | "audience";

export type RotationResult =
  | { readonly outcome: "rotated"; readonly grant: Grant }
  | { readonly outcome: "replayed"; readonly grant: Grant; readonly response: string }
  | { readonly outcome: "refused"; readonly reason: RotationRefusal; readonly grant: Grant | null };

/** Grants and their refresh tokens. Each method is one transaction. */
export interface GrantStore {
  /**
   * Keeps a grant, provided that its application and tenant are enabled, its secret is live, and its client, if that is an
   * application too, and the client's tenant are enabled. A grant that races with switching one of them off, or with the removal
   * of its secret or a tenant, is refused or ended, never left alive. With `atMost` a tenant that has so many live grants gets no
   * more: `full`, however many ask at once.
   */
  issueGrant(grant: NewGrant, atMost?: number): Promise<"issued" | "not_allowed" | "full">;
  /**
   * The same for an assertion: in place of the secret the trust has to stand, for this tenant or the whole installation, and the
   * assertion must not have been used, else `replayed`. The store marks a client that registered itself as used.
   */
  issueAssertedGrant(grant: AssertedGrant, atMost?: number): Promise<"issued" | "not_allowed" | "replayed" | "full">;
  /** How many live grants a tenant has at a moment. */
  countLive(tenantId: string, at: Date): Promise<number>;
  findGrant(grantId: Uuid): Promise<Grant | null>;
  /**
   * Makes `next_token_hash` the live token, provided that `token_hash` is the live one now: of any number of calls that race
   * with one token exactly one is `rotated`. Refusals are looked for in the order of {@link RotationRefusal}. Any other hash is
   * that of a consumed token (the caller has checked that it was issued for this grant): when it is the one consumed last and
   * its replay still stands, the stored response is `replayed`, otherwise it is `reused` and the grant ends here.
   */
  rotateRefreshToken(rotation: Rotation): Promise<RotationResult>;
  /** Ends a grant. False when there is no such grant, or it has ended. With `tenant_id`, only a grant of that tenant. */
  endGrant(grantId: Uuid, at: Date, tenantId?: string | null): Promise<boolean>;
  /** Ends the live grants that a client holds; returns how many. */
  endGrantsOfClient(holder: GrantHolder, at: Date): Promise<number>;
  /** Live grants put together by who holds them, ordered by application, client, flow and person, those after `after`. */
  listHolders(query: {
    tenant_id: string | null;
    application_id?: string;
    person_id?: string;
    at: Date;
    after?: HolderKey;
    limit: number;
  }): Promise<readonly HeldGrants[]>;
  /** Grants that have not ended or expired at `at`, ordered by `grant_id` (oldest first), those after `after`. */
  listGrants(query: {
    tenant_id?: string | null;
    application_id?: string;
    person_id?: string;
    client_id?: string;
    at: Date;
    after?: Uuid;
    limit: number;
  }): Promise<readonly Grant[]>;
}

/** Who holds grants: a client, through an application, in one of the flows, by leave of a person where one is named. */
export type HolderKey = Pick<Grant, "application_id" | "client_id" | "flow" | "person_id">;

/**
 * Whose grants are meant. Without `application_id` those of all the owner's applications, without `flow` of both, without `person_id` of
 * everybody; with null of nobody in particular.
 */
export interface GrantHolder {
  /** Null = the operator's. */
  readonly tenant_id: string | null;
  readonly application_id?: string;
  readonly client_id: string;
  readonly flow?: Grant["flow"];
  readonly person_id?: string | null;
}

/** The live grants of one holder together. */
export interface HeldGrants extends HolderKey {
  /** How many there are. */
  readonly grants: number;
  /** What any of them allows, by name. */
  readonly scopes: readonly string[];
  /** Of the first. */
  readonly created_at: Date;
  /** Of the one used last, and of the one that lives longest. */
  readonly last_issued_at: Date;
  readonly refresh_expires_at: Date;
}

/** Ended grants whose access tokens may still be alive, for replicas to refuse them. Each method is one transaction. */
export interface EndedGrantFeed {
  /**
   * Grants that ended since `cursor` and whose `last_issued_at` lies after `issuedAfter`; null = all such grants. Never skips
   * one, also when transactions commit in another order than they began; may answer one twice. The cursor is opaque.
   */
  endedGrants(cursor: string | null, issuedAfter: Date): Promise<{ ended: readonly EndedGrant[]; cursor: string }>;
  /** Deletes at most `limit` grants that ended or expired and were last issued before `issuedBefore`. Returns how many. */
  reapGrants(cutoff: { at: Date; issuedBefore: Date }, limit: number): Promise<number>;
}

/** A grant that ended, and when its last access token was issued. */
export interface EndedGrant {
  readonly grant_id: string;
  readonly last_issued_at: Date;
}
