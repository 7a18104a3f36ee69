import type { AuditEvent } from "../audit.js";
import type { SignedInPeople } from "../authorize/login.js";
import { type Application, type ApplicationStore, MAX_APPLICATIONS } from "../ports/application-store.js";
import type { ClientStore } from "../ports/client-store.js";
import type { ClientLimit, Grant, GrantStore, HeldGrants, HolderKey } from "../ports/grant-store.js";
import type { GrantedClient, GrantedClients } from "../ports/granted-clients.js";
import { GRANTS_SCOPE } from "../scopes.js";
import { isUuid } from "../uuid.js";

/** The holder of a grant, in names that its tenant knows. */
interface HolderNames {
  /** The client's own name, or else what distinguishes it. */
  readonly client_name: string;
  /** Whether the client is one of the owner's applications; otherwise the name is unverified. */
  readonly is_verified: boolean;
  readonly application_name: string;
  /** `client_id` of the application whose data the client accesses. */
  readonly application_client_id: string;
  /** The person who approved it; the name is null when it is no longer known. */
  readonly person: { readonly person_id: string; readonly name: string | null } | null;
  /** The clients of the tenant that it is limited to, by reference; null = no limit, none = nothing. */
  readonly clients: readonly GrantedClient[] | null;
}

/** A grant with names that its tenant knows. */
export interface NamedGrant extends Grant, HolderNames {}

/** The grants of one client through one application, with the same names. */
export interface NamedHolder extends Omit<HeldGrants, "client_refs">, HolderNames {}

/** One page of holders. */
export interface HolderPage {
  readonly holders: readonly NamedHolder[];
  /** Cursor of the next page; null on the last. */
  readonly next: string | null;
}

/** One page of grants, oldest first. */
export interface GrantPage {
  readonly grants: readonly NamedGrant[];
  /** Id to continue behind; null on the last page. */
  readonly next: string | null;
}

/**
 * The grants that a caller may see and end: those of one application or, with `application_id` null, of all the owner's
 * applications; with `person_id` only those that this person approved.
 */
export interface GrantsReach {
  /** Null = the operator's. */
  readonly tenant_id: string | null;
  readonly application_id: string | null;
  readonly person_id?: string;
  /** Of the clients that a grant is limited to, only these are named; all if omitted or null. */
  readonly client_refs?: readonly string[] | null;
}

/**
 * What an application's credentials give access to: its own grants, and with `grants:manage` those of all its tenant's
 * applications, unless it is limited to some clients. An operator's application reaches all of the operator's.
 */
export function reachOf({ tenant_id, application_id, scopes, client_refs }: Application): GrantsReach {
  const isAll = tenant_id === null || (scopes.includes(GRANTS_SCOPE) && client_refs === null);
  return { tenant_id, application_id: isAll ? null : application_id, client_refs };
}

/** Restricts the reach: to an application by its `client_id`, to the client that holds the tokens, to the approving person. */
interface GrantsPart {
  readonly person?: string | undefined;
  readonly application?: string | undefined;
  readonly client?: string | undefined;
}

/** The event that all grants of a client were ended. It is one line, however many grants there were. */
export function holderEnded(
  whose: Pick<AuditEvent, "tenant_id" | "application_id" | "client_id">,
  ended: number,
): Pick<AuditEvent, "action" | "detail" | "tenant_id" | "application_id" | "client_id"> {
  return { action: "client.grants_ended", ...whose, detail: `${ended} grants` };
}

/** The grants of one owner's applications. Grants beyond the reach are treated as if they did not exist. */
export interface TenantGrants {
  /** Without a part it lists everything within reach. */
  list(
    query: GrantsReach &
      GrantsPart & {
        /** Oldest first by default. */
        readonly order?: "newest" | "oldest";
        readonly after?: string;
        readonly limit: number;
        readonly at: Date;
      },
  ): Promise<GrantPage>;
  /** The same grants, grouped by their holder. */
  listHolders(
    query: GrantsReach &
      Omit<GrantsPart, "client"> & { readonly after?: string; readonly limit: number; readonly at: Date },
  ): Promise<HolderPage>;
  /** Ends all grants of a client within reach. Returns their number, and the application if only one was meant. */
  endAll(
    query: GrantsReach & GrantsPart & { readonly client: string; readonly flow?: Grant["flow"]; readonly at: Date },
  ): Promise<{ readonly ended: number; readonly application_id: string | null }>;
  /** Ends a grant. Returns it as it was; null when there is no such grant within reach, or it has ended. */
  end(query: GrantsReach & { readonly grant_id: string; readonly at: Date }): Promise<Grant | null>;
}

/** Creates them on top of the stores. */
export function createTenantGrants(
  stores: { grants: GrantStore; applications: ApplicationStore; clients: Pick<ClientStore, "findClient"> },
  others: { people?: Pick<SignedInPeople, "namesOf">; tenantClients?: GrantedClients } = {},
): TenantGrants {
  const { people, tenantClients } = others;
  const { grants, applications, clients } = stores;
  const nameOf = async (clientId: string): Promise<string> => {
    if (clientId.startsWith("https://") && URL.canParse(clientId)) return new URL(clientId).host;
    return (await clients.findClient(clientId))?.client_name ?? clientId;
  };
  /** The owner's applications, and the selected one: undefined = all; null = one that is not within reach. */
  const reachable = async (
    { tenant_id, application_id, person_id }: GrantsReach,
    { application, client, person }: GrantsPart,
  ) => {
    const own = await applications.list({ tenant_id, limit: MAX_APPLICATIONS });
    const by = person_id ?? person;
    const isAnybody = by === undefined || (isUuid(by) && (person === undefined || person === by));
    const whose = by === undefined ? {} : { person_id: by };
    if ((client !== undefined && !CLIENT_ID.test(client)) || !isAnybody) return { own, chosen: null, whose };
    if (application === undefined) return { own, chosen: application_id ?? undefined, whose };
    const named = own.find(({ client_id }) => client_id === application)?.application_id;
    const isWithinReach = named !== undefined && (application_id === null || named === application_id);
    return { own, chosen: isWithinReach ? named : null, whose };
  };
  /** The clients that are limits, by reference. */
  const clientsOf = async ({ tenant_id, client_refs = null }: GrantsReach, held: readonly ClientLimit[]) => {
    const isNamed = (ref: string) => client_refs === null || client_refs.includes(ref);
    const refs = [...new Set(held.flatMap((each) => each.client_refs ?? []))].filter(isNamed);
    if (tenant_id === null || refs.length === 0) return new Map<string, GrantedClient>();
    const found = await tenantClients?.list(tenant_id, { client_refs: refs, limit: refs.length });
    return new Map(found?.items.map((client) => [client.client_ref, client]));
  };
  const namesOf = async (
    reach: GrantsReach,
    own: readonly Application[],
    held: readonly (Pick<Grant, "application_id" | "client_id" | "person_id"> & ClientLimit)[],
  ) => {
    const { tenant_id: tenantId } = reach;
    const isByPeople = tenantId !== null && held.some(({ person_id }) => person_id !== null);
    const peoples = isByPeople ? await people?.namesOf(tenantId) : undefined;
    const names = new Map(own.map(({ client_id, name }) => [client_id, name]));
    for (const id of new Set(held.map(({ client_id }) => client_id)))
      if (!names.has(id)) names.set(id, await nameOf(id));
    const byId = new Map(own.map((application) => [application.application_id, application]));
    const limits = await clientsOf(reach, held);
    return <Held extends Pick<Grant, "application_id" | "client_id" | "person_id"> & ClientLimit>({
      client_refs,
      ...each
    }: Held) => ({
      ...each,
      clients: client_refs === null ? null : client_refs.flatMap((ref) => limits.get(ref) ?? []),
      person:
        each.person_id === null ? null : { person_id: each.person_id, name: peoples?.get(each.person_id) ?? null },
      is_verified: own.some(({ client_id }) => client_id === each.client_id),
      client_name: names.get(each.client_id) ?? each.client_id,
      application_name: byId.get(each.application_id)?.name ?? each.application_id,
      application_client_id: byId.get(each.application_id)?.client_id ?? each.application_id,
    });
  };

  return {
    async list({ application, client, person, order, limit, at, after, ...reach }) {
      const { own, chosen, whose } = await reachable(reach, { application, client, person });
      if (chosen === null) return { grants: [], next: null };
      const found = await grants.listGrants({
        tenant_id: reach.tenant_id,
        at,
        limit: limit + 1,
        ...whose,
        ...(chosen !== undefined && { application_id: chosen }),
        ...(client !== undefined && { client_id: client }),
        ...(order !== undefined && { order }),
        ...(after !== undefined && isUuid(after) && { after }),
      });
      const { page, next } = pageOf(found, limit, ({ grant_id }) => grant_id);
      return { grants: page.map(await namesOf(reach, own, page)), next };
    },
    async listHolders({ application, limit, at, after, ...reach }) {
      const { own, chosen, whose } = await reachable(reach, { application });
      if (chosen === null) return { holders: [], next: null };
      const place = after === undefined ? null : placeOf(after);
      const found = await grants.listHolders({
        tenant_id: reach.tenant_id,
        at,
        limit: limit + 1,
        ...whose,
        ...(chosen !== undefined && { application_id: chosen }),
        ...(place && { after: place }),
      });
      const { page, next } = pageOf(found, limit, textOf);
      return { holders: page.map(await namesOf(reach, own, page)), next };
    },
    async endAll({ application, client, person, flow, at, ...reach }) {
      const { chosen, whose } = await reachable(reach, { application, client, person });
      if (chosen === null) return { ended: 0, application_id: null };
      const holder = {
        tenant_id: reach.tenant_id,
        client_id: client,
        ...whose,
        ...(chosen !== undefined && { application_id: chosen }),
        ...(flow !== undefined && { flow }),
      };
      return { ended: await grants.endGrantsOfClient(holder, at), application_id: chosen ?? null };
    },
    async end({ tenant_id, application_id, person_id, grant_id, at }) {
      const grant = isUuid(grant_id) ? await grants.findGrant(grant_id) : null;
      if (!grant || grant.tenant_id !== tenant_id) return null;
      if (application_id !== null && grant.application_id !== application_id) return null;
      if (person_id !== undefined && grant.person_id !== person_id) return null;
      return (await grants.endGrant(grant.grant_id, at, tenant_id)) ? grant : null;
    },
  };
}

/** No client id has any other form. */
const CLIENT_ID = /^[\x21-\x7e]{1,2048}$/;
const FLOWS: readonly unknown[] = ["asserted", "browser", "machine"] satisfies Grant["flow"][];

/** Splits one row more than a page into the page and the cursor behind its last row; the cursor is null on the last page. */
function pageOf<Held>(found: readonly Held[], limit: number, placeBehind: (last: Held) => string) {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next: found.length > limit && last !== undefined ? placeBehind(last) : null };
}

/** The cursor behind a holder, as text for a URL. */
function textOf({ application_id, client_id, flow, person_id }: HolderKey): string {
  return Buffer.from(JSON.stringify([application_id, client_id, flow, person_id])).toString("base64url");
}

/** Parses a cursor. Null when it is invalid: the list then starts at the beginning. */
function placeOf(text: string): HolderKey | null {
  try {
    const [application_id, client_id, flow, person_id = null] = JSON.parse(
      Buffer.from(text, "base64url").toString("utf8"),
    );
    const isPlace = isUuid(application_id) && CLIENT_ID.test(client_id) && FLOWS.includes(flow);
    return isPlace && (person_id === null || isUuid(person_id)) ? { application_id, client_id, flow, person_id } : null;
  } catch {
    return null;
  }
}
