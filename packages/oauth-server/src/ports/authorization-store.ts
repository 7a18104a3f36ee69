import type { Uuid } from "../uuid.js";
import type { Grant, NewGrant } from "./grant-store.js";

/** A person's Yes to an authorization request, with the code made from it. */
export interface Approval {
  /** UUIDv7 of the authorization request: one request, one answer. */
  readonly request_id: Uuid;
  readonly decision: "approved";
  /** Keyed hash of the code; opaque to the store. */
  readonly code_hash: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  /** PKCE S256 challenge (RFC 7636 §4.2). */
  readonly code_challenge: string;
  readonly tenant_id: string;
  readonly application_id: string;
  readonly secret_id: string;
  /** Who approved it with a sign-in of their own; null when the secret stands for the approval. */
  readonly person: ApprovingPerson | null;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly answered_at: Date;
  /** End of the code. */
  readonly expires_at: Date;
}

/** A person as they approve: with a session and in a role that they still have to have when the answer is kept. */
export interface ApprovingPerson {
  readonly person_id: string;
  readonly session_id: string;
  readonly role: string;
}

/** A person's No. Kept so that the other tab cannot turn it into a Yes. */
export interface Denial extends Pick<Approval, "request_id" | "client_id" | "answered_at"> {
  readonly decision: "denied";
  /** End of the request. */
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
  /** Where given, must be a subset of what was approved. */
  readonly audience?: readonly string[];
  /** Whether the client authenticated; kept with the grant. */
  readonly is_confidential: boolean;
  readonly at: Date;
  /** Ids and refresh token of the grant that is to be made. */
  readonly grant: Pick<NewGrant, "grant_id" | "refresh_token_hash" | "refresh_seconds">;
}

/** Why a redemption made no grant; `reused` has ended the grant that the first one made, the others changed nothing. */
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
   * Keeps the first answer to a request. Any later one changes nothing and learns what the first was, and whether it is settled;
   * an approval is kept only while a grant of it could be issued, see `GrantStore.issueGrant`. Of a person's, the person takes the place of
   * the secret; once they are removed or have a lesser role, it is as if it had not been given.
   */
  answerRequest(answer: Approval | Denial): Promise<RequestAnswer>;
  /**
   * Makes the grant of a code: of any number of calls that race exactly one is `redeemed`. Refusals are looked for in the order
   * of {@link RedemptionRefusal}; `mismatch` is a redirect_uri or challenge that differs. A redeemed code that comes again with
   * everything right is `reused`.
   */
  redeemCode(redemption: Redemption): Promise<RedemptionResult>;
  /** Deletes at most `limit` answers whose `expires_at` was before `expiredBefore`. Returns how many. */
  reapAnswers(expiredBefore: Date, limit: number): Promise<number>;
}

/**
 * How a request was answered: now, or before. An approval is settled when its code was redeemed, and for a later approval that
 * is of something else, so that its code_hash differs: then there is no code to give for it.
 */
export type RequestAnswer =
  | { readonly decision: "approved"; readonly first: boolean; readonly settled: boolean }
  | { readonly decision: "denied"; readonly first: boolean }
  | { readonly decision: "not_allowed" };

/** Credentials that a browser has shown to be valid (S1 §5.3). */
export interface RememberedCredentials {
  /** UUIDv7; part of what the sealed credentials are bound to. */
  readonly remembered_id: string;
  /** Keyed hash of the browser's cookie; part of it too. */
  readonly cookie_hash: string;
  readonly application_id: string;
  readonly secret_id: string;
  /** client_id and client_secret as a JWE. */
  readonly sealed_credentials: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** What browsers remember. A row goes with its secret, whatever removes that. Each method is one transaction. */
export interface RememberedCredentialsStore {
  /** False when the secret is not live any more. */
  rememberCredentials(remembered: RememberedCredentials): Promise<boolean>;
  /** Null when there is none, or it has expired at `at`. */
  findRemembered(cookieHash: string, at: Date): Promise<RememberedCredentials | null>;
  forgetRemembered(cookieHash: string): Promise<void>;
  /** Deletes at most `limit` that expired before `at`. Returns how many. */
  reapRemembered(at: Date, limit: number): Promise<number>;
}
