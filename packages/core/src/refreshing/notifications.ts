import type { NotifyRequest } from "@org/provider-kit";
import { notifiedHashes, REFRESH_PAUSE_MS } from "../connections/refresh-plan.js";
import type { ConnectionStorage } from "../connections/storage.js";
import type { Runtime } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import { retryWhileUnavailable, sleep } from "../retry.js";
import type { Uuid } from "../schemas/identifier.js";

/** Maximum number of names looked up per notification; the daily refresh covers the rest. */
const MAX_NAMES = 1_000;

/** A notification from an institution, and whom it was sent to. */
export interface Notification extends NotifyRequest {
  /** Name of the provider. */
  readonly provider: string;
  /** The tenant with whose own settings it is verified; null = the installation's. */
  readonly tenant_id: Uuid | null;
}

/**
 * The result of a notification. `unknown`: the provider does not exist or accepts none; `unverified`: it is not from the
 * institution; `taken`: it was accepted, and named this many connections.
 */
export type NotificationResult =
  | { readonly kind: "unknown" }
  | { readonly kind: "unverified" }
  | { readonly kind: "taken"; readonly connections: number };

/** Accepts notifications from institutions; the connections they name are refreshed soon. */
export interface Notifications {
  /** @throws whatever the provider throws, including `GuardError`; the institution may then send it again */
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
