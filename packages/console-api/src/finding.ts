import { createTokenBuckets } from "@org/admission";
import { CoreError, parseUuid, searchKey, type Uuid } from "@org/core";
import { actorIdOf, INSTALLATION, type PeopleOperations, type Person } from "@org/people";
import type { RestServices } from "@org/rest-api";

/** The fewest characters that are searched for: the words of a shorter text are in nearly everything. */
const MIN_CHARACTERS = 2;
/** The most results of each kind. */
const FEW = 5;
/** Searches of one person in a minute. */
export const SEARCHES_PER_MINUTE = 240;

/** Something that was found, with what a line needs to name it. Which screen shows it, the page knows. */
export type Found =
  | {
      readonly kind: "letter";
      readonly id: string;
      /** The custodian. */
      readonly name: string;
      readonly status: string;
      readonly labels: Readonly<Record<string, string>>;
      /** Null for a tenant's own people, who have only one. */
      readonly tenant: string | null;
    }
  | {
      readonly kind: "connection";
      readonly id: string;
      /** The bank. */
      readonly name: string;
      readonly state: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly tenant: string | null;
    }
  | {
      readonly kind: "client";
      /** The tenant's own reference. */
      readonly id: string;
      readonly name: string | null;
    }
  | { readonly kind: "tenant"; readonly id: string; readonly name: string; readonly enabled: boolean }
  | { readonly kind: "person"; readonly id: string; readonly name: string; readonly email: string }
  | { readonly kind: "file"; readonly id: string; readonly name: string; readonly source: string };

/** What a search reads. */
export interface FindSources {
  readonly services: Pick<
    RestServices,
    "letterAdmin" | "connectionAdmin" | "tenantClients" | "tenants" | "feedSources" | "applications"
  >;
  readonly people: PeopleOperations;
}

/**
 * Finds things by a text, a few of each kind, within what the person may see: a tenant's people find what is their tenant's. Each kind is one
 * statement, all at the same time.
 */
export async function find({ services, people }: FindSources, person: Person, text: string): Promise<readonly Found[]> {
  const key = searchKey(text);
  if (key.length < MIN_CHARACTERS) return [];
  const isOperator = person.tenant_id === INSTALLATION;
  const tenantId = isOperator ? null : person.tenant_id;
  const id = parseUuid(text.trim());
  const has = (...texts: readonly string[]) => texts.some((one) => searchKey(one).includes(key));
  const found = await Promise.all([clients(), letters(), connections(), tenants(), ownPeople(), files()]);
  return found.flat();

  /** A tenant's people have clients; operators see no tenant's. */
  async function clients(): Promise<readonly Found[]> {
    if (tenantId === null) return [];
    const rows = await services.tenantClients.lookUp(tenantId, text, FEW);
    return rows.map(({ client_ref, name }) => ({ kind: "client", id: client_ref, name }));
  }

  async function letters(): Promise<readonly Found[]> {
    const rows = await services.letterAdmin.lookUp(tenantId, text, FEW);
    return rows.map(({ letter_id, custodian, status, labels, tenant }) => ({
      ...({ kind: "letter", id: letter_id, name: custodian, status, labels } as const),
      tenant: isOperator ? tenant : null,
    }));
  }

  async function connections(): Promise<readonly Found[]> {
    const query = id === null ? { bank: text } : { connection_id: id };
    const { items } = await services.connectionAdmin.search(
      tenantId,
      { query, order: "newest", page_size: FEW },
      isOperator ? undefined : {},
    );
    return items.map(({ connection_id, bank, state, labels, tenant }) => ({
      ...({ kind: "connection", id: connection_id, name: bank, state, labels } as const),
      tenant: isOperator ? tenant : null,
    }));
  }

  async function tenants(): Promise<readonly Found[]> {
    if (!isOperator) return [];
    const rows = await services.tenants.list();
    const matching = rows.filter(({ tenant_id, name }) => tenant_id === id || has(name)).slice(0, FEW);
    return matching.map(({ tenant_id, name, enabled }) => ({ kind: "tenant", id: tenant_id, name, enabled }));
  }

  /** Operators find operators, of whom there are few, as of a tenant's people. */
  async function ownPeople(): Promise<readonly Found[]> {
    const { items } = await people.list(person.tenant_id, { page_size: 500 });
    const matching = items.filter(({ name, email, person_id }) => person_id === id || has(name, email)).slice(0, FEW);
    return matching.map(({ person_id, name, email }) => ({
      kind: "person",
      id: person_id,
      name: name || email,
      email,
    }));
  }

  /** Files that are held, since they are what somebody has to look at. */
  async function files(): Promise<readonly Found[]> {
    if (!isOperator) return [];
    const { items } = await services.feedSources.held({ source: null, limit: 1_000 });
    const matching = items.filter(({ file_id, name }) => file_id === id || has(name)).slice(0, FEW);
    return matching.map(({ file_id, name, source }) => ({ kind: "file", id: file_id, name, source }));
  }
}

/** The most that are offered to choose from, and the most pages of people and of applications that are looked through for them. */
const OFFERED = 20;
const MAX_PAGES = 20;

/** Somebody who acts, by the id that the audit trail has for them. */
export interface FoundActor {
  readonly id: string;
  readonly kind: "person" | "application";
  readonly name: string;
  /** The address of a person. */
  readonly email: string | null;
  readonly tenant_id: string | null;
}

/**
 * Finds who acts by name, address or id: the people of a tenant, or operators without one, also those who were removed; and applications of the
 * tenant, or of all.
 */
export async function findActors(
  { services, people }: Pick<FindSources, "people"> & { readonly services: Pick<RestServices, "applications"> },
  text: string,
  tenantId: Uuid | null,
): Promise<readonly FoundActor[]> {
  const key = searchKey(text);
  const matches = (...texts: readonly string[]) => texts.some((one) => searchKey(one).includes(key));
  return (await Promise.all([persons(), applications()])).flat();

  async function persons(): Promise<readonly FoundActor[]> {
    const found: FoundActor[] = [];
    let page_token: string | undefined;
    for (let page = 0; page < MAX_PAGES && found.length < OFFERED; page += 1) {
      const read = await people.list(tenantId ?? INSTALLATION, { page_size: 500, page_token, ended: true });
      for (const { person_id, name, email } of read.items) {
        const id = actorIdOf(person_id);
        if (matches(name, email, id))
          found.push({ id, kind: "person", name: name || email, email, tenant_id: tenantId });
      }
      if (read.next_page_token === null) break;
      page_token = read.next_page_token;
    }
    return found.slice(0, OFFERED);
  }

  async function applications(): Promise<readonly FoundActor[]> {
    const found: FoundActor[] = [];
    let after: Uuid | null = null;
    for (let page = 0; page < MAX_PAGES && found.length < OFFERED; page += 1) {
      const read: Awaited<ReturnType<RestServices["applications"]["list"]>> = await services.applications.list({
        ...(tenantId !== null && { tenant_id: tenantId }),
        after,
        limit: 500,
      });
      for (const { application_id, name, tenant_id } of read)
        if (matches(name, application_id))
          found.push({ id: application_id, kind: "application", name, email: null, tenant_id });
      if (read.length < 500) break;
      after = parseUuid(read.at(-1)?.application_id ?? "");
    }
    return found.slice(0, OFFERED);
  }
}

/** Limits the searches of each person. @returns a function that counts one, and refuses it with RATE_LIMITED */
export function createSearchLimit(clock: () => Date): (personId: string) => void {
  const buckets = createTokenBuckets(60_000, () => SEARCHES_PER_MINUTE);
  return (personId) => {
    const now = clock().getTime();
    const seconds = buckets.emptyFor(personId, now);
    if (seconds > 0)
      throw new CoreError("RATE_LIMITED", "too many searches", {
        limit: { name: "searches_per_minute", value: SEARCHES_PER_MINUTE },
        retryAfterSeconds: seconds,
      });
    buckets.take(personId, now);
  };
}
