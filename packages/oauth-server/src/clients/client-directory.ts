import { networkOf } from "@org/http";
import type { Application } from "../ports/application-store.js";
import type { ClientStore, RegisteredClient } from "../ports/client-store.js";
import type { KnownApplications } from "./known-applications.js";
import type { MetadataDocuments } from "./metadata-document.js";
import type { ClientDirectory, OAuthClient } from "./oauth-client.js";

/** Where a directory finds clients. */
export interface DirectorySources {
  readonly applications: KnownApplications;
  readonly clients: Pick<ClientStore, "findClient" | "rehashClient">;
  /** Null = URLs of metadata documents are not client ids. */
  readonly documents: MetadataDocuments | null;
}

/**
 * A directory of all kinds of clients. It finds an application only while it is enabled and belongs to a tenant: the operator's
 * own have nothing that a person could allow.
 */
export function createClientDirectory({ applications, clients, documents }: DirectorySources): ClientDirectory {
  return {
    rehash: (clientId, hashes) => clients.rehashClient(clientId, hashes),
    async find(clientId, from) {
      if (clientId.startsWith("https://")) return documents === null ? null : documents.find(clientId, from);
      if (clientId.startsWith(REGISTERED_PREFIX)) {
        const client = await clients.findClient(clientId, networkOf(from.address));
        return client && registeredClient(client);
      }
      const application = applications.recent(clientId) ?? (await applications.load(clientId, from));
      if (!application?.enabled || !application.tenant_enabled || application.tenant_id === null) return null;
      return applicationClient(application);
    },
  };
}

/** Converts an application to an OAuth client. */
export function applicationClient(application: Application): OAuthClient {
  const { client_id, name, redirect_urls, dpop_bound_access_tokens } = application;
  return {
    client_id,
    kind: "application",
    client_name: name,
    client_uri: null,
    redirect_uris: redirect_urls,
    token_endpoint_auth_method: "client_secret_post",
    secret_hash: null,
    jwks: null,
    jwks_uri: null,
    dpop_bound_access_tokens,
  };
}

/** Prefix of the ids of clients that registered themselves. */
export const REGISTERED_PREFIX = "wcd_";

function registeredClient(client: RegisteredClient): OAuthClient {
  const { client_id, client_name, redirect_uris, token_endpoint_auth_method, secret_hash, jwks, jwks_uri } = client;
  const { client_uri, dpop_bound_access_tokens } = client.metadata;
  return {
    client_id,
    kind: "registered",
    client_name,
    client_uri: typeof client_uri === "string" ? client_uri : null,
    redirect_uris,
    token_endpoint_auth_method,
    secret_hash,
    jwks,
    jwks_uri,
    dpop_bound_access_tokens: dpop_bound_access_tokens === true,
  };
}
