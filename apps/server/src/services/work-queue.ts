import {
  type Connectors,
  createWorkQueue,
  type ProviderOperations,
  type Runtime,
  type Storage,
  type StoredWork,
  type Tenants,
  uuidOf,
  type WorkSource,
} from "@org/core";
import type { Config } from "@org/installation";
import type { Quarantine } from "@org/rest-api";
import type { OpenedStorage } from "@org/storage-postgres";

/** Files in quarantine that are looked at: whoever has more of them begins with these. */
const MOST_FILES = 1_000;

/** What needs somebody now. */
export function workQueue({
  config,
  storage,
  workReader,
  runtime,
  connectors,
  providerOperations,
  quarantine,
  tenants,
}: Pick<OpenedStorage, "storage" | "workReader"> & {
  config: Pick<Config, "letterOverdueDays">;
  runtime: Runtime;
  connectors: Connectors;
  tenants: Pick<Tenants, "find">;
  providerOperations: Pick<ProviderOperations, "list">;
  quarantine: Pick<Quarantine, "list">;
}) {
  return createWorkQueue({
    reader: workReader,
    sources: [unavailableProviders(providerOperations, tenants), quarantinedFiles(quarantine, storage, tenants)],
    connectors,
    runtime,
    overdueDays: config.letterOverdueDays,
  });
}

/** Providers that this server has settings for and cannot use. One that waits for its settings is used by nobody. */
function unavailableProviders(
  operations: Pick<ProviderOperations, "list">,
  tenants: Pick<Tenants, "find">,
): WorkSource {
  return {
    kinds: ["provider_unavailable"],
    async find(tenantId) {
      const found = await operations.list(null);
      const names = await namesOf(
        tenants,
        found.map(({ tenant_id }) => tenant_id),
      );
      return found.flatMap(({ name, tenant_id, state, reason, changed_at }): StoredWork[] => {
        if (state !== "unavailable" && state !== "not_loaded") return [];
        if (tenantId !== null && tenant_id !== tenantId) return [];
        const details = { provider: name, reason: reason ?? state };
        const id = tenant_id === null ? name : `${name} ${tenant_id}`;
        const since = changed_at ?? new Date(0);
        return [{ kind: "provider_unavailable", since, id, tenant_id, tenant: names.get(tenant_id) ?? null, details }];
      });
    },
  };
}

/** Files of this server's drop folder; each lies in the folder of its connection or letter, which says whose it is. */
function quarantinedFiles(
  quarantine: Pick<Quarantine, "list">,
  { directory }: Pick<Storage, "directory">,
  tenants: Pick<Tenants, "find">,
): WorkSource {
  return {
    kinds: ["file_quarantined"],
    async find(tenantId) {
      const { items } = await quarantine.list(MOST_FILES);
      const ids = [...new Set(items.flatMap(({ folder }) => uuidOf(folder?.toLowerCase() ?? "") ?? []))];
      const feeds = new Map(
        ids.length === 0 ? [] : (await directory.feedsOf(ids)).map((feed) => [feed.id as string, feed]),
      );
      const names = await namesOf(
        tenants,
        [...feeds.values()].map(({ tenant_id }) => tenant_id),
      );
      return items.flatMap(({ name, folder, refused_at, reason, moved_to }): StoredWork[] => {
        const feed = feeds.get(folder?.toLowerCase() ?? "");
        if (tenantId !== null && feed?.tenant_id !== tenantId) return [];
        const whose = feed && {
          connector_id: feed.connector_id,
          ...(feed.connection_id === null ? { letter_id: feed.id } : { connection_id: feed.connection_id }),
        };
        const details = { name, file: moved_to, reason, ...whose };
        const since = new Date(refused_at);
        const tenant_id = feed?.tenant_id ?? null;
        return [
          { kind: "file_quarantined", since, id: moved_to, tenant_id, tenant: names.get(tenant_id) ?? null, details },
        ];
      });
    },
  };
}

/** Tenants by name; null, the installation, has none. */
async function namesOf(
  tenants: Pick<Tenants, "find">,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, string>> {
  const found = await Promise.all([...new Set(ids)].map((id) => (id === null ? null : tenants.find(id))));
  return new Map(found.flatMap((tenant) => (tenant ? [[tenant.tenant_id, tenant.name] as const] : [])));
}
