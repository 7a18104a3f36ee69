import { subjectOf } from "../audit.js";
import { authenticateClient } from "../clients/authenticate-client.js";
import { invalidClient, readClientCredentials } from "../clients/client-credentials.js";
import type { Endpoint } from "../http/endpoint.js";
import { type Form, requiredIn } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import type { Application } from "../ports/application-store.js";
import { formEndpoint } from "../token/form-endpoint.js";
import type { RequestRecorder } from "../token/request-recorder.js";
import type { TokenRequest, TokenServices } from "../token/token-context.js";
import { type GrantsReach, type NamedGrant, reachOf, type TenantGrants } from "./tenant-grants.js";

/**
 * `POST /grants/list` and `POST /grants/revoke` for programs: an application authenticates as at `/token` and sees or ends the
 * grants that are its own, or its tenant's with `grants:manage`; an operator's application those of the operator's or of any
 * `tenant`.
 */
export function grantsEndpoints(
  services: TokenServices,
  tenantGrants: TenantGrants,
  recorder: RequestRecorder,
): Readonly<Record<"/grants/list" | "/grants/revoke", Endpoint>> {
  const endpoint = (answer: (form: Form, request: TokenRequest, application: Application) => Promise<object>) =>
    formEndpoint(recorder, async (form, authorization, request) => {
      const application = await authenticate(services, form, authorization, request);
      return { status: 200, body: await answer(form, request, application) };
    });
  return {
    "/grants/list": endpoint(async (form, { at }, application) => {
      const reach = reachIn(form, application);
      const [client_id, after] = [form.get("application"), form.get("after")];
      const query = { ...(client_id === undefined ? {} : { client_id }), ...(after === undefined ? {} : { after }) };
      const page = await tenantGrants.list({ ...reach, ...query, limit: limitOf(form), at });
      return { items: page.grants.map(itemOf), next: page.next };
    }),
    "/grants/revoke": endpoint(async (form, request, application) => {
      const reach = reachIn(form, application);
      const grant_id = requiredIn(form, "grant_id");
      const grant = await tenantGrants.end({ ...reach, grant_id, at: request.at });
      if (!grant) throw new OAuthError("invalid_request", "grant_id names no live grant that this application may end");
      request.record({ action: "grant.ended", ...subjectOf(grant), actor: application.application_id });
      return { grant_id, ended_at: request.at.toISOString() };
    }),
  };
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

/** Whose grants: what the application reaches; for the operator those of `tenant`, or its own. */
function reachIn(form: Form, application: Application): GrantsReach {
  const reach = reachOf(application);
  const tenant = form.get("tenant");
  if (tenant !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tenant))
    throw new OAuthError("invalid_request", "tenant is not the id of a tenant");
  if (reach.tenant_id === null) return { ...reach, tenant_id: tenant ?? null };
  if (tenant === undefined || tenant === reach.tenant_id) return reach;
  throw new OAuthError("invalid_request", "tenant is for the operator to choose");
}

function limitOf(form: Form): number {
  const text = form.get("limit") ?? "50";
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= 500) return limit;
  throw new OAuthError("invalid_request", "limit must be a whole number from 1 to 500");
}

function itemOf(grant: NamedGrant) {
  return {
    grant_id: grant.grant_id,
    client_id: grant.client_id,
    client_name: grant.client_name,
    application: { client_id: grant.application_client_id, name: grant.application_name },
    flow: grant.flow,
    scopes: grant.scopes,
    audience: grant.audience,
    created_at: grant.created_at.toISOString(),
    last_issued_at: grant.last_issued_at.toISOString(),
    expires_at: grant.refresh_expires_at.toISOString(),
  };
}
