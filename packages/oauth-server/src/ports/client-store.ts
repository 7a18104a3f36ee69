import type { Uuid } from "../uuid.js";

/** How a client proves at `/token` who it is (RFC 7591 §2, `token_endpoint_auth_method`). */
export type ClientAuthMethod = "none" | "client_secret_post" | "client_secret_basic" | "private_key_jwt";

/** An OAuth client that registered itself (RFC 7591). It belongs to no tenant and can do nothing by itself. */
export interface RegisteredClient {
  /** `wcd_` and random characters; unique. */
  readonly client_id: string;
  /** As the client calls itself; unverified. Null when it gave no name. */
  readonly client_name: string | null;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: ClientAuthMethod;
  /** `<key version>.<base64url HMAC-SHA-256>`; null without a secret. */
  readonly secret_hash: string | null;
  /** Public keys of `private_key_jwt`, inline or by address; at most one of the two. */
  readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] } | null;
  readonly jwks_uri: string | null;
  /** Other metadata as it was registered: `client_uri`, `scope`, `software_id` … */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  /** When it last took part in an authorization; its creation until then. */
  readonly last_used_at: Date;
}

/** Clients that registered themselves. Each method is one transaction. */
export interface ClientStore {
  /** Rejects when the id is taken. */
  registerClient(client: RegisteredClient): Promise<void>;
  findClient(clientId: string): Promise<RegisteredClient | null>;
  /** Replaces the hash of a client's secret by one under another key, unless it is another one meanwhile. */
  rehashClient(clientId: string, hashes: { readonly from: string; readonly to: string }): Promise<void>;
  /** Moves `last_used_at` forward; nothing happens when there is no such client. */
  markClientUsed(clientId: string, at: Date): Promise<void>;
  /**
   * Deletes at most `limit` clients without live grants at `at` that were last used before `usedBefore`, or never used and
   * created before `createdBefore`. Returns how many.
   */
  reapClients(cutoff: { at: Date; usedBefore: Date; createdBefore: Date }, limit: number): Promise<number>;
}

/** An initial access token (RFC 7591 §3): whoever shows it may register clients. */
export interface RegistrationToken {
  /** UUIDv7 */
  readonly token_id: Uuid;
  /** What it was made for, in the operator's words. */
  readonly name: string;
  /** `<key version>.<base64url HMAC-SHA-256>` */
  readonly token_hash: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Initial access tokens. Each method is one transaction. */
export interface RegistrationTokenStore {
  addRegistrationToken(token: RegistrationToken): Promise<void>;
  /** The one that has one of these hashes and has not expired at `at`; null when there is none. */
  findRegistrationToken(hashes: readonly string[], at: Date): Promise<RegistrationToken | null>;
  /** Those that have not expired at `at`, oldest first. */
  listRegistrationTokens(at: Date): Promise<readonly RegistrationToken[]>;
  /** False when there is none. */
  removeRegistrationToken(tokenId: Uuid): Promise<boolean>;
  /** Deletes at most `limit` that expired before `at`. Returns how many. */
  reapRegistrationTokens(at: Date, limit: number): Promise<number>;
}

/** Client assertions (RFC 7523) that were accepted, so that none is accepted twice. Each method is one transaction. */
export interface AssertionStore {
  /** Notes the `jti` of a client's assertion until it expires by itself; of calls that race exactly one is true, any later one false. */
  useAssertion(clientId: string, jti: string, expiresAt: Date): Promise<boolean>;
  /** Deletes at most `limit` that expired before `at`. Returns how many. */
  reapAssertions(at: Date, limit: number): Promise<number>;
}
