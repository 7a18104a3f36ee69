import type { KeyedHash } from "../keyed-hash.js";
import { OAuthError } from "../oauth-error.js";
import { type AuthenticatedClient, authenticateClient, type ClientAuthentication } from "./authenticate-client.js";
import type { ClientAssertions } from "./client-assertion.js";
import { type ClientCredentials, invalidClient } from "./client-credentials.js";
import { applicationClient, REGISTERED_PREFIX } from "./client-directory.js";
import type { ClientDirectory, LookupCaller, OAuthClient } from "./oauth-client.js";

/** Dependencies of the authentication of any client. */
export interface OAuthClientAuthentication extends ClientAuthentication {
  readonly directory: ClientDirectory;
  readonly assertions: ClientAssertions;
}

/** A client that authenticated with its method. */
export interface OAuthClientProof {
  readonly client: OAuthClient;
  /** Whether it proved its identity, which a public client cannot. */
  readonly is_authenticated: boolean;
  /** Set when the client is an application. */
  readonly application: AuthenticatedClient | null;
}

/**
 * Checks what a client presents against its one authentication method (RFC 6749 §2.3, RFC 7591 §2): a secret in the header or
 * the form, an assertion, or nothing. Throws `invalid_client` after counting the failure, and `temporarily_unavailable` after
 * too many. An unknown client costs the same work as a wrong secret.
 */
export async function authenticateOAuthClient(
  services: OAuthClientAuthentication,
  presented: ClientCredentials,
  from: { address: string | null; at: Date },
): Promise<OAuthClientProof> {
  const { client_id, client_secret, client_assertion } = presented;
  if (client_id === undefined) throw await countedRefusal(services, from);
  const isRegistered = client_id.startsWith(REGISTERED_PREFIX);
  if (!isRegistered && !client_id.startsWith("https://")) {
    if (client_secret === undefined) throw await countedRefusal(services, from);
    const application = await authenticateClient(services, { client_id, client_secret }, from);
    return { client: applicationClient(application.application), is_authenticated: true, application };
  }

  const client = await findClient(services.directory, client_id, from);
  if (client_secret !== undefined) return authenticateBySecret(services, client, { client_id, client_secret }, from);
  const method = client?.token_endpoint_auth_method;
  const isProven =
    client_assertion === undefined
      ? method === "none"
      : client && method === "private_key_jwt" && (await services.assertions.accept(client, client_assertion, from));
  if (!client || !isProven) throw await countedRefusal(services, from);
  return { client, is_authenticated: client_assertion !== undefined, application: null };
}

/** @throws OAuthError `temporarily_unavailable` after too many failures from the network */
async function countedRefusal(
  { guessLimits }: OAuthClientAuthentication,
  from: { address: string | null; at: Date },
): Promise<OAuthError> {
  await guessLimits.countFailure(null, from);
  return invalidClient();
}

/** Purpose of the hashes of registered clients' secrets. */
export const REGISTERED_SECRET_PURPOSE = "registered-client-secret";

async function authenticateBySecret(
  { guessLimits, hash, directory }: OAuthClientAuthentication,
  client: OAuthClient | null,
  { client_id, client_secret }: { client_id: string; client_secret: string },
  from: { address: string | null; at: Date },
): Promise<OAuthClientProof> {
  const matches = hash.matches(REGISTERED_SECRET_PURPOSE, client_secret, client?.secret_hash ?? decoy(hash));
  if (client?.secret_hash && matches && !hash.isCurrent(client.secret_hash)) {
    const to = hash.hash(REGISTERED_SECRET_PURPOSE, client_secret);
    await directory.rehash(client_id, { from: client.secret_hash, to });
  }
  if (client?.secret_hash && matches) return { client, is_authenticated: true, application: null };
  await guessLimits.countFailure(client_id, from);
  throw invalidClient();
}

/** Faults of a metadata document are no secret, and the only hint its developer gets. */
async function findClient(
  directory: ClientDirectory,
  clientId: string,
  from: LookupCaller,
): Promise<OAuthClient | null> {
  try {
    return await directory.find(clientId, from);
  } catch (error) {
    if (error instanceof OAuthError && error.code === "invalid_client_metadata")
      throw new OAuthError("invalid_client", error.message, { cause: error });
    throw error;
  }
}

function decoy({ activeVersion }: KeyedHash): string {
  return `${activeVersion}.${"A".repeat(43)}`;
}
