import { networkOf } from "@org/http";
import type { Application, ApplicationStore, SecretStore } from "../ports/application-store.js";
import type { Uuid } from "../uuid.js";
import { createLazyLru } from "./lazy-lru.js";
import type { LookupCaller } from "./oauth-client.js";

/**
 * Recently read applications. The store checks again in the transaction that issues tokens what must hold then (enabled, secret
 * valid); this cache saves the read before it.
 */
export interface KnownApplications {
  /** The application if it was read within the last seconds. */
  recent(clientId: string): Application | null;
  /** Reads the application now. @param from who sent the id, unless it is certain that there is such an application */
  load(clientId: string, from?: Pick<LookupCaller, "address">): Promise<Application | null>;
  forget(clientId: string): void;
  /** See `SecretStore.rehashSecret`. */
  rehash(clientId: string, secretId: Uuid, hashes: { readonly from: string; readonly to: string }): Promise<void>;
}

/** Creates a bounded cache of applications. */
export function createKnownApplications(
  store: ApplicationStore & Pick<SecretStore, "rehashSecret">,
  clock: () => Date,
): KnownApplications {
  const known = createLazyLru<{ application: Application; readAt: number }>({ max: 10_000 });
  return {
    recent(clientId) {
      const entry = known.get(clientId);
      // A clock that was set back must not make old entries look fresh.
      const isRecent = entry && Math.abs(clock().getTime() - entry.readAt) < MAX_AGE_SECONDS * 1000;
      return isRecent ? entry.application : null;
    },
    async load(clientId, from) {
      const readAt = clock().getTime();
      const application = await store.findByClientId(clientId, from && networkOf(from.address));
      if (application) known.set(clientId, { application, readAt });
      else known.delete(clientId);
      return application;
    },
    forget: (clientId) => void known.delete(clientId),
    async rehash(clientId, secretId, hashes) {
      await store.rehashSecret(secretId, hashes);
      known.delete(clientId);
    },
  };
}

const MAX_AGE_SECONDS = 2;
