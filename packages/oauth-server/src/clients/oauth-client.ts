import type { ClientAuthMethod, RegisteredClient } from "../ports/client-store.js";

/** An OAuth client, wherever it is known from. */
export interface OAuthClient {
  /** `wca_…` of an application, `wcd_…` of a registered client, or the URL of a metadata document. */
  readonly client_id: string;
  /** application: the operator made it. registered: it registered itself (RFC 7591). metadata_document: its id is the address of its metadata. */
  readonly kind: "application" | "registered" | "metadata_document";
  /** As the client calls itself, unverified unless it is an application; null when it has no name. */
  readonly client_name: string | null;
  /** Its home page, unverified. */
  readonly client_uri: string | null;
  readonly redirect_uris: readonly string[];
  /** How it authenticates; an application with a secret, in either of the two ways. */
  readonly token_endpoint_auth_method: ClientAuthMethod;
  /** Hash of a registered client's secret. */
  readonly secret_hash: string | null;
  readonly jwks: RegisteredClient["jwks"];
  readonly jwks_uri: string | null;
}

/** On whose behalf something is looked up. */
export interface LookupCaller {
  /** Address that the request came from; null when there is none. */
  readonly address: string | null;
  readonly at: Date;
}

/** Finds clients by their ids. */
export interface ClientDirectory {
  /** See `ClientStore.rehashClient`. */
  rehash(clientId: string, hashes: { readonly from: string; readonly to: string }): Promise<void>;
  /**
   * Null when there is no such client. Throws `invalid_client_metadata` when the id is the address of a metadata document that
   * cannot be used, with a message that may be shown, and `temporarily_unavailable` when too many documents are asked for.
   */
  find(clientId: string, from: LookupCaller): Promise<OAuthClient | null>;
}
