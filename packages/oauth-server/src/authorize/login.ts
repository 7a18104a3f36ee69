import type { IncomingMessage } from "node:http";
import { APPLICATION_PREFIX, type Application, type ApplicationStore } from "../ports/application-store.js";
import { ASSIGNABLE_SCOPES, type PersonPower, scopesOf } from "../scopes.js";
import { type RandomBytes, uuidV7 } from "../uuid.js";

/** Who decides on the pages: an application whose credentials this browser remembers, or a signed-in person of a tenant. */
export interface Login {
  /** The application whose data is at stake; for a person the one through which the people of their tenant approve. */
  readonly application: Application & { readonly tenant_id: string };
  /** As recorded in its grants; for a person their id. */
  readonly secret_id: string;
  /** The scopes that can be allowed. */
  readonly scopes: readonly string[];
  readonly person: SignedInPerson | null;
}

/** A person who has signed in to this server. */
export interface SignedInPerson {
  readonly person_id: string;
  readonly session_id: string;
  /** The cookie of their session. Form tokens derive from it, so nobody else can make them. */
  readonly cookie: string;
  readonly name: string;
  /** Null for an operator of the installation, who belongs to no tenant. */
  readonly tenant: { readonly id: string; readonly name: string } | null;
  readonly role: string;
  readonly power: PersonPower;
  /** Their name in the audit trail. */
  readonly actor: string;
}

/** People who sign in elsewhere on this server and may approve clients for their tenant. */
export interface SignedInPeople {
  /** The person who has signed in with this browser. Null for nobody, and when their session or their access has ended. */
  find(request: IncomingMessage): Promise<SignedInPerson | null>;
  /** Whether any tenant has people; if not, the pages do not mention people. */
  areThere(): Promise<boolean>;
  /**
   * Path on this server where a browser signs in. Afterwards the browser returns to `/authorize/continue?request=…&back=yes`
   * with this request, or to `/grants` without one.
   */
  signInPath(request: string | null): string;
  /** Ends the session of this browser. Returns values of `Set-Cookie`. */
  signOut(request: IncomingMessage): Promise<readonly string[]>;
  /** The names of a tenant's people, by id. */
  namesOf(tenantId: string): Promise<ReadonlyMap<string, string>>;
}

/** Null for operators, and when the tenant or the application of its people is disabled. */
export async function personLogin(
  { store, random }: { readonly store: Pick<ApplicationStore, "ofPeople">; readonly random: RandomBytes },
  person: SignedInPerson,
  at: Date,
): Promise<Login | null> {
  if (person.tenant === null) return null;
  const application = await store.ofPeople({
    application_id: uuidV7(at, random),
    tenant_id: person.tenant.id,
    name: "People",
    created_at: at,
    client_id: `${APPLICATION_PREFIX}${Buffer.from(random(16)).toString("base64url")}`,
    scopes: ASSIGNABLE_SCOPES,
    redirect_urls: [],
  });
  if (!application.enabled || !application.tenant_enabled) return null;
  const scopes = scopesOf(person.power).filter((scope) => application.scopes.includes(scope));
  return { application: { ...application, tenant_id: person.tenant.id }, secret_id: person.person_id, scopes, person };
}

/** What a step shows of a login, so that the next step can check whether it is still the same. */
export function loginLabel({ application, person }: Login): string {
  return person?.person_id ?? application.application_id;
}

/** The owner of a login, for the audit trail. */
export function ownerOf({ application: { tenant_id, application_id, client_id }, person }: Login) {
  return { tenant_id, application_id, client_id, actor: person?.actor ?? null };
}
