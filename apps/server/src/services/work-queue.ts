import {
  type Connectors,
  createWorkQueue,
  type Runtime,
  type StoredWork,
  type Tenants,
  type WorkSource,
} from "@org/core";
import type { Config } from "@org/installation";
import { allows } from "@org/people/roles";
import type { ProviderOperations } from "@org/provider-registry";
import type { OpenedStorage } from "@org/storage-postgres";

/** The work queue: what needs action now. */
export function workQueue({
  config,
  workReader,
  runtime,
  connectors,
  providerOperations,
  tenants,
  storage,
  peopleStores,
  namesOf,
}: Pick<OpenedStorage, "workReader" | "storage" | "peopleStores"> & {
  namesOf: (tenantId: string, actors: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  config: Pick<Config, "letterOverdueDays">;
  runtime: Runtime;
  connectors: Connectors;
  tenants: Pick<Tenants, "find">;
  providerOperations: Pick<ProviderOperations, "list">;
}) {
  return createWorkQueue({
    reader: workReader,
    marks: storage.workMarks,
    people: {
      async nameOfWorker(tenantId, personId) {
        const person = await peopleStores.directory.find(tenantId, personId);
        return person && person.ended_at === null && allows(person.role, "work") ? person.name || person.email : null;
      },
      nameOf: async (tenantId, actorId) => (await namesOf(tenantId, [actorId])).get(actorId) ?? null,
    },
    sources: [unavailableProviders(providerOperations, tenants)],
    connectors,
    runtime,
    overdueDays: config.letterOverdueDays,
  });
}

/** Providers that this server has settings for but cannot use. A provider without settings is used by nobody and does not count. */
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

/** Names of tenants; null, the installation, has none. */
async function namesOf(
  tenants: Pick<Tenants, "find">,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, string>> {
  const found = await Promise.all([...new Set(ids)].map((id) => (id === null ? null : tenants.find(id))));
  return new Map(found.flatMap((tenant) => (tenant ? [[tenant.tenant_id, tenant.name] as const] : [])));
}
