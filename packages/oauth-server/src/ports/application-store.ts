import type { Uuid } from "../uuid.js";

/** An application that may ask for tokens: a tenant's, or the operator's (`tenant_id` null). */
export interface Application {
  /** UUIDv7, the `sub` of its tokens. */
  readonly application_id: string;
  readonly tenant_id: string | null;
  /** Public name, `wca_` and random characters; unique. */
  readonly client_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Its own switch. It is usable when `tenant_enabled` holds too. */
  readonly enabled: boolean;
  /** Whether its tenant is switched on; true for an operator's application. */
  readonly tenant_enabled: boolean;
  /** Where a connect session may send the browser back to; compared exactly. */
  readonly redirect_urls: readonly string[];
  /** The live secrets, oldest first, at most two. */
  readonly secrets: readonly ApplicationSecret[];
  readonly created_at: Date;
}

/** One live secret of an application: never the secret itself. */
export interface ApplicationSecret {
  readonly secret_id: Uuid;
  /** `<key version>.<base64url HMAC-SHA-256>` */
  readonly secret_hash: string;
  readonly created_at: Date;
}

/** Begins the client ids of applications, and no others. */
export const APPLICATION_PREFIX = "wca_";

/** Which application a client id names, and the tenant that it belongs to. */
export type ApplicationOwner = Pick<Application, "application_id" | "tenant_id">;

/** An application as it is created: enabled, with its first secret. */
export type NewApplication = Omit<Application, "enabled" | "tenant_enabled" | "secrets"> & {
  readonly secret: ApplicationSecret;
};

/** {@link ApplicationStore.ofPeople}: what to keep where there is none. */
export type NewPeopleApplication = Omit<NewApplication, "secret"> & { readonly tenant_id: string };

/** Applications of all tenants and of the operator. Each method is one transaction. */
export interface ApplicationStore {
  /** Keeps a new application of a tenant that exists. Rejects when an id is taken. */
  create(application: NewApplication): Promise<void>;
  findByClientId(clientId: string): Promise<Application | null>;
  /**
   * The application through which a tenant's people allow what they do: there is one at most, and it has no secret. Of any number of
   * calls for a tenant that has none the first keeps its own; all are answered the same.
   */
  ofPeople(application: NewPeopleApplication): Promise<Application>;
  /** Ordered by `application_id` (oldest first), those after `after`. Without `tenant_id` of all owners; null = the operator's. */
  list(query: { tenant_id?: string | null; after?: Uuid; limit: number }): Promise<readonly Application[]>;
  /**
   * Switching off ends, in the same transaction, every grant for the application's data and every one that it holds as the OAuth
   * client of another application's. False when there is no such application.
   */
  setEnabled(applicationId: string, enabled: boolean, at: Date): Promise<boolean>;
  /** The same for all applications of a tenant, which keep their own switches. */
  setTenantEnabled(tenantId: string, enabled: boolean, at: Date): Promise<void>;
  /** Ids of the tenants that are switched off. */
  disabledTenants(): Promise<readonly string[]>;
  /** Whose these client ids are; those that name no application are left out. */
  ownersOf(clientIds: readonly string[]): Promise<ReadonlyMap<string, ApplicationOwner>>;
  /** Replaces the whole list. False when there is no such application. */
  setRedirectUrls(applicationId: string, urls: readonly string[]): Promise<boolean>;
  /** Adds those that it does not have. False when there is no such application. */
  addScopes(applicationId: string, scopes: readonly string[]): Promise<boolean>;
}

/** Secrets of applications, at most {@link MAX_LIVE_SECRETS} each. Each method is one transaction. */
export interface SecretStore {
  /** Adds a secret; of calls that race for the last place exactly one gets it. `of_people`: that application has none. */
  addSecret(
    applicationId: string,
    secret: ApplicationSecret,
  ): Promise<"added" | "full" | "of_people" | "unknown_application">;
  /**
   * Removes a secret and ends every grant whose `secret_id` it is. Grants that the application holds as the OAuth client of
   * another one's data live on: which secret it showed for them is not kept, and to end them all would cut off a client that
   * rolls its secret. Switching it or its tenant off ends those. False when the application has no such secret.
   */
  removeSecret(applicationId: string, secretId: Uuid, at: Date): Promise<boolean>;
  /** Replaces the hash of a secret by one under another key, unless it is another one meanwhile. */
  rehashSecret(secretId: Uuid, hashes: { readonly from: string; readonly to: string }): Promise<void>;
}

/** Two, so that a secret can be rolled without an interruption (contract §2). */
export const MAX_LIVE_SECRETS = 2;

/** How many applications of one owner are read at once; nobody has come near it. */
export const MAX_APPLICATIONS = 1_000;
