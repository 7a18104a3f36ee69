import type { Uuid } from "@org/core";
import type { GrantedClients } from "@org/oauth-server";
import type { OpenedStorage } from "@org/storage-postgres";

/** Tenants' clients on the authorization pages, where a grant is limited to some. */
export function grantedClients({ inTenant }: OpenedStorage["storage"]): GrantedClients {
  return {
    async list(tenantId, { text, client_refs, limit }) {
      const { items, total } = await inTenant(tenantId as Uuid, ({ clients }) =>
        clients.list({ name: text || null, client_refs, order: "client_ref", page: 1, page_size: limit }),
      );
      return { items: items.map(({ client_ref, name }) => ({ client_ref, name })), total };
    },
  };
}
