import type { Uuid } from "../uuid.js";

/** How a client authenticates at `/token` (RFC 7591 §2, `token_endpoint_auth_method`). */
export type ClientAuthMethod = "none" | "client_secret_post" | "client_secret_basic" | "private_key_jwt";

/** An OAuth client that registered itself (RFC 7591). It belongs to no tenant and has no access of its own. */
export interface RegisteredClient {
  /** `wcd_` and random characters; unique. */
  readonly client_id: string;
  /** The name it gives itself, unverified. Null when it gave none. */
  readonly client_name: string | null;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: ClientAuthMethod;
  /** `<key version>.<base64url HMAC-SHA-256>`; null without a secret. */
  readonly secret_hash: string | null;
  /** Public keys of `private_key_jwt`, inline or by URL; at most one of the two. */
  readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] } | null;
  readonly jwks_uri: string | null;
  /** Other metadata as registered: `client_uri`, `scope`, `software_id` … */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  /** When it last took part in an authorization; its creation time until then. */
  readonly last_used_at: Date;
}

/** Clients that registered themselves. Each method is one transaction. */
export interface ClientStore {
  /** Rejects when the id is taken. */
  registerClient(client: RegisteredClient, network?: string): Promise<void>;
  findClient(clientId: string, network?: string): Promise<RegisteredClient | null>;
  /** Replaces the hash of a client's secret with one under another key, unless it has changed in the meantime. */
  rehashClient(clientId: string, hashes: { readonly from: string; readonly to: string }): Promise<void>;
  /** Moves `last_used_at` forward; does nothing when there is no such client. */
  markClientUsed(clientId: string, at: Date): Promise<void>;
  /**
   * Deletes at most `limit` clients that have no live grants at `at` and were last used before `usedBefore`, or were never used
   * and were created before `createdBefore`. Returns their number.
   */
  reapClients(cutoff: { at: Date; usedBefore: Date; createdBefore: Date }, limit: number): Promise<number>;
}

/** An initial access token (RFC 7591 §3): its bearer may register clients. */
export interface RegistrationToken {
  /** UUIDv7 */
  readonly token_id: Uuid;
  /** The purpose, in the operator's words. */
  readonly name: string;
  /** `<key version>.<base64url HMAC-SHA-256>` */
  readonly token_hash: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Initial access tokens. Each method is one transaction. */
export interface RegistrationTokenStore {
  addRegistrationToken(token: RegistrationToken): Promise<void>;
  /** The token that has one of these hashes and has not expired at `at`; null when there is none. */
  findRegistrationToken(hashes: readonly string[], at: Date, network?: string): Promise<RegistrationToken | null>;
  /** Tokens that have not expired at `at`, oldest first. */
  listRegistrationTokens(at: Date): Promise<readonly RegistrationToken[]>;
  /** False when there is none. */
  removeRegistrationToken(tokenId: Uuid): Promise<boolean>;
  /** Deletes at most `limit` that expired before `at`. Returns their number. */
  reapRegistrationTokens(at: Date, limit: number): Promise<number>;
}

/** Accepted client assertions (RFC 7523), so that none is accepted twice. Each method is one transaction. */
export interface AssertionStore {
  /**
   * Stores the `jti` of a client's assertion until it expires. Of concurrent calls exactly one returns true; any later one
   * returns false.
   */
  useAssertion(clientId: string, jti: string, expiresAt: Date): Promise<boolean>;
  /** Deletes at most `limit` that expired before `at`. Returns their number. */
  reapAssertions(at: Date, limit: number): Promise<number>;
}
