import { networkOf } from "@org/http";
import type { AuthenticatedClient, ClientAuthentication } from "../clients/authenticate-client.js";
import type { LookupCaller } from "../clients/oauth-client.js";
import type { KeyVault } from "../keys/generate-signing-key.js";
import type { Application } from "../ports/application-store.js";
import type { RememberedCredentials, RememberedCredentialsStore } from "../ports/authorization-store.js";
import { type RandomBytes, uuidV7 } from "../uuid.js";
import type { Login } from "./login.js";

/** Validated credentials that browsers are remembered by, for 30 days (S1 §5.3, §8). */
export interface RememberedLogins {
  /** Stores a browser's credentials and returns the value of its cookie. Null when the secret has been removed in the meantime. */
  remember(client: AuthenticatedClient, clientSecret: string, at: Date): Promise<string | null>;
  /** The login behind a cookie; null when there is none, or when its application or secret is no longer valid. */
  find(cookie: string | undefined, from: LookupCaller): Promise<Login | null>;
  forget(cookie: string | undefined, from: LookupCaller): Promise<void>;
}

/** Name of the cookie. */
export const REMEMBERED_COOKIE = "wc-remembered";
export const REMEMBERED_SECONDS = 30 * 24 * 3600;

/**
 * Logins in a store. The store holds a hash of the cookie, and the credentials sealed each under a fresh key and bound to their
 * row and cookie (S1 §5.2): neither can be used without the server's keys, and the cookie alone reveals nothing.
 */
export function createRememberedLogins(deps: {
  store: RememberedCredentialsStore;
  vault: KeyVault;
  random: RandomBytes;
  applications: ClientAuthentication["applications"];
  hash: ClientAuthentication["hash"];
}): RememberedLogins {
  const { store, vault, random, applications, hash } = deps;
  const hashOf = (cookie: string) => hash.hash(PURPOSE, cookie);
  // A cookie outlives a key rotation: its row is stored under the hash of the old key.
  const hashesOf = (cookie: string) => hash.candidates(PURPOSE, cookie);
  const findRow = async (cookie: string, { address, at }: LookupCaller): Promise<RememberedCredentials | null> => {
    for (const cookieHash of hashesOf(cookie)) {
      const row = await store.findRemembered(cookieHash, at, networkOf(address));
      if (row) return row;
    }
    return null;
  };
  // Includes the cookie's hash: write access to rows must not let anyone use another's credentials with their own cookie.
  const contextOf = ({ remembered_id, cookie_hash }: Pick<RememberedCredentials, "remembered_id" | "cookie_hash">) => ({
    purpose: PURPOSE,
    row: `${remembered_id} ${cookie_hash}`,
  });

  return {
    async remember({ application, secret_id }, clientSecret, at) {
      const { application_id, client_id } = application;
      const cookie = newBrowserSecret(random);
      const ids = { remembered_id: uuidV7(at, random), cookie_hash: hashOf(cookie) };
      const credentials = JSON.stringify({ client_id, client_secret: clientSecret });
      const kept = await store.rememberCredentials({
        ...ids,
        application_id,
        secret_id,
        sealed_credentials: await vault.seal(credentials, contextOf(ids)),
        created_at: at,
        expires_at: new Date(at.getTime() + REMEMBERED_SECONDS * 1000),
      });
      return kept ? cookie : null;
    },
    async find(cookie, from) {
      const row = cookie === undefined ? null : await findRow(cookie, from);
      if (!row) return null;
      // A value that cannot be opened because its key was removed counts as missing: the person signs in again.
      const opened = await vault.open(row.sealed_credentials, contextOf(row)).catch(() => null);
      if (opened === null) return null;
      const { client_id } = JSON.parse(opened) as { client_id: string };
      const application = await applications.load(client_id);
      const secret = application?.secrets.find(({ secret_id }) => secret_id === row.secret_id);
      if (!application || !secret || !belongsToTenant(application)) return null;
      if (!application.enabled || !application.tenant_enabled) return null;
      return { application, secret_id: row.secret_id, scopes: application.scopes, person: null };
    },
    async forget(cookie, { address }) {
      for (const cookieHash of cookie === undefined ? [] : hashesOf(cookie))
        await store.forgetRemembered(cookieHash, networkOf(address));
    },
  };
}

const PURPOSE = "remembered-credentials";

/** Whether an application may sign in: the operator's own have no tenant, and nothing to allow. */
export function belongsToTenant(application: Application): application is Login["application"] {
  return application.tenant_id !== null;
}

/** Format of cookie values: `wcb_` and 256 bits in base64url. */
export const BROWSER_SECRET = /^wcb_[A-Za-z0-9_-]{43}$/;

/** Generates a cookie value. */
export function newBrowserSecret(random: RandomBytes): string {
  return `wcb_${Buffer.from(random(32)).toString("base64url")}`;
}

/** A client_id as step 2 shows it: enough to recognize one's own, too little to copy. */
export function maskClientId(clientId: string): string {
  return `${clientId.slice(0, 4)}••••••••${clientId.slice(-4)}`;
}
