import { randomUUID } from "node:crypto";
import type { Application, ApplicationSecret } from "../ports/application-store.js";
import type { Approval, ApprovingPerson, Redemption } from "../ports/authorization-store.js";
import type { NewGrant } from "../ports/grant-store.js";
import type { OAuthStore } from "../ports/oauth-store.js";
import type { Uuid } from "../uuid.js";

/** A store under test, created once per suite. The cases use ids of their own, so that the backend need not be emptied. */
export interface OAuthStoreFixture {
  readonly store: OAuthStore;
  /** Creates a tenant in the backend and returns its id. */
  readonly createTenant: () => Promise<string>;
  readonly people: ConformancePeople;
  /** Deletes a disabled tenant with all its data. Without it the cases of deletion are skipped. */
  readonly removeTenant?: (tenantId: string) => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** People of tenants, in the way the backend knows them. */
export interface ConformancePeople {
  /** Adds a signed-in person. @param role admin, member or read */
  add(tenantId: string, role: string): Promise<ApprovingPerson>;
  setRole(tenantId: string, personId: string, role: string): Promise<void>;
  endSession(tenantId: string, person: ApprovingPerson): Promise<void>;
  /** Removes a person, or ends their access because their identity provider no longer names them. */
  remove(tenantId: string, personId: string, how: "removed" | "let go"): Promise<void>;
}

/** What the cases share: the fixture, and functions that create rows in it. */
export class Cases {
  readonly store: OAuthStore;
  readonly createTenant: () => Promise<string>;
  readonly people: ConformancePeople;
  readonly removeTenant: ((tenantId: string) => Promise<void>) | undefined;

  constructor(fixture: OAuthStoreFixture) {
    this.store = fixture.store;
    this.createTenant = fixture.createTenant;
    this.people = fixture.people;
    this.removeTenant = fixture.removeTenant;
  }

  async application(tenantId?: string | null): Promise<Application> {
    const tenant_id = tenantId === undefined ? await this.createTenant() : tenantId;
    const client_id = `wca_${randomUUID()}`;
    await this.store.applications.create({
      application_id: orderedId(),
      tenant_id,
      client_id,
      name: "Case",
      scopes: ["letters:read", "letters:write"],
      redirect_urls: [],
      created_at: noon,
      secret: secret(),
    });
    const application = await this.store.applications.findByClientId(client_id);
    if (!application) throw new Error("the store lost the application it had just taken");
    return application;
  }

  /** The application through which a tenant's people approve. */
  async peopleApplication(tenantId?: string): Promise<Application & { readonly tenant_id: string }> {
    const tenant_id = tenantId ?? (await this.createTenant());
    const application = await this.store.applications.ofPeople({
      application_id: orderedId(),
      tenant_id,
      client_id: `wca_${randomUUID()}`,
      name: "People",
      scopes: ["letters:read", "letters:write"],
      redirect_urls: [],
      created_at: noon,
    });
    return { ...application, tenant_id };
  }

  /** Issues a grant for `application` under its first secret, and returns the request. */
  async grant(application: Application, change: Partial<NewGrant> = {}): Promise<NewGrant> {
    const grant = newGrant(application, change);
    const outcome = await this.store.grants.issueGrant(grant);
    if (outcome !== "issued") throw new Error(`the grant was ${outcome}`);
    return grant;
  }
}

/** Noon of the day of all cases. */
export const noon = new Date("2026-01-15T12:00:00.000Z");

/** Noon plus this many seconds. */
export function later(seconds: number): Date {
  return new Date(noon.getTime() + seconds * 1000);
}

/** A secret row with a unique hash. */
export function secret(createdAt: Date = noon): ApplicationSecret {
  return { secret_id: randomUUID() as string as Uuid, secret_hash: `1.${randomUUID()}`, created_at: createdAt };
}

/** A grant of `application` that lives 24 hours. */
export function newGrant(application: Application, change: Partial<NewGrant> = {}): NewGrant {
  const [first] = application.secrets;
  return {
    grant_id: orderedId(),
    tenant_id: application.tenant_id,
    application_id: application.application_id,
    client_id: application.client_id,
    secret_id: first?.secret_id ?? "",
    flow: "machine",
    scopes: application.scopes,
    audience: ["https://server.example/mcp", "https://server.example"],
    created_at: noon,
    refresh_seconds: 86_400,
    refresh_token_hash: hash(),
    ...change,
  };
}

/** A person's approval of a request for the data of `application`, under its first secret. */
export function approvalOf(application: Application, change: Partial<Approval> = {}): Approval {
  return {
    request_id: orderedId(),
    decision: "approved",
    code_hash: hash(),
    client_id: "a-registered-client",
    redirect_uri: "https://client.example/callback",
    code_challenge: hash(),
    dpop_jkt: null,
    tenant_id: application.tenant_id ?? "",
    application_id: application.application_id,
    secret_id: application.secrets[0]?.secret_id ?? "",
    person: null,
    scopes: ["letters:read"],
    audience: ["https://server.example/mcp", "https://server.example"],
    client_refs: null,
    answered_at: noon,
    expires_at: later(600),
    ...change,
  };
}

/** A correct exchange of the code of an approval. */
export function redemptionOf(approval: Approval, change: Partial<Redemption> = {}): Redemption {
  const { request_id, code_hash, client_id, redirect_uri, code_challenge } = approval;
  return {
    request_id,
    code_hash,
    client_id,
    redirect_uri,
    code_challenge,
    dpop_jkt: null,
    is_confidential: false,
    at: later(60),
    grant: { grant_id: orderedId(), refresh_token_hash: hash(), refresh_seconds: 2_592_000 },
    ...change,
  };
}

/** A token hash that no other case uses. */
export function hash(): string {
  return `1.${randomUUID()}`;
}

let issued = 0;

/** A UUIDv7; later calls return greater ones. */
export function orderedId(): Uuid {
  const time = (noon.getTime() + issued++).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}` as Uuid;
}

/** Runs `work` `count` times concurrently. */
export function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
