import { type Actor, type ConflictReason, CoreError, type CoreErrorCode, type Fault } from "@org/core";
import {
  type AuditOrigin,
  type NamedGrant,
  OAuthError,
  type OAuthErrorCode,
  type Grants as OAuthGrants,
  type RegistrationTokens as OAuthRegistrationTokens,
  type RegistrationTokenInfo,
  type TenantGrants,
} from "@org/oauth-server";
import type { GrantOperations, RegistrationTokenOperations } from "@org/rest-api";

/** Converts an actor to the form of the authorization server's audit trail. */
export function originOf({ application_id, address, trace_id }: Actor): AuditOrigin {
  return { actor: application_id, address, trace_id };
}

/**
 * Rethrows the authorization server's errors with these codes as core errors; other errors pass unchanged.
 * @param told returns the faults of the input, if any, and optionally another message than the error's
 */
export function refusedAsCore(
  codes: Partial<Record<OAuthErrorCode, CoreErrorCode>>,
  told: (
    error: OAuthError,
    code: CoreErrorCode,
  ) => {
    readonly details: readonly Fault[];
    readonly message?: string;
    /** Of a CONFLICT. */
    readonly reason?: ConflictReason;
  },
) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof OAuthError ? codes[error.code] : undefined;
      if (!(error instanceof OAuthError) || code === undefined) throw error;
      const { details, reason, message = error.message } = told(error, code);
      throw new CoreError(code, message, {
        cause: error,
        ...(details.length > 0 && { details }),
        ...(reason && { reason }),
      });
    }
  };
}

/** Lets a caller who sees all of an owner's grants list and end them; the authorization server stores them. */
export function grants(deps: {
  ofOwners: Pick<TenantGrants, "list">;
  administration: Pick<OAuthGrants, "end">;
  clock: () => Date;
}): GrantOperations {
  return {
    async list(tenant_id, { client_id: client, after, ...page }) {
      const reach = { tenant_id, application_id: null };
      const found = await deps.ofOwners.list({ ...reach, client, ...page, at: deps.clock(), ...(after && { after }) });
      return { items: found.grants.map(grantView), next: found.next };
    },
    async end(actor, tenantId, grantId) {
      if (!(await deps.administration.end(grantId, originOf(actor), tenantId)))
        throw new CoreError("NOT_FOUND", "there is no live grant with this id");
    },
  };
}

function grantView(grant: NamedGrant) {
  const { grant_id, client_id, client_name, is_verified, flow, person, scopes, clients } = grant;
  return {
    grant_id,
    client_id,
    client_name,
    is_verified,
    flow,
    person,
    scopes: [...scopes],
    clients: clients === null ? null : clients.map(({ client_ref, name }) => ({ client_ref, name })),
    application: { client_id: grant.application_client_id, name: grant.application_name },
    created_at: grant.created_at.toISOString(),
    last_issued_at: grant.last_issued_at.toISOString(),
    expires_at: grant.refresh_expires_at.toISOString(),
  };
}

/** Lets operators create and withdraw registration tokens, which clients need if `REGISTRATION` is `token`. */
export function registrationTokens(tokens: OAuthRegistrationTokens): RegistrationTokenOperations {
  return {
    async create(operator, request) {
      const { registration_token, token } = await tokens.create(request, originOf(operator));
      return { registration_token: tokenView(registration_token), token };
    },
    list: async () => (await tokens.list()).map(tokenView),
    async revoke(operator, tokenId) {
      if (!(await tokens.revoke(tokenId, originOf(operator))))
        throw new CoreError("NOT_FOUND", "there is no registration token with this id");
    },
  };
}

function tokenView({ token_id, name, created_at, expires_at }: RegistrationTokenInfo) {
  return { token_id, name, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}
