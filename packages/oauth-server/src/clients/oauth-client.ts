import type { ClientAuthMethod, RegisteredClient } from "../ports/client-store.js";

/** An OAuth client of any kind. */
export interface OAuthClient {
  /** `wca_…` of an application, `wcd_…` of a registered client, or the URL of a metadata document. */
  readonly client_id: string;
  /**
   * application: created by an operator. registered: registered itself (RFC 7591). metadata_document: its id is the URL of its
   * metadata.
   */
  readonly kind: "application" | "registered" | "metadata_document";
  /** The name it gives itself, unverified unless it is an application; null when it has none. */
  readonly client_name: string | null;
  /** Its home page, unverified. */
  readonly client_uri: string | null;
  readonly redirect_uris: readonly string[];
  /** Its authentication method. An application may send its secret in the header as well as in the form. */
  readonly token_endpoint_auth_method: ClientAuthMethod;
  /** Hash of a registered client's secret. */
  readonly secret_hash: string | null;
  readonly jwks: RegisteredClient["jwks"];
  readonly jwks_uri: string | null;
  /** Whether it demands access tokens that are bound to its key (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens: boolean;
}

/** On whose behalf a client is looked up. */
export interface LookupCaller {
  /** Address of the request; null when there is none. */
  readonly address: string | null;
  readonly at: Date;
}

/** Finds clients by their ids. */
export interface ClientDirectory {
  /** See `ClientStore.rehashClient`. */
  rehash(clientId: string, hashes: { readonly from: string; readonly to: string }): Promise<void>;
  /**
   * Null when there is no such client. Throws `invalid_client_metadata`, with a message that may be shown, when the id is the
   * URL of a metadata document that cannot be used. Throws `temporarily_unavailable` when too many documents are requested.
   */
  find(clientId: string, from: LookupCaller): Promise<OAuthClient | null>;
}
