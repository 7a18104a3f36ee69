import type { IncomingMessage } from "node:http";
import { APPLICATION_PREFIX, type Application, type ApplicationStore } from "../ports/application-store.js";
import { ASSIGNABLE_SCOPES, type PersonPower, scopesOf } from "../scopes.js";
import { type RandomBytes, uuidV7 } from "../uuid.js";

/** Who decides on the pages: an application whose credentials this browser has shown, or a person of a tenant who has signed in. */
export interface Login {
  /** Whose data is at stake; of a person the one through which their tenant's people approve. */
  readonly application: Application & { readonly tenant_id: string };
  /** As its grants have it: of a person their id. */
  readonly secret_id: string;
  /** What can be allowed. */
  readonly scopes: readonly string[];
  readonly person: SignedInPerson | null;
}

/** Somebody who has signed in on this server with a sign-in of their own. */
export interface SignedInPerson {
  readonly person_id: string;
  readonly session_id: string;
  /** The value of the cookie of their session: what is made of it nobody else can make. */
  readonly cookie: string;
  readonly name: string;
  /** Null for an operator of the installation, who belongs to no tenant. */
  readonly tenant: { readonly id: string; readonly name: string } | null;
  readonly role: string;
  readonly power: PersonPower;
  /** What the audit trail calls them. */
  readonly actor: string;
}

/** People who sign in elsewhere on this server, and may approve clients for their tenant. */
export interface SignedInPeople {
  /** Who has signed in with this browser. Null for nobody, and for whose session or time here has ended. */
  find(request: IncomingMessage): Promise<SignedInPerson | null>;
  /** Whether there is anybody of a tenant who could: if not, the pages do not speak of people. */
  areThere(): Promise<boolean>;
  /**
   * Where a browser signs in, a path of this server. It comes back to `/authorize/continue?request=…&back=yes` with this request, to
   * `/grants` without.
   */
  signInPath(request: string | null): string;
  /** Ends the session of this browser. Values of `Set-Cookie`. */
  signOut(request: IncomingMessage): Promise<readonly string[]>;
  /** What a tenant's people are called, by id. */
  namesOf(tenantId: string): Promise<ReadonlyMap<string, string>>;
}

/** Null for operators, and where the tenant or its people are switched off. */
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

/** What a step shows of a login, so that the next one can tell whether it is still the same. */
export function loginLabel({ application, person }: Login): string {
  return person?.person_id ?? application.application_id;
}

/** Whose login it is, for the audit trail. */
export function ownerOf({ application: { tenant_id, application_id, client_id }, person }: Login) {
  return { tenant_id, application_id, client_id, actor: person?.actor ?? null };
}
