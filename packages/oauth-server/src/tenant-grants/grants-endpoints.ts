import { subjectOf } from "../audit.js";
import { authenticateClient } from "../clients/authenticate-client.js";
import { invalidClient, readClientCredentials } from "../clients/client-credentials.js";
import type { OAuthEndpoint } from "../http/endpoint.js";
import { type Form, requiredIn } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import type { Application } from "../ports/application-store.js";
import { formEndpoint } from "../token/form-endpoint.js";
import type { RequestRecorder } from "../token/request-recorder.js";
import type { TokenRequest, TokenServices } from "../token/token-context.js";
import { isUuid } from "../uuid.js";
import {
  type GrantsReach,
  holderEnded,
  type NamedGrant,
  type NamedHolder,
  reachOf,
  type TenantGrants,
} from "./tenant-grants.js";

/**
 * `POST /grants/list` and `POST /grants/revoke` for programs. An application authenticates as at `/token`, and sees or ends its
 * own grants, or its tenant's with `grants:manage`; an operator's application those of the operator or of any `tenant`. With
 * `group=client` the list has one item per client, and `client` ends all that a client holds together.
 */
export function grantsEndpoints(
  services: TokenServices,
  tenantGrants: TenantGrants,
  recorder: RequestRecorder,
): Readonly<Record<"/grants/list" | "/grants/revoke", OAuthEndpoint>> {
  const endpoint = (answer: (form: Form, request: TokenRequest, application: Application) => Promise<object>) =>
    formEndpoint(recorder, async (form, authorization, request) => {
      const application = await authenticate(services, form, authorization, request);
      return answer(form, request, application);
    });
  return {
    "/grants/list": {
      reads: true,
      ...endpoint(async (form, { at }, application) => {
        const after = form.get("after");
        const query = {
          ...reachIn(form, application),
          application: form.get("application"),
          limit: limitOf(form),
          at,
          ...(after !== undefined && { after }),
        };
        if (isGrouped(form)) {
          const { holders, next } = await tenantGrants.listHolders(query);
          return { items: holders.map(heldItemOf), next };
        }
        const { grants, next } = await tenantGrants.list({ ...query, client: form.get("client") });
        return { items: grants.map(itemOf), next };
      }),
    },
    "/grants/revoke": endpoint(async (form, request, application) => {
      const reach = reachIn(form, application);
      const client = form.get("client");
      if (client !== undefined) return endAll(form, { ...reach, client, at: request.at }, request, application);
      const grant_id = requiredIn(form, "grant_id");
      const grant = await tenantGrants.end({ ...reach, grant_id, at: request.at });
      if (!grant) throw new OAuthError("invalid_request", "grant_id names no live grant that this application may end");
      request.record({ action: "grant.ended", ...subjectOf(grant), actor: application.application_id });
      return { grant_id, ended_at: request.at.toISOString() };
    }),
  };

  async function endAll(
    form: Form,
    whose: GrantsReach & { readonly client: string; readonly at: Date },
    request: TokenRequest,
    { application_id: actor }: Application,
  ) {
    if (form.get("grant_id") !== undefined)
      throw new OAuthError("invalid_request", "grant_id and client exclude each other");
    const { client: client_id, tenant_id, at } = whose;
    const { ended, application_id } = await tenantGrants.endAll({ ...whose, application: form.get("application") });
    if (ended === 0)
      throw new OAuthError("invalid_request", "client holds no live grant that this application may end");
    request.record({ ...holderEnded({ tenant_id, application_id, client_id }, ended), actor });
    return { client_id, ended, ended_at: at.toISOString() };
  }
}

async function authenticate(
  services: TokenServices,
  form: Form,
  authorization: string | undefined,
  request: TokenRequest,
): Promise<Application> {
  const { client_id, client_secret } = readClientCredentials(authorization, form);
  if (client_id === undefined || client_secret === undefined) throw invalidClient();
  return (await authenticateClient(services, { client_id, client_secret }, request)).application;
}

/** The accessible grants: those the application reaches; for the operator those of `tenant`, or its own. */
function reachIn(form: Form, application: Application): GrantsReach {
  const reach = reachOf(application);
  const tenant = form.get("tenant")?.toLowerCase();
  if (tenant !== undefined && !isUuid(tenant))
    throw new OAuthError("invalid_request", "tenant is not the id of a tenant");
  if (reach.tenant_id === null) return { ...reach, tenant_id: tenant ?? null };
  if (tenant === undefined || tenant === reach.tenant_id) return reach;
  throw new OAuthError("invalid_request", "tenant is for the operator to choose");
}

/** Whether grants are grouped by their holder. */
function isGrouped(form: Form): boolean {
  const group = form.get("group");
  if (group === undefined || group === "client") return group !== undefined;
  throw new OAuthError("invalid_request", "group can be client only");
}

function limitOf(form: Form): number {
  const text = form.get("limit") ?? "50";
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= 500) return limit;
  throw new OAuthError("invalid_request", "limit must be a whole number from 1 to 500");
}

function heldItemOf(held: NamedHolder) {
  return {
    client_id: held.client_id,
    client_name: held.client_name,
    application: { client_id: held.application_client_id, name: held.application_name },
    flow: held.flow,
    person: held.person,
    grants: held.grants,
    scopes: held.scopes,
    clients: held.clients,
    created_at: held.created_at.toISOString(),
    last_issued_at: held.last_issued_at.toISOString(),
    expires_at: held.refresh_expires_at.toISOString(),
  };
}

function itemOf(grant: NamedGrant) {
  return {
    grant_id: grant.grant_id,
    client_id: grant.client_id,
    client_name: grant.client_name,
    application: { client_id: grant.application_client_id, name: grant.application_name },
    flow: grant.flow,
    person: grant.person,
    scopes: grant.scopes,
    clients: grant.clients,
    audience: grant.audience,
    created_at: grant.created_at.toISOString(),
    last_issued_at: grant.last_issued_at.toISOString(),
    expires_at: grant.refresh_expires_at.toISOString(),
  };
}
