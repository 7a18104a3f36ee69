import type { NotifyRequest } from "@org/provider-kit";
import { notifiedHashes, REFRESH_PAUSE_MS } from "../connections/refresh-plan.js";
import type { ConnectionStorage } from "../connections/storage.js";
import type { Runtime } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import { retryWhileUnavailable, sleep } from "../retry.js";
import type { Uuid } from "../schemas/identifier.js";

/** Names of one notification that are looked up; the daily refresh finds what the others tell. */
const MAX_NAMES = 1_000;

/** What an institution sent, and to whom. */
export interface Notification extends NotifyRequest {
  /** Name of the provider. */
  readonly provider: string;
  /** Whose own settings it is verified with; null = the installation's. */
  readonly tenant_id: Uuid | null;
}

/**
 * What became of a notification: there is no such provider, or it takes none (`unknown`); it is not from the institution
 * (`unverified`); or it was believed, and so many connections were named.
 */
export type NotificationResult =
  | { readonly kind: "unknown" }
  | { readonly kind: "unverified" }
  | { readonly kind: "taken"; readonly connections: number };

/** Takes notifications of institutions: whoever they name is refreshed soon. */
export interface Notifications {
  /** @throws whatever the provider throws, `GuardError` among it: then the institution may send it again */
  take(notification: Notification): Promise<NotificationResult>;
}

export function createNotifications(deps: {
  storage: Pick<ConnectionStorage, "refreshQueue">;
  runtime: Pick<Runtime, "clock" | "mac">;
  /** Guarded: see `createProviderGuard`. */
  providers: Pick<ProviderDirectory, "for" | "ownOf" | "owners">;
}): Notifications {
  const { storage, runtime, providers } = deps;

  return {
    async take({ provider: name, tenant_id, ...request }) {
      const provider = tenant_id === null ? providers.for({ provider: name }, null) : providers.ownOf(name, tenant_id);
      if (!provider?.notify) return { kind: "unknown" };
      const notified = await provider.notify(request);
      if (notified.kind === "unverified") return { kind: "unverified" };
      const user_keys = (notified.user_keys ?? []).slice(0, MAX_NAMES);
      const references = (notified.references ?? []).slice(0, MAX_NAMES);
      const connections = await retryWhileUnavailable(sleep, () =>
        storage.refreshQueue.expedite({
          ...notifiedHashes(runtime.mac, name, { user_keys, references }),
          tenant_id,
          except_tenants: tenant_id === null ? providers.owners(name) : [],
          now: runtime.clock(),
          pause_ms: REFRESH_PAUSE_MS,
        }),
      );
      return { kind: "taken", connections };
    },
  };
}
