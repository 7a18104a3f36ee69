import { OAuthError } from "../oauth-error.js";
import { type ClientMetadata, parseClientMetadata } from "./client-metadata.js";
import { createDocumentCache, type DocumentSource } from "./document-cache.js";
import { type FetchedDocument, fault } from "./fetch-document.js";
import type { LookupCaller, OAuthClient } from "./oauth-client.js";

/** Clients whose id is the URL of their metadata (draft-ietf-oauth-client-id-metadata-document-02). */
export interface MetadataDocuments {
  /**
   * The client that a document describes; null for a URL that cannot be a client id. Throws `invalid_client_metadata` when the
   * document cannot be used, `temporarily_unavailable` when a fetch limit is reached.
   */
  find(clientId: string, from: LookupCaller): Promise<OAuthClient | null>;
}

/** Reads metadata documents through a cache. */
export function createMetadataDocuments(source: DocumentSource): MetadataDocuments {
  const cache = createDocumentCache(source, clientOf);
  return {
    async find(clientId, from) {
      return isClientIdAddress(clientId) ? cache.get(clientId, from) : null;
    },
  };
}

/**
 * Whether a text can be the URL of a metadata document (§3 of the draft): https, with a path, without fragment, credentials or
 * dot segments, and in the form that URL parsers write, so that no two ids mean the same document.
 */
export function isClientIdAddress(text: string): boolean {
  if (text.length > MAX_LENGTH || text.includes("#") || !URL.canParse(text)) return false;
  const { protocol, username, password, href } = new URL(text);
  return protocol === "https:" && username === "" && password === "" && href === text;
}

function clientOf(content: FetchedDocument["content"], address: string): OAuthClient {
  if (content.client_id !== address) throw fault("its client_id is not its address");
  // Anyone can read the document, so it cannot contain a secret (§4.1 of the draft).
  if ("client_secret" in content || "client_secret_expires_at" in content)
    throw fault("it must not hold a client_secret");
  const metadata = metadataOf(content);
  // MCP 2026-07-28 "Client registration" requires a name; `client_id` and `redirect_uris` are required anyway.
  if (metadata.client_name === undefined) throw fault("client_name: must be given");
  const { token_endpoint_auth_method } = metadata;
  if (token_endpoint_auth_method.startsWith("client_secret_"))
    throw fault("token_endpoint_auth_method must be none or private_key_jwt");
  return {
    client_id: address,
    kind: "metadata_document",
    client_name: metadata.client_name ?? null,
    client_uri: metadata.client_uri ?? null,
    redirect_uris: metadata.redirect_uris,
    token_endpoint_auth_method,
    secret_hash: null,
    jwks: metadata.jwks ?? null,
    jwks_uri: metadata.jwks_uri ?? null,
    dpop_bound_access_tokens: metadata.dpop_bound_access_tokens ?? false,
  };
}

function metadataOf(content: FetchedDocument["content"]): ClientMetadata {
  try {
    return parseClientMetadata(content, { defaultMethod: "none", allowsJwksUri: true });
  } catch (error) {
    throw error instanceof OAuthError ? fault(error.message, error) : error;
  }
}

const MAX_LENGTH = 2048;
