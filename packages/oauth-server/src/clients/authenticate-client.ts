import type { KeyedHash } from "../keyed-hash.js";
import { type Application, type ApplicationSecret, MAX_LIVE_SECRETS } from "../ports/application-store.js";
import { invalidClient } from "./client-credentials.js";
import type { KnownApplications } from "./known-applications.js";
import type { GuessLimits } from "./limits.js";

/** An application that proved to know one of its secrets. */
export interface AuthenticatedClient {
  readonly application: Application;
  readonly secret_id: string;
}

/** What authentication needs. */
export interface ClientAuthentication {
  readonly applications: KnownApplications;
  readonly guessLimits: GuessLimits;
  readonly hash: KeyedHash;
}

/**
 * Checks a client's secret. Throws `invalid_client` after counting a failure, `temporarily_unavailable` when there were too
 * many; a right secret gets in all the same. An unknown client costs the same reads, writes and hashes as a wrong secret.
 */
export async function authenticateClient(
  { applications, guessLimits, hash }: ClientAuthentication,
  { client_id, client_secret }: { client_id: string; client_secret: string },
  from: { address: string | null; at: Date },
): Promise<AuthenticatedClient> {
  const recent = applications.recent(client_id);
  const remembered = matchingSecret(hash, recent, client_secret);
  if (recent && remembered && isUsable(recent) && hash.isCurrent(remembered.secret_hash))
    return { application: recent, secret_id: remembered.secret_id };

  // Read again before refusing: a secret may have been rolled on another replica a moment ago.
  const application = await applications.load(client_id);
  const secret = matchingSecret(hash, application, client_secret);
  if (application && secret && isUsable(application)) {
    // Made under a key that was replaced: now that the secret is here, it can be hashed under the new one.
    if (!hash.isCurrent(secret.secret_hash)) {
      const to = hash.hash(secretPurpose(application.application_id), client_secret);
      await applications.rehash(client_id, secret.secret_id, { from: secret.secret_hash, to });
    }
    return { application, secret_id: secret.secret_id };
  }
  // Knowing the secret of a disabled application is no guess, and is refused like one.
  if (secret) await guessLimits.requireFree(client_id, from);
  else await guessLimits.countFailure(client_id, from);
  throw invalidClient();
}

/** Purpose of the hashes of an application's secrets: a hash that is moved to another application matches nothing there. */
export function secretPurpose(applicationId: string): string {
  return `client-secret ${applicationId}`;
}

function isUsable(application: Application): boolean {
  return application.enabled && application.tenant_enabled;
}

/** Compares with as many hashes as an application can have, whatever it has, so that the time tells nothing. */
function matchingSecret(hash: KeyedHash, application: Application | null, presented: string): ApplicationSecret | null {
  const purpose = secretPurpose(application?.application_id ?? NOBODY);
  let matching: ApplicationSecret | null = null;
  for (let index = 0; index < MAX_LIVE_SECRETS; index++) {
    const secret = application?.secrets[index];
    const matches = hash.matches(purpose, presented, secret?.secret_hash ?? `${hash.activeVersion}.${DECOY}`);
    if (secret && matches) matching = secret;
  }
  return matching;
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
const DECOY = "A".repeat(43);
