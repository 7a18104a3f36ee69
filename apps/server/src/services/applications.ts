import {
  CoreError,
  createSavedAccesses,
  createTenantProfiles,
  createTenants,
  invalidValue,
  parseUuid,
  type Revocations,
  type Runtime,
  type Storage,
  type TenantAccess,
  type Tenants,
} from "@org/core";
import type { ApplicationInfo, Applications as OAuthApplications } from "@org/oauth-server";
import { INSTALLATION, type PeopleDirectory, type PeopleStores, personIdOf } from "@org/people";
import type { ApplicationOperations, ApplicationView } from "@org/rest-api";
import { originOf, refusedAsCore } from "./oauth-administration.js";

/** Tenants and their applications, as operators manage them. */
export function tenantsAndApplications({
  storage,
  peopleStores,
  runtime,
  oauthApplications,
  revocations,
}: {
  storage: Storage;
  peopleStores: Pick<PeopleStores, "directory">;
  runtime: Runtime;
  oauthApplications: OAuthApplications;
  revocations: Revocations;
}) {
  const access = tenantAccess(oauthApplications);
  const { ofTenant: ofLogins } = createSavedAccesses({ storage, runtime, revocations });
  const tenants = createTenants({ storage, runtime, access, revocations, ofLogins });
  return {
    tenants,
    tenantProfiles: createTenantProfiles({ storage, runtime }),
    applications: applicationsForOperators(oauthApplications, tenants),
    access,
    namesOf: actorNames(oauthApplications, peopleStores.directory),
  };
}

/** Maximum applications of one owner read in one call; real owners have far fewer. */
const MAX_APPLICATIONS = 1_000;
/** How many applications' names are cached. */
const MAX_NAMES = 10_000;

/** Names of a tenant's and the operators' applications and people, by actor. */
function actorNames(applications: OAuthApplications, directory: Pick<PeopleDirectory, "find">) {
  const applicationNames = namesOfApplications(applications);
  return async (tenantId: string, actors: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const tenant = parseUuid(tenantId);
    const people = actors.flatMap((actor) => {
      const id = personIdOf(actor);
      return id && tenant ? [{ actor, id, tenant }] : [];
    });
    const others = actors.filter((actor) => personIdOf(actor) === null);
    const names = new Map(others.length > 0 ? await applicationNames(tenantId, others) : []);
    for (const { actor, id, tenant } of people) {
      const person = (await directory.find(INSTALLATION, id)) ?? (await directory.find(tenant, id));
      if (person) names.set(actor, person.name);
    }
    return names;
  };
}

/** Names of applications by their ids. They never change, so each is read once. */
function namesOfApplications(applications: OAuthApplications) {
  const known = new Map<string, string>();
  return async (tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    if (ids.some((id) => !known.has(id))) {
      if (known.size > MAX_NAMES) known.clear();
      for (const tenant_id of [null, tenantId])
        for (const { application_id, name } of await applications.list({ tenant_id, limit: MAX_APPLICATIONS }))
          known.set(application_id, name);
    }
    return known;
  };
}

/** Connects the REST API to the authorization server's applications, so that neither depends on the other. */
function applicationsForOperators(applications: OAuthApplications, tenants: Tenants): ApplicationOperations {
  return {
    async create(operator, request) {
      if (request.tenant_id !== null && !(await tenants.find(request.tenant_id)))
        throw new CoreError("VALIDATION_ERROR", "tenant_id: must be the id of a tenant", {
          details: [invalidValue("tenant_id", "must be the id of a tenant")],
        });
      const created = await asCore(() =>
        applications.create(
          {
            tenant_id: request.tenant_id,
            name: request.name,
            ...(request.scopes && { scopes: [...request.scopes] }),
            ...(request.redirect_urls && { redirect_urls: [...request.redirect_urls] }),
            ...(request.client_refs && { client_refs: [...request.client_refs] }),
            ...(request.dpop_bound_access_tokens && { dpop_bound_access_tokens: true }),
          },
          originOf(operator),
        ),
      );
      return { application: viewOf(created.application), client_secret: created.client_secret };
    },
    async list({ tenant_id, after, limit }) {
      const found = await applications.list({
        limit,
        ...(tenant_id !== undefined && { tenant_id }),
        ...(after !== null && { after }),
      });
      return found.map(viewOf);
    },
    find,
    async rollSecret(operator, clientId) {
      const { client_secret } = await asCore(() => applications.rollSecret(clientId, originOf(operator)));
      return { application: await find(clientId), client_secret };
    },
    async removeSecret(operator, clientId, secretId) {
      await asCore(() => applications.removeSecret(clientId, secretId, originOf(operator)));
      return find(clientId);
    },
    async setEnabled(operator, clientId, enabled) {
      await asCore(() => applications.setEnabled(clientId, enabled, originOf(operator)));
      return find(clientId);
    },
    async updateRedirectUrls(operator, clientId, urls) {
      await asCore(() => applications.updateRedirectUrls(clientId, urls, originOf(operator)));
      return find(clientId);
    },
    async limitToClients(operator, clientId, clientRefs) {
      await asCore(() => applications.limitToClients(clientId, clientRefs, originOf(operator)));
      return find(clientId);
    },
    async setDpopBound(operator, clientId, isBound) {
      await asCore(() => applications.setDpopBound(clientId, isBound, originOf(operator)));
      return find(clientId);
    },
    async addScopes(operator, clientId, scopes) {
      await asCore(() => applications.addScopes(clientId, scopes, originOf(operator)));
      return find(clientId);
    },
  };

  async function find(clientId: string): Promise<ApplicationView> {
    return viewOf(await asCore(() => applications.find(clientId)));
  }
}

/** Disables and enables tenants; the authorization server stores the state. */
function tenantAccess(applications: OAuthApplications): TenantAccess {
  return {
    disabled: async () => new Set(await applications.disabledTenants()),
    setEnabled: (tenantId, enabled, by) => applications.setTenantEnabled(tenantId, enabled, originOf(by)),
  };
}

const asCore = refusedAsCore(
  {
    unknown_application: "NOT_FOUND",
    unknown_secret: "NOT_FOUND",
    secret_limit: "CONFLICT",
    invalid_application: "VALIDATION_ERROR",
  },
  (error, code) => {
    if (error.code === "invalid_application")
      return {
        details: error.issues.map(({ path, message }) => invalidValue(path.split(".", 1)[0] || "application", message)),
      };
    if (code === "CONFLICT") return { details: [], reason: "too_many_secrets" };
    const missing = error.code === "unknown_secret" ? "secret_id" : "client_id";
    return { details: code === "NOT_FOUND" ? [invalidValue(missing, error.message)] : [] };
  },
);

function viewOf({ created_at, secrets, tenant_enabled, enabled, ...application }: ApplicationInfo): ApplicationView {
  return {
    ...application,
    enabled: enabled && tenant_enabled,
    secrets: secrets.map((secret) => ({ secret_id: secret.secret_id, created_at: secret.created_at.toISOString() })),
    created_at: created_at.toISOString(),
  };
}
