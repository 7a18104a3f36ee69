import type { Uuid } from "../uuid.js";
import type { Application } from "./application-store.js";

/** What an application allowed a client to do, with its one valid refresh token. */
export interface Grant {
  /** UUIDv7, the `gid` of its access tokens. */
  readonly grant_id: Uuid;
  readonly tenant_id: string | null;
  readonly application_id: string;
  /** The OAuth client that holds the tokens; in the machine flow the application's own `client_id`, otherwise possibly another's. */
  readonly client_id: string;
  /**
   * The secret it was obtained with; removing that secret ends the grant. For an asserted grant it is the trust in the issuer,
   * for a person's grant the person.
   */
  readonly secret_id: string;
  /** The person who approved it; their removal, or a lesser role, ends it. Null when a secret or an assertion was used. */
  readonly person_id: string | null;
  /**
   * asserted: a trusted identity provider vouched for a person. Such a grant has no refresh token and lives as long as its
   * access token.
   */
  readonly flow: "machine" | "browser" | "asserted";
  /**
   * Whether its client authenticated when it redeemed the code, and therefore must authenticate for every use of the refresh
   * token (RFC 6749 §6, RFC 9700 §4.14.2). Always false in the machine flow, whose refresh needs only the token (S1 §5.7).
   */
  readonly is_confidential: boolean;
  /** Whether it is limited to some clients of its tenant, which the person chose who approved it. Its access tokens say so. */
  readonly is_limited: boolean;
  /**
   * Thumbprint of the key that its client proved, null = none. From then on every refresh must prove a key, and this one unless the client
   * authenticates (RFC 9449 §5).
   */
  readonly dpop_jkt: string | null;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly created_at: Date;
  /** Lifetime of each refresh token from its issue: every rotation extends `refresh_expires_at`. */
  readonly refresh_seconds: number;
  readonly refresh_expires_at: Date;
  /** When tokens were last issued; its access tokens expire one access-token lifetime later. */
  readonly last_issued_at: Date;
  readonly ended_at: Date | null;
}

/** A grant to be issued. `refresh_expires_at` = `created_at` + `refresh_seconds`, `last_issued_at` = `created_at`. */
export type NewGrant = Omit<
  Grant,
  "is_confidential" | "is_limited" | "person_id" | "refresh_expires_at" | "last_issued_at" | "ended_at" | "dpop_jkt"
> & {
  /** Null if omitted. */
  readonly dpop_jkt?: string | null;
  /** Keyed hash of the first refresh token, opaque to the store like all hashes here. */
  readonly refresh_token_hash: string;
};

/** A grant for an identity provider's assertion: `secret_id` is the `trust_id`, `refresh_seconds` the lifetime of its access token. */
export type AssertedGrant = Omit<NewGrant, "flow" | "refresh_token_hash"> & {
  /** The assertion, which is used up together with the grant or not at all. */
  readonly assertion: { readonly issuer: string; readonly jti: string; readonly usable_until: Date };
};

/** A request to exchange the valid refresh token of a grant for its successor. */
export interface Rotation {
  readonly grant_id: Uuid;
  readonly token_hash: string;
  readonly next_token_hash: string;
  readonly at: Date;
  /** Whether the client authenticated. A confidential grant requires it; a browser grant becomes confidential by it. */
  readonly is_authenticated: boolean;
  /** Each, if given, must match: the grant's client, a subset of its scopes, a subset of its audience. */
  readonly client_id?: string;
  readonly scopes?: readonly string[];
  readonly audience?: readonly string[];
  /** The key that the client proved. A grant without a key gets it. */
  readonly dpop_jkt?: string;
  /** Stored with the grant: the answer if the exchanged token is sent again before `until`. */
  readonly replay?: { readonly response: string; readonly until: Date };
}

/** Why a rotation changed nothing; only `reused` has ended the grant. */
export type RotationRefusal =
  | "unknown"
  | "other_client"
  | "unauthenticated"
  | "no_proof"
  | "other_key"
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
   * Stores a grant if its application and tenant are enabled, its secret is valid, and its client, if that is another
   * application, and the client's tenant are enabled; an application that demands a key must have proved one. A grant that races with disabling one of them, or with removing its
   * secret or tenant, is refused or ended, never left alive. With `atMost` a tenant with that many live grants gets `full`,
   * even under concurrency.
   */
  issueGrant(grant: NewGrant, atMost?: number): Promise<"issued" | "not_allowed" | "full">;
  /**
   * The same for an assertion. Instead of the secret, the trust must be in force, for this tenant or the whole installation,
   * and the assertion must not have been used, otherwise `replayed`. The store marks a self-registered client as used.
   */
  issueAssertedGrant(grant: AssertedGrant, atMost?: number): Promise<"issued" | "not_allowed" | "replayed" | "full">;
  /** The number of a tenant's live grants at a time. */
  countLive(tenantId: string, at: Date): Promise<number>;
  findGrant(grantId: Uuid): Promise<Grant | null>;
  /** The clients that a grant is limited to at this moment; null = no limit. None for an unknown one. */
  clientRefsOf(grantId: string): Promise<readonly string[] | null>;
  /**
   * Makes `next_token_hash` the valid token if `token_hash` is the valid one now: of concurrent calls with one token exactly
   * one is `rotated`. Refusals are checked in the order of {@link RotationRefusal}. Any other hash belongs to a consumed token
   * (the caller has checked that it was issued for this grant). If it was consumed last and its replay is still valid, the
   * stored response is `replayed`; otherwise it is `reused` and the grant ends.
   */
  rotateRefreshToken(rotation: Rotation): Promise<RotationResult>;
  /** Ends a grant. False when there is no such grant, or it has ended. With `tenantId` only a grant of that tenant. */
  endGrant(grantId: Uuid, at: Date, tenantId?: string | null): Promise<boolean>;
  /** Ends the live grants that a client holds; returns their number. */
  endGrantsOfClient(holder: GrantHolder, at: Date): Promise<number>;
  /** Live grants grouped by their holder, ordered by application, client, flow and person, starting behind `after`. */
  listHolders(query: {
    tenant_id: string | null;
    application_id?: string;
    person_id?: string;
    at: Date;
    after?: HolderKey;
    limit: number;
  }): Promise<readonly HeldGrants[]>;
  /** Grants that have not ended or expired at `at`, ordered by `grant_id` (oldest first unless told otherwise), starting behind `after`. */
  listGrants(query: {
    order?: "newest" | "oldest";
    tenant_id?: string | null;
    application_id?: string;
    person_id?: string;
    client_id?: string;
    at: Date;
    after?: Uuid;
    limit: number;
  }): Promise<readonly (Grant & ClientLimit)[]>;
}

/** What grants are limited to. */
export interface ClientLimit {
  /** The clients, by their references; null = no limit, none = nothing. Of several grants those of all, and null if one has no limit. */
  readonly client_refs: readonly string[] | null;
}

/** The holder of grants: a client, through an application, in one of the flows, approved by the named person if any. */
export type HolderKey = Pick<Grant, "application_id" | "client_id" | "flow" | "person_id">;

/**
 * Selects grants. Without `application_id` it means all the owner's applications, without `flow` all flows, without `person_id`
 * grants of every person and of none; a null `person_id` means grants that no person approved.
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
export interface HeldGrants extends HolderKey, ClientLimit {
  /** Number of grants. */
  readonly grants: number;
  /** The scopes of all of them, sorted by name. */
  readonly scopes: readonly string[];
  /** When the first was created. */
  readonly created_at: Date;
  /** The latest of all of them. */
  readonly last_issued_at: Date;
  readonly refresh_expires_at: Date;
}

/** An application that is limited to some clients. */
export type LimitedApplication = Pick<Application, "application_id" | "client_id">;

/** Ended grants whose access tokens may still be valid, so that replicas refuse them. Each method is one transaction. */
export interface EndedGrantFeed {
  /** Another number when this process may have ended grants or limited applications since; other processes do not count. */
  endings(): number;
  /**
   * Grants that ended since `cursor` and whose `last_issued_at` is after `issuedAfter`; null = all such grants. It never skips
   * one, even when transactions commit in another order than they began; it may return one twice. The cursor is opaque.
   * `limited` are all applications that are limited to some clients.
   */
  endedGrants(
    cursor: string | null,
    issuedAfter: Date,
  ): Promise<{ ended: readonly EndedGrant[]; limited: readonly LimitedApplication[]; cursor: string }>;
  /** Deletes at most `limit` grants that ended or expired and were last issued before `issuedBefore`. Returns their number. */
  reapGrants(cutoff: { at: Date; issuedBefore: Date }, limit: number): Promise<number>;
}

/** A grant that ended, and when its last access token was issued. */
export interface EndedGrant {
  readonly grant_id: string;
  readonly last_issued_at: Date;
}
