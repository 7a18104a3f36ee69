import { type Application, type ApplicationStore, MAX_APPLICATIONS } from "../ports/application-store.js";
import type { ClientStore } from "../ports/client-store.js";
import type { Grant, GrantStore } from "../ports/grant-store.js";
import { GRANTS_SCOPE } from "../scopes.js";

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

/** Whose grants somebody may see and end: one application's, or, with `application_id` null, all of an owner. */
export interface GrantsReach {
  /** Null = the operator's. */
  readonly tenant_id: string | null;
  readonly application_id: string | null;
}

/**
 * What credentials of an application reach: its own grants, and with `grants:manage` those of all its tenant's applications. The
 * operator's applications reach all of the operator's.
 */
export function reachOf({ tenant_id, application_id, scopes }: Application): GrantsReach {
  const isAll = tenant_id === null || scopes.includes(GRANTS_SCOPE);
  return { tenant_id, application_id: isAll ? null : application_id };
}

/** The grants of one owner's applications. What lies beyond the reach is as if it were not there. */
export interface TenantGrants {
  /** Without `client_id` all within reach. */
  list(
    query: GrantsReach & {
      readonly client_id?: string;
      readonly after?: string;
      readonly limit: number;
      readonly at: Date;
    },
  ): Promise<GrantPage>;
  /** The grant as it was; null when there is no such grant within reach, or it has ended. */
  end(query: GrantsReach & { readonly grant_id: string; readonly at: Date }): Promise<Grant | null>;
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
    async list({ application_id, client_id, limit, ...query }) {
      const own = await applications.list({ tenant_id: query.tenant_id, limit: MAX_APPLICATIONS });
      const named = own.find((application) => application.client_id === client_id)?.application_id;
      const isWithinReach = named !== undefined && (application_id === null || named === application_id);
      if (client_id !== undefined && !isWithinReach) return { grants: [], next: null };
      const chosen = named ?? application_id;
      const found = await grants.listGrants({
        ...query,
        ...(chosen === null ? {} : { application_id: chosen }),
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
    async end({ tenant_id, application_id, grant_id, at }) {
      const grant = await grants.findGrant(grant_id);
      if (!grant || grant.tenant_id !== tenant_id) return null;
      if (application_id !== null && grant.application_id !== application_id) return null;
      return (await grants.endGrant(grant_id, at, tenant_id)) ? grant : null;
    },
  };
}
