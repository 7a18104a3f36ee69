import { CoreError, type Tenants, type Uuid, uuidOf } from "@org/core";
import { createPeopleOperations, createPeopleSessions, createSigningIn, INSTALLATION } from "@org/people";
import type { People } from "@org/rest-api";
import type { Platform } from "../feature.js";

/** People who sign in. The console is a door to the same services; operators reach `service` over REST. */
export function people({
  database: { peopleStores: stores },
  runtime,
  publicUrl,
  tenants,
}: Pick<Platform, "database" | "runtime" | "publicUrl"> & { tenants: Pick<Tenants, "find"> }) {
  const operations = createPeopleOperations({ store: stores.directory, runtime, publicUrl });
  const sessions = createPeopleSessions({ store: stores.sessions, runtime });
  const signingIn = createSigningIn({ stores, sessions, runtime, publicUrl });
  const service: People = {
    list: async (tenantId, search) => operations.list(await ownerOf(tenantId), search),
    invite: async (operator, tenantId, person) => operations.invite(operator, await ownerOf(tenantId), person),
    reinvite: async (operator, tenantId, personId) =>
      operations.inviteAgain(operator, await ownerOf(tenantId), personId),
    change: async (operator, tenantId, personId, change) =>
      operations.change(operator, { tenant_id: await ownerOf(tenantId), isOwn: false }, personId, change),
    end: async (operator, tenantId, personId) =>
      operations.end(operator, { tenant_id: await ownerOf(tenantId), isOwn: false }, personId),
  };
  return { operations, sessions, signingIn, service };

  /** @throws CoreError NOT_FOUND */
  async function ownerOf(tenantId: string | null): Promise<Uuid> {
    if (tenantId === null) return INSTALLATION;
    const id = uuidOf((await tenants.find(tenantId))?.tenant_id ?? "");
    if (!id) throw new CoreError("NOT_FOUND", "TenantNotFound");
    return id;
  }
}
