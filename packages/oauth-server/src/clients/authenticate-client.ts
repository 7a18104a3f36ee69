import type { KeyedHash } from "../keyed-hash.js";
import { type Application, type ApplicationSecret, MAX_LIVE_SECRETS } from "../ports/application-store.js";
import { invalidClient } from "./client-credentials.js";
import type { KnownApplications } from "./known-applications.js";
import type { GuessLimits } from "./limits.js";

/** An application that proved that it knows one of its secrets. */
export interface AuthenticatedClient {
  readonly application: Application;
  readonly secret_id: string;
}

/** Dependencies of the authentication. */
export interface ClientAuthentication {
  readonly applications: KnownApplications;
  readonly guessLimits: GuessLimits;
  readonly hash: KeyedHash;
}

/**
 * Checks a client's secret. Throws `invalid_client` after counting a failure, or `temporarily_unavailable` after too many; a
 * correct secret is accepted even then. An unknown client costs the same reads, writes and hashes as a wrong secret.
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

  // Read again before refusing: another replica may have rolled a secret a moment ago.
  const application = await applications.load(client_id, from);
  const secret = matchingSecret(hash, application, client_secret);
  if (application && secret && isUsable(application)) {
    // The hash was made with a replaced key; the plain secret is known now, so hash it with the current one.
    if (!hash.isCurrent(secret.secret_hash)) {
      const to = hash.hash(secretPurpose(application.application_id), client_secret);
      await applications.rehash(client_id, secret.secret_id, { from: secret.secret_hash, to });
    }
    return { application, secret_id: secret.secret_id };
  }
  // Knowing the secret of a disabled application is not a guess, but is refused like one.
  if (secret) await guessLimits.requireFree(client_id, from);
  else await guessLimits.countFailure(client_id, from);
  throw invalidClient();
}

/** Purpose of the hashes of an application's secrets: a hash copied to another application matches nothing there. */
export function secretPurpose(applicationId: string): string {
  return `client-secret ${applicationId}`;
}

function isUsable(application: Application): boolean {
  return application.enabled && application.tenant_enabled;
}

/** Always compares with the maximum number of hashes, so that timing reveals nothing. */
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
