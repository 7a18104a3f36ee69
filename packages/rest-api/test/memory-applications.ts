import { CoreError, invalid, invalidValue } from "@org/core";
import type { ApplicationOperations, ApplicationView } from "../src/index.js";
import { scopes } from "../src/index.js";

/** Applications in memory, with the rules of the interface. */
export function memoryApplications(deps: {
  newId: () => string;
  clock: () => Date;
  isTenant: (id: string) => Promise<boolean>;
}): ApplicationOperations {
  const applications: ApplicationView[] = [];

  const find = (clientId: string): ApplicationView => {
    const found = applications.find(({ client_id }) => client_id === clientId);
    if (!found) throw new CoreError("NOT_FOUND", "ApplicationNotFound");
    return found;
  };
  const replace = (changed: ApplicationView) => {
    applications[applications.findIndex(({ client_id }) => client_id === changed.client_id)] = changed;
    return changed;
  };
  const newSecret = () => ({ secret_id: deps.newId(), created_at: deps.clock().toISOString() });

  return {
    async create(
      _operator,
      { tenant_id, name, scopes: asked, redirect_urls = [], client_refs = null, dpop_bound_access_tokens = false },
    ) {
      if (tenant_id !== null && !(await deps.isTenant(tenant_id)))
        throw invalid(invalidValue("tenant_id", "must be the id of a tenant"));
      const application_id = deps.newId();
      const application = {
        application_id,
        tenant_id,
        client_id: `wca_${application_id}`,
        name,
        scopes:
          asked ?? (tenant_id === null ? ["operator"] : scopes.filter((scope) => !/^operator$|^grants:/.test(scope))),
        enabled: true,
        redirect_urls,
        client_refs,
        dpop_bound_access_tokens,
        secrets: [newSecret()],
        created_at: deps.clock().toISOString(),
      };
      applications.push(application);
      return { application, client_secret: `wcs_${deps.newId()}` };
    },
    async list({ tenant_id, after, limit }) {
      return applications
        .filter((application) => tenant_id === undefined || application.tenant_id === tenant_id)
        .filter(({ application_id }) => after === null || application_id > after)
        .slice(0, limit);
    },
    find: async (clientId) => find(clientId),
    async rollSecret(_operator, clientId) {
      const application = find(clientId);
      if (application.secrets.length >= 2) throw new CoreError("CONFLICT", "two secrets are live already");
      return {
        application: replace({ ...application, secrets: [...application.secrets, newSecret()] }),
        client_secret: `wcs_${deps.newId()}`,
      };
    },
    async removeSecret(_operator, clientId, secretId) {
      const application = find(clientId);
      const left = application.secrets.filter(({ secret_id }) => secret_id !== secretId);
      if (left.length === application.secrets.length) throw new CoreError("NOT_FOUND", "SecretNotFound");
      return replace({ ...application, secrets: left });
    },
    setEnabled: async (_operator, clientId, enabled) => replace({ ...find(clientId), enabled }),
    async addScopes(_operator, clientId, added) {
      const application = find(clientId);
      if (application.tenant_id === null) throw invalid(invalidValue("application", "has no other scope"));
      return replace({ ...application, scopes: [...new Set([...application.scopes, ...added])] });
    },
    async limitToClients(_operator, clientId, client_refs) {
      const application = find(clientId);
      if (application.tenant_id === null) throw invalid(invalidValue("application", "has no clients"));
      return replace({ ...application, client_refs });
    },
    setDpopBound: async (_operator, clientId, dpop_bound_access_tokens) =>
      replace({ ...find(clientId), dpop_bound_access_tokens }),
    updateRedirectUrls: async (_operator, clientId, redirect_urls) => replace({ ...find(clientId), redirect_urls }),
  };
}
