import { CoreError } from "@org/core";
import type { NamedGrant, Grants as OAuthGrants, TenantGrants } from "@org/oauth-server";
import type { Grants } from "@org/rest-api";
import { originOf } from "../oauth-administration.js";

/** Lets those who see all of an owner's grants list and end them: one calls, the authorization server keeps. */
export function grants(deps: {
  ofOwners: Pick<TenantGrants, "list">;
  administration: Pick<OAuthGrants, "end">;
  clock: () => Date;
}): Grants {
  return {
    async list(tenant_id, { client_id: client, after, limit }) {
      const reach = { tenant_id, application_id: null };
      const found = await deps.ofOwners.list({ ...reach, client, limit, at: deps.clock(), ...(after && { after }) });
      return { items: found.grants.map(viewOf), next: found.next };
    },
    async end(actor, tenantId, grantId) {
      if (!(await deps.administration.end(grantId, originOf(actor), tenantId)))
        throw new CoreError("NOT_FOUND", "there is no live grant with this id");
    },
  };
}

function viewOf(grant: NamedGrant) {
  const { grant_id, client_id, client_name, is_verified, flow, person, scopes } = grant;
  return {
    ...{ grant_id, client_id, client_name, is_verified, flow, person, scopes: [...scopes] },
    application: { client_id: grant.application_client_id, name: grant.application_name },
    created_at: grant.created_at.toISOString(),
    last_issued_at: grant.last_issued_at.toISOString(),
    expires_at: grant.refresh_expires_at.toISOString(),
  };
}
