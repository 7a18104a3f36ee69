import type { Uuid } from "../uuid.js";
import type { Grant, NewGrant } from "./grant-store.js";

/** A person's approval of an authorization request, with the code made from it. */
export interface Approval {
  /** UUIDv7 of the authorization request: each request has one answer. */
  readonly request_id: Uuid;
  readonly decision: "approved";
  /** Keyed hash of the code, opaque to the store. */
  readonly code_hash: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  /** PKCE S256 challenge (RFC 7636 §4.2). */
  readonly code_challenge: string;
  /** The key that the code is bound to (RFC 9449 §10); null = none. */
  readonly dpop_jkt: string | null;
  readonly tenant_id: string;
  readonly application_id: string;
  readonly secret_id: string;
  /** The person who approved it; null when an application's secret was used. */
  readonly person: ApprovingPerson | null;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  /** The clients that its grant is limited to, those of them that there are; null = no limit. */
  readonly client_refs: readonly string[] | null;
  readonly answered_at: Date;
  /** Expiry of the code. */
  readonly expires_at: Date;
}

/** An approving person. Their session and role must still be valid when the answer is stored. */
export interface ApprovingPerson {
  readonly person_id: string;
  readonly session_id: string;
  readonly role: string;
}

/** A person's denial. It is stored so that another tab cannot turn it into an approval. */
export interface Denial extends Pick<Approval, "request_id" | "client_id" | "answered_at"> {
  readonly decision: "denied";
  /** Expiry of the request. */
  readonly expires_at: Date;
}

/** An attempt to exchange a code. */
export interface Redemption {
  readonly request_id: Uuid;
  readonly code_hash: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  /** Computed from the verifier that the client sent. */
  readonly code_challenge: string;
  /** The key that the client proved, to which the grant is bound; null = none. One that the code is bound to must be the same. */
  readonly dpop_jkt: string | null;
  /** If given, it must be a subset of the approved audience. */
  readonly audience?: readonly string[];
  /** Whether the client authenticated; stored with the grant. */
  readonly is_confidential: boolean;
  readonly at: Date;
  /** Ids and refresh token of the new grant. */
  readonly grant: Pick<NewGrant, "grant_id" | "refresh_token_hash" | "refresh_seconds">;
}

/** Why a redemption made no grant. `reused` has ended the grant of the first redemption; the others changed nothing. */
export type RedemptionRefusal =
  | "unknown"
  | "other_client"
  | "mismatch"
  | "reused"
  | "expired"
  | "audience"
  | "not_allowed";

export type RedemptionResult =
  | { readonly outcome: "redeemed"; readonly grant: Grant }
  | { readonly outcome: "refused"; readonly reason: RedemptionRefusal; readonly grant: Grant | null };

/** Answers to authorization requests, and the codes made from them. Each method is one transaction. */
export interface CodeStore {
  /**
   * Stores the first answer to a request. A later answer changes nothing and returns what the first was, and whether it is
   * settled. An approval is stored only while a grant for it could be issued, see `GrantStore.issueGrant`. For a person's
   * approval the person takes the place of the secret: if they have been removed or have a lesser role by then, the result is
   * `not_allowed`.
   */
  answerRequest(answer: Approval | Denial): Promise<RequestAnswer>;
  /**
   * Exchanges a code for its grant: of any number of concurrent calls exactly one is `redeemed`. Refusals are checked in the
   * order of {@link RedemptionRefusal}; `mismatch` is a different redirect_uri, challenge or key; `not_allowed` is also an
   * application that demands a key and proved none. A code redeemed before that comes
   * again with everything right is `reused`.
   */
  redeemCode(redemption: Redemption): Promise<RedemptionResult>;
  /** Deletes at most `limit` answers whose `expires_at` was before `expiredBefore`. Returns their number. */
  reapAnswers(expiredBefore: Date, limit: number): Promise<number>;
}

/**
 * How a request was answered, now or before. An approval is settled when its code was redeemed, or when a later approval
 * differs in its code_hash; then there is no code to return.
 */
export type RequestAnswer =
  | { readonly decision: "approved"; readonly first: boolean; readonly settled: boolean }
  | { readonly decision: "denied"; readonly first: boolean }
  | { readonly decision: "not_allowed" };

/** Validated credentials that a browser is remembered by (S1 §5.3). */
export interface RememberedCredentials {
  /** UUIDv7; the sealed credentials are bound to it. */
  readonly remembered_id: string;
  /** Keyed hash of the browser's cookie; they are bound to it as well. */
  readonly cookie_hash: string;
  readonly application_id: string;
  readonly secret_id: string;
  /** client_id and client_secret as a JWE. */
  readonly sealed_credentials: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Remembered credentials of browsers. A row is deleted with its secret, whatever removes that. Each method is one transaction. */
export interface RememberedCredentialsStore {
  /** False when the secret is no longer valid. */
  rememberCredentials(remembered: RememberedCredentials): Promise<boolean>;
  /** Null when there is none, or it has expired by `at`. */
  findRemembered(cookieHash: string, at: Date, network?: string): Promise<RememberedCredentials | null>;
  forgetRemembered(cookieHash: string, network?: string): Promise<void>;
  /** Deletes at most `limit` that expired before `at`. Returns their number. */
  reapRemembered(at: Date, limit: number): Promise<number>;
}
