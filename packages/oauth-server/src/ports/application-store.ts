import type { Uuid } from "../uuid.js";

/** An application that can get tokens: a tenant's, or the operator's (`tenant_id` null). */
export interface Application {
  /** UUIDv7, the `sub` of its tokens. */
  readonly application_id: string;
  readonly tenant_id: string | null;
  /** Public identifier: `wca_` and random characters; unique. */
  readonly client_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The application's own switch. It is usable only when `tenant_enabled` is true too. */
  readonly enabled: boolean;
  /** Whether its tenant is enabled; true for an operator's application. */
  readonly tenant_enabled: boolean;
  /** Where a connect session may send the browser; compared exactly. */
  readonly redirect_urls: readonly string[];
  /** The valid secrets, oldest first, at most two. */
  readonly secrets: readonly ApplicationSecret[];
  /** The clients of its tenant that it is limited to, by their references; null = no limit, none = nothing. */
  readonly client_refs: readonly string[] | null;
  /** Whether it gets no access tokens but those that are bound to its key (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens: boolean;
  readonly created_at: Date;
}

/** A valid secret of an application, without its plain text. */
export interface ApplicationSecret {
  readonly secret_id: Uuid;
  /** `<key version>.<base64url HMAC-SHA-256>` */
  readonly secret_hash: string;
  readonly created_at: Date;
}

/** Prefix of the client ids of applications, and of no others. */
export const APPLICATION_PREFIX = "wca_";

/** The application that a client id names, and its tenant. */
export type ApplicationOwner = Pick<Application, "application_id" | "tenant_id">;

/** A new application: enabled, with its first secret. */
export type NewApplication = Omit<
  Application,
  "enabled" | "tenant_enabled" | "secrets" | "client_refs" | "dpop_bound_access_tokens"
> & {
  readonly secret: ApplicationSecret;
  /** If omitted, there is no limit. */
  readonly client_refs?: readonly string[] | null;
  /** False if omitted. */
  readonly dpop_bound_access_tokens?: boolean;
};

/** {@link ApplicationStore.ofPeople}: what to create when there is none. */
export type NewPeopleApplication = Omit<NewApplication, "secret" | "client_refs" | "dpop_bound_access_tokens"> & {
  readonly tenant_id: string;
};

/** Applications of all tenants and of the operator. Each method is one transaction. */
export interface ApplicationStore {
  /** Stores a new application of an existing tenant. Rejects when an id is taken. */
  create(application: NewApplication): Promise<void>;
  /** @param network that of a caller who may have made the id up, as in `OAuthStore` */
  findByClientId(clientId: string, network?: string): Promise<Application | null>;
  /**
   * Returns the application through which a tenant's people approve clients, creating it if there is none. Each tenant has at
   * most one, and it has no secret. Of concurrent calls the first creates it, and all get the same one.
   */
  ofPeople(application: NewPeopleApplication): Promise<Application>;
  /**
   * Ordered by `application_id` (oldest first), starting behind `after`. Without `tenant_id` it lists all owners; null = the
   * operator's.
   */
  list(query: { tenant_id?: string | null; after?: Uuid; limit: number }): Promise<readonly Application[]>;
  /**
   * Disabling ends, in the same transaction, every grant for the application's data and every grant it holds as the OAuth
   * client of another application. False when there is no such application.
   */
  setEnabled(applicationId: string, enabled: boolean, at: Date): Promise<boolean>;
  /** The same for all applications of a tenant, which keep their own switches. */
  setTenantEnabled(tenantId: string, enabled: boolean, at: Date): Promise<void>;
  /** Ids of the disabled tenants. */
  disabledTenants(): Promise<readonly string[]>;
  /** The owners of these client ids; ids that name no application are omitted. */
  ownersOf(clientIds: readonly string[]): Promise<ReadonlyMap<string, ApplicationOwner>>;
  /** Replaces the whole list. False when there is no such application. */
  setRedirectUrls(applicationId: string, urls: readonly string[]): Promise<boolean>;
  /**
   * Limits a tenant's application to some clients, which are made where there are none; null = no limit. It holds for tokens that there are.
   * A limit follows a client's new reference, and a client that is deleted leaves it. False when there is no such application.
   */
  limitToClients(applicationId: string, clientRefs: readonly string[] | null, at: Date): Promise<boolean>;
  /** The clients that an application is limited to at this moment; null = no limit. None for an unknown one. */
  clientRefsOf(applicationId: string): Promise<readonly string[] | null>;
  /**
   * Changes whether its access tokens must be bound. When that begins, every grant that it holds as an OAuth client ends in the same transaction, as
   * its tokens may not be bound. False when there is no such application.
   */
  setDpopBound(applicationId: string, isBound: boolean, at: Date): Promise<boolean>;
  /** Adds the scopes that it lacks. False when there is no such application. */
  addScopes(applicationId: string, scopes: readonly string[]): Promise<boolean>;
}

/** Secrets of applications, at most {@link MAX_LIVE_SECRETS} each. Each method is one transaction. */
export interface SecretStore {
  /** Adds a secret; of concurrent calls for the last place exactly one succeeds. `of_people`: that application never has a secret. */
  addSecret(
    applicationId: string,
    secret: ApplicationSecret,
  ): Promise<"added" | "full" | "of_people" | "unknown_application">;
  /**
   * Removes a secret and ends every grant with this `secret_id`. Grants that the application holds as the OAuth client of
   * another application stay alive: it is not stored which secret it used for them, and ending them all would cut off a client
   * that rolls its secret. Disabling the application or its tenant ends those. False when the application has no such secret.
   */
  removeSecret(applicationId: string, secretId: Uuid, at: Date): Promise<boolean>;
  /** Replaces the hash of a secret with one under another key, unless it has changed in the meantime. */
  rehashSecret(secretId: Uuid, hashes: { readonly from: string; readonly to: string }): Promise<void>;
}

/** Two, so that a secret can be rolled without interruption (contract §2). */
export const MAX_LIVE_SECRETS = 2;

/** How many applications of one owner are read together; no owner comes close to it. */
export const MAX_APPLICATIONS = 1_000;
