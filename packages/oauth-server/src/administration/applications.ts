import { randomBytes } from "node:crypto";
import { type Audit, type AuditFacts, type AuditOrigin, auditEvent } from "../audit.js";
import { secretPurpose } from "../clients/authenticate-client.js";
import { createKeyedHash, type SecretHashKeys } from "../keyed-hash.js";
import { OAuthError } from "../oauth-error.js";
import {
  APPLICATION_PREFIX,
  type Application,
  type ApplicationSecret,
  MAX_LIVE_SECRETS,
} from "../ports/application-store.js";
import type { OAuthStore } from "../ports/oauth-store.js";
import { isUuid, type RandomBytes, uuidV7 } from "../uuid.js";
import {
  addedScopesSchema,
  clientLimitSchema,
  type NewApplicationRequest,
  newApplicationSchema,
  parseApplication,
  redirectUrlsSchema,
} from "./new-application.js";

/** An application as it may be shown: each secret only as its id and age. */
export type ApplicationInfo = Omit<Application, "secrets"> & {
  readonly secrets: readonly Pick<ApplicationSecret, "secret_id" | "created_at">[];
};

/** A secret in plain text: shown once and never stored. */
export interface RevealedSecret {
  readonly secret_id: string;
  readonly client_secret: string;
}

/** Administration of applications. Methods throw `unknown_application` for an unknown client id. */
export interface Applications {
  /** Throws `invalid_application` with every fault. The tenant must exist. */
  create(
    request: NewApplicationRequest,
    by?: AuditOrigin,
  ): Promise<{ application: ApplicationInfo; client_secret: string }>;
  /** Oldest first. Without `tenant_id` it lists all owners' applications; null = the operator's. */
  list(query: { tenant_id?: string | null; after?: string; limit: number }): Promise<readonly ApplicationInfo[]>;
  find(clientId: string): Promise<ApplicationInfo>;
  /**
   * Adds a secret; the other one stays valid until it is removed. Throws `secret_limit` when there are two already,
   * `invalid_application` for the application through which a tenant's people approve.
   */
  rollSecret(clientId: string, by?: AuditOrigin): Promise<RevealedSecret>;
  /** Removes a secret and ends the grants obtained with it, see `SecretStore.removeSecret`. Throws `unknown_secret`. */
  removeSecret(clientId: string, secretId: string, by?: AuditOrigin): Promise<void>;
  /** Disabling ends every grant of the application permanently, including those it holds for another application's data. */
  setEnabled(clientId: string, enabled: boolean, by?: AuditOrigin): Promise<void>;
  /** The same for all applications of a tenant. */
  setTenantEnabled(tenantId: string, enabled: boolean, by?: AuditOrigin): Promise<void>;
  /** Ids of the disabled tenants. */
  disabledTenants(): Promise<readonly string[]>;
  /** Replaces the whole list. Throws `invalid_application`. */
  updateRedirectUrls(clientId: string, urls: readonly string[], by?: AuditOrigin): Promise<void>;
  /**
   * Limits a tenant's application to some clients, whose references the caller has checked, from now on and for tokens that there are; null = no
   * limit. Throws `invalid_application` for an operator's application.
   */
  limitToClients(clientId: string, clientRefs: readonly string[] | null, by?: AuditOrigin): Promise<void>;
  /**
   * Changes whether it gets no access tokens but those that are bound to its key (RFC 9449). When that begins, every grant ends that it holds as an
   * OAuth client: their tokens may not be bound.
   */
  setDpopBound(clientId: string, isBound: boolean, by?: AuditOrigin): Promise<void>;
  /**
   * Lets a tenant's application request more scopes. Existing tokens and grants do not change. Throws `invalid_application` for
   * an operator's application, and for a scope that applications do not get by default.
   */
  addScopes(clientId: string, scopes: readonly string[], by?: AuditOrigin): Promise<void>;
}

/** Dependencies of the administration. */
export interface ApplicationsOptions {
  readonly store: Pick<OAuthStore, "applications" | "guessLimits">;
  /** The same as the authorization server's. */
  readonly secretHashKeys: SecretHashKeys;
  readonly clock: () => Date;
  /** `randomBytes` of `node:crypto` by default. */
  readonly random?: RandomBytes;
  readonly audit: Audit;
}

/** Creates the administration on top of a store. Throws `bad_configuration` for invalid keys. */
export function createApplications(options: ApplicationsOptions): Applications {
  const { store, clock, random = randomBytes, audit } = options;
  const { applications } = store;
  const hash = createKeyedHash(options.secretHashKeys);
  const record = (facts: Omit<AuditFacts, "at">, by: AuditOrigin = {}) =>
    audit(auditEvent({ ...facts, ...by, at: clock() }));
  const idsOf = ({ tenant_id, application_id, client_id }: Application) => ({ tenant_id, application_id, client_id });

  const newSecret = (application_id: string, created_at: Date) => {
    const client_secret = `wcs_${base64url(random(32))}`;
    const secret_hash = hash.hash(secretPurpose(application_id), client_secret);
    return { client_secret, secret: { secret_id: uuidV7(created_at, random), secret_hash, created_at } };
  };
  const require = async (clientId: string): Promise<Application> => {
    const application = await applications.findByClientId(clientId);
    if (!application) throw new OAuthError("unknown_application", "there is no application with this client_id");
    return application;
  };

  return {
    async create(request, by) {
      const created_at = clock();
      const application_id = uuidV7(created_at, random);
      const { client_secret, secret } = newSecret(application_id, created_at);
      const application = {
        ...parseApplication(newApplicationSchema, request),
        application_id,
        client_id: `${APPLICATION_PREFIX}${base64url(random(16))}`,
        created_at,
      };
      await applications.create({ ...application, secret });
      const created = { ...application, enabled: true, tenant_enabled: true, secrets: [secret] };
      record({ action: "application.created", ...idsOf(created), detail: secret.secret_id }, by);
      return { application: infoOf(created), client_secret };
    },
    async list({ after, ...query }) {
      const place = after !== undefined && isUuid(after) ? { after } : {};
      return (await applications.list({ ...query, ...place })).map(infoOf);
    },
    async find(clientId) {
      return infoOf(await require(clientId));
    },
    async rollSecret(clientId, by) {
      const application = await require(clientId);
      const { client_secret, secret } = newSecret(application.application_id, clock());
      const outcome = await applications.addSecret(application.application_id, secret);
      if (outcome === "unknown_application") throw new OAuthError("unknown_application", "it has just been deleted");
      if (outcome === "of_people")
        throw new OAuthError(
          "invalid_application",
          "people approve through this application, and nobody signs in as it",
        );
      if (outcome === "full")
        throw new OAuthError(
          "secret_limit",
          `an application has at most ${MAX_LIVE_SECRETS} secrets, remove one first`,
        );
      // A client that was locked out with the old secret must not wait with the new one.
      await store.guessLimits.resetFailures(clientId);
      record({ action: "application.secret_added", ...idsOf(application), detail: secret.secret_id }, by);
      return { secret_id: secret.secret_id, client_secret };
    },
    async removeSecret(clientId, secretId, by) {
      const application = await require(clientId);
      if (!isUuid(secretId) || !(await applications.removeSecret(application.application_id, secretId, clock())))
        throw new OAuthError("unknown_secret", "the application has no secret with this id");
      record({ action: "application.secret_removed", ...idsOf(application), detail: secretId }, by);
    },
    async setEnabled(clientId, enabled, by) {
      const application = await require(clientId);
      await applications.setEnabled(application.application_id, enabled, clock());
      record({ action: enabled ? "application.enabled" : "application.disabled", ...idsOf(application) }, by);
    },
    async setTenantEnabled(tenant_id, enabled, by) {
      await applications.setTenantEnabled(tenant_id, enabled, clock());
      record({ action: enabled ? "tenant.enabled" : "tenant.disabled", tenant_id }, by);
    },
    disabledTenants: () => applications.disabledTenants(),
    async updateRedirectUrls(clientId, urls, by) {
      const application = await require(clientId);
      await applications.setRedirectUrls(
        application.application_id,
        parseApplication(redirectUrlsSchema, urls, "redirect_urls"),
      );
      record({ action: "application.redirect_urls_changed", ...idsOf(application) }, by);
    },
    async limitToClients(clientId, clientRefs, by) {
      const application = await require(clientId);
      const refs = parseApplication(clientLimitSchema(application.tenant_id), clientRefs, "client_refs");
      await applications.limitToClients(application.application_id, refs, clock());
      record({ action: "application.clients_changed", ...idsOf(application) }, by);
    },
    async setDpopBound(clientId, isBound, by) {
      const application = await require(clientId);
      await applications.setDpopBound(application.application_id, isBound, clock());
      const detail = isBound ? "demanded" : "optional";
      record({ action: "application.dpop_changed", ...idsOf(application), detail }, by);
    },
    async addScopes(clientId, scopes, by) {
      const application = await require(clientId);
      const added = parseApplication(addedScopesSchema(application.tenant_id), scopes, "scopes");
      await applications.addScopes(application.application_id, added);
      record({ action: "application.scopes_added", ...idsOf(application), detail: added.join(" ") }, by);
    },
  };
}

function infoOf(application: Application): ApplicationInfo {
  return {
    ...application,
    secrets: application.secrets.map(({ secret_id, created_at }) => ({ secret_id, created_at })),
  };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
