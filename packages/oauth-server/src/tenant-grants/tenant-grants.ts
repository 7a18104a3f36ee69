import { type ApplicationStore, MAX_APPLICATIONS } from "../ports/application-store.js";
import type { ClientStore } from "../ports/client-store.js";
import type { Grant, GrantStore } from "../ports/grant-store.js";

/** A grant in words that its tenant knows. */
export interface NamedGrant extends Grant {
  /** The client's own name, or what else tells it from others. */
  readonly client_name: string;
  /** Whether the client is one of the owner's applications; otherwise the name is its own claim. */
  readonly is_verified: boolean;
  readonly application_name: string;
  /** `client_id` of the application whose data it reaches. */
  readonly application_client_id: string;
}

/** One page of grants, oldest first. */
export interface GrantPage {
  readonly grants: readonly NamedGrant[];
  /** Id to go on after; null on the last page. */
  readonly next: string | null;
}

/** The grants of one owner's applications: what may be seen and ended by whoever holds credentials of one of them. */
export interface TenantGrants {
  /** Without `client_id` of all the tenant's applications; null as tenant = the operator's. */
  list(query: {
    tenant_id: string | null;
    client_id?: string;
    after?: string;
    limit: number;
    at: Date;
  }): Promise<GrantPage>;
  /** The grant as it was; null when the tenant has no such grant, or it has ended. */
  end(query: { tenant_id: string | null; grant_id: string; at: Date }): Promise<Grant | null>;
}

/** Grants over the stores. */
export function createTenantGrants(stores: {
  grants: GrantStore;
  applications: ApplicationStore;
  clients: Pick<ClientStore, "findClient">;
}): TenantGrants {
  const { grants, applications, clients } = stores;
  const nameOf = async (clientId: string): Promise<string> => {
    if (clientId.startsWith("https://") && URL.canParse(clientId)) return new URL(clientId).host;
    return (await clients.findClient(clientId))?.client_name ?? clientId;
  };
  return {
    async list({ client_id, limit, ...query }) {
      const own = await applications.list({ tenant_id: query.tenant_id, limit: MAX_APPLICATIONS });
      const chosen = own.find((application) => application.client_id === client_id);
      if (client_id !== undefined && !chosen) return { grants: [], next: null };
      const found = await grants.listGrants({
        ...query,
        ...(chosen ? { application_id: chosen.application_id } : {}),
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const names = new Map(own.map((application) => [application.client_id, application.name]));
      for (const id of new Set(page.map((grant) => grant.client_id)))
        if (!names.has(id)) names.set(id, await nameOf(id));
      const byId = new Map(own.map((application) => [application.application_id, application]));
      return {
        grants: page.map((grant) => ({
          ...grant,
          is_verified: own.some((application) => application.client_id === grant.client_id),
          client_name: names.get(grant.client_id) ?? grant.client_id,
          application_name: byId.get(grant.application_id)?.name ?? grant.application_id,
          application_client_id: byId.get(grant.application_id)?.client_id ?? grant.application_id,
        })),
        next: found.length > limit ? (page.at(-1)?.grant_id ?? null) : null,
      };
    },
    async end({ tenant_id, grant_id, at }) {
      const grant = await grants.findGrant(grant_id);
      if (!grant || grant.tenant_id !== tenant_id) return null;
      return (await grants.endGrant(grant_id, at, tenant_id)) ? grant : null;
    },
  };
}
