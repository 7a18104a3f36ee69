import {
  type Application,
  type ApplicationStore,
  MAX_LIVE_SECRETS,
  type SecretStore,
} from "../ports/application-store.js";
import { endGrants, type MemoryTables } from "./memory-tables.js";

/** Applications and their secrets in memory. */
export function memoryApplications(tables: MemoryTables): ApplicationStore & SecretStore {
  const change = (applicationId: string, next: (application: Application) => Partial<Application>): boolean => {
    const application = tables.applications.get(applicationId);
    if (!application) return false;
    tables.applications.set(applicationId, { ...application, ...next(application) });
    return true;
  };
  const endGrantsOf = (applications: readonly Application[], at: Date) =>
    endGrants(tables, at, (grant) =>
      applications.some(
        ({ application_id, client_id }) => grant.application_id === application_id || grant.client_id === client_id,
      ),
    );
  const withTenant = (application: Application): Application => ({
    ...application,
    tenant_enabled: application.tenant_id === null || !tables.disabledTenants.has(application.tenant_id),
  });

  return {
    async create({ secret, client_refs = null, dpop_bound_access_tokens = false, ...application }) {
      const taken = [...tables.applications.values()].some(
        (other) =>
          other.application_id === application.application_id ||
          other.client_id === application.client_id ||
          other.secrets.some((known) => known.secret_id === secret.secret_id),
      );
      if (taken) throw new Error("an application with such an id exists");
      tables.applications.set(application.application_id, {
        ...application,
        enabled: true,
        tenant_enabled: true,
        secrets: [secret],
        client_refs,
        dpop_bound_access_tokens,
      });
      if (client_refs !== null) tables.limits.changes += 1;
    },
    async ofPeople(application) {
      const { application_id, tenant_id } = application;
      const known = tables.peopleApplications.get(tenant_id) ?? application_id;
      if (known === application_id) {
        tables.peopleApplications.set(tenant_id, application_id);
        tables.applications.set(application_id, {
          ...application,
          enabled: true,
          tenant_enabled: true,
          secrets: [],
          client_refs: null,
          dpop_bound_access_tokens: false,
        });
      }
      return withTenant(tables.applications.get(known) as Application);
    },
    async findByClientId(clientId) {
      const found = [...tables.applications.values()].find((application) => application.client_id === clientId);
      return found ? withTenant(found) : null;
    },
    async list({ tenant_id, after = "", limit }) {
      return [...tables.applications.values()]
        .filter((application) => tenant_id === undefined || application.tenant_id === tenant_id)
        .filter((application) => application.application_id > after)
        .sort((a, b) => (a.application_id < b.application_id ? -1 : 1))
        .slice(0, limit)
        .map(withTenant);
    },
    async setEnabled(applicationId, enabled, at) {
      const application = tables.applications.get(applicationId);
      if (application && !enabled) endGrantsOf([application], at);
      return change(applicationId, () => ({ enabled }));
    },
    async setTenantEnabled(tenantId, enabled, at) {
      if (enabled) tables.disabledTenants.delete(tenantId);
      else tables.disabledTenants.add(tenantId);
      const ofTenant = [...tables.applications.values()].filter(({ tenant_id }) => tenant_id === tenantId);
      if (!enabled) endGrantsOf(ofTenant, at);
    },
    async disabledTenants() {
      return [...tables.disabledTenants];
    },
    async ownersOf(clientIds) {
      const found = [...tables.applications.values()].filter(({ client_id }) => clientIds.includes(client_id));
      return new Map(
        found.map(({ client_id, application_id, tenant_id }) => [client_id, { application_id, tenant_id }]),
      );
    },
    async setRedirectUrls(applicationId, redirect_urls) {
      return change(applicationId, () => ({ redirect_urls }));
    },
    async limitToClients(applicationId, client_refs) {
      tables.limits.changes += 1;
      return change(applicationId, () => ({ client_refs }));
    },
    async clientRefsOf(applicationId) {
      const application = tables.applications.get(applicationId);
      return application ? application.client_refs : [];
    },
    async setDpopBound(applicationId, isBound, at) {
      const application = tables.applications.get(applicationId);
      if (application && isBound && !application.dpop_bound_access_tokens)
        endGrants(tables, at, ({ client_id }) => client_id === application.client_id);
      return change(applicationId, () => ({ dpop_bound_access_tokens: isBound }));
    },
    async addScopes(applicationId, added) {
      return change(applicationId, ({ scopes }) => ({ scopes: [...new Set([...scopes, ...added])] }));
    },
    async addSecret(applicationId, secret) {
      const application = tables.applications.get(applicationId);
      if (!application) return "unknown_application";
      if (tables.peopleApplications.get(application.tenant_id ?? "") === applicationId) return "of_people";
      if (application.secrets.length >= MAX_LIVE_SECRETS) return "full";
      change(applicationId, ({ secrets }) => ({ secrets: [...secrets, secret] }));
      return "added";
    },
    async rehashSecret(secretId, { from, to }) {
      for (const [id, application] of tables.applications) {
        const secrets = application.secrets.map((secret) =>
          secret.secret_id === secretId && secret.secret_hash === from ? { ...secret, secret_hash: to } : secret,
        );
        tables.applications.set(id, { ...application, secrets });
      }
    },
    async removeSecret(applicationId, secretId, at) {
      const application = tables.applications.get(applicationId);
      if (!application?.secrets.some((secret) => secret.secret_id === secretId)) return false;
      endGrants(tables, at, (grant) => grant.application_id === applicationId && grant.secret_id === secretId);
      return change(applicationId, ({ secrets }) => ({
        secrets: secrets.filter((secret) => secret.secret_id !== secretId),
      }));
    },
  };
}
