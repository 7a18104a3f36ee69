import {
  type Actor,
  type AuditVerb,
  auditEntry,
  CoreError,
  conflict,
  createPager,
  invalidAll,
  invalidValue,
  isStorableText,
  parseUuid,
  type Runtime,
  type Uuid,
} from "@org/core";
import { z } from "zod";
import { actorIdOf, newBearer } from "./bearer-text.js";
import { INSTALLATION, rolesOf } from "./installation.js";
import type { PeopleDirectory, Person } from "./ports/people-store.js";
import type { Role } from "./roles.js";

/** Maximum number of people of one tenant, or of the installation. */
export const MAX_PEOPLE = 500;
/** Lifetime of an invitation. */
export const INVITATION_MS = 3 * 86_400_000;

/**
 * The placeholder address of the first operator when none is configured; they enter their own when they join. It cannot receive
 * mail (RFC 6761).
 */
export const NO_ADDRESS = "operator@wealth-connect.invalid";

/** A person to invite. */
export interface NewPerson {
  readonly email: string;
  /** Default: the part of the address before the @. They can change it when they join. */
  readonly name?: string | undefined;
  readonly role: string;
}

/** A person as administrators see them. */
export interface PersonView {
  readonly person_id: Uuid;
  /** Null for the installation's people. */
  readonly tenant_id: Uuid | null;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly state: "invited" | "active" | "ended";
  /** How they sign in. */
  readonly signs_in_with: "passkey" | "oidc";
  readonly created_at: string;
  readonly joined_at: string | null;
  readonly seen_at: string | null;
  /** When their invitation expires; null = there is none. */
  readonly invited_until: string | null;
  readonly ended_at: string | null;
}

/** An invitation; its link is returned only here. */
export interface Invited {
  readonly person: PersonView;
  /** Hand it to the person only: whoever opens it first becomes them. */
  readonly link: string;
  readonly expires_at: string;
}

/** The people that are administered. */
export interface PeopleOf {
  /** `INSTALLATION` for operators. */
  readonly tenant_id: Uuid;
  /** Whether the request comes from one of these people: then an administrator must remain. The installation must always keep one. */
  readonly isOwn: boolean;
}

/** The administration of people. Everything is within one tenant; `INSTALLATION` for operators. */
export function createPeopleOperations(deps: {
  readonly store: PeopleDirectory;
  readonly runtime: Runtime;
  readonly publicUrl: string;
  /** As for `createSigningIn`: these tenants invite no one. */
  readonly hasProviderOnly?: (tenantId: Uuid) => boolean;
}) {
  const { store, runtime, publicUrl, hasProviderOnly = () => false } = deps;
  const page = createPager(runtime.mac);
  const entryOf = (who: Actor, action: AuditVerb<"person">, id: string, facts = {}) =>
    auditEntry(runtime, who, `person.${action}`, "person", id, facts);
  const newInvitation = (tenantId: Uuid) => {
    const expires_at = new Date(runtime.clock().getTime() + INVITATION_MS);
    const { text, hash } = newBearer(runtime, "invitation", { tenant_id: tenantId, expires_at });
    // After #, so that no server, proxy or log on the way sees it.
    return { invitation: { invitation_hash: hash, expires_at }, link: `${publicUrl}/console/join#${text}` };
  };

  const operations = {
    /** @throws CoreError VALIDATION_ERROR on `email`, `name`, `role`; CONFLICT when the address is taken; RATE_LIMITED at {@link MAX_PEOPLE} */
    async invite(who: Actor, tenantId: Uuid, input: NewPerson): Promise<Invited> {
      requireInvitations(tenantId);
      const { email, name, role } = check(tenantId, input);
      const person = {
        tenant_id: tenantId,
        person_id: runtime.newId(),
        email,
        name,
        role,
        identity: null,
        created_at: runtime.clock(),
        joined_at: null,
      };
      const { invitation, link } = newInvitation(tenantId);
      const added = await store.add(person, invitation, MAX_PEOPLE, entryOf(who, "invite", person.person_id, { role }));
      if (added === "taken") throw emailTaken();
      if (added === "full")
        throw new CoreError("RATE_LIMITED", `there are ${MAX_PEOPLE} people at most: remove one first`, {
          limit: { name: "people", value: MAX_PEOPLE },
        });
      return {
        person: personView({ ...person, seen_at: null, invited_until: invitation.expires_at, ended_at: null }),
        link,
        expires_at: iso(invitation.expires_at),
      };
    },

    /**
     * Creates a new link for a person who was invited, or who has lost every key; it replaces the previous one.
     * @throws CoreError NOT_FOUND
     */
    async inviteAgain(who: Actor, tenantId: Uuid, personId: string): Promise<Invited> {
      requireInvitations(tenantId);
      const id = parseUuid(personId);
      const { invitation, link } = newInvitation(tenantId);
      const invited = id && (await store.invite(tenantId, id, invitation, entryOf(who, "invite_again", id)));
      const person = invited ? await store.find(tenantId, id) : null;
      if (!person) throw unknownPerson();
      return { person: personView(person), link, expires_at: iso(invitation.expires_at) };
    },

    /**
     * Invites the first operator of an installation in which no one can sign in, again if the invitation has expired.
     * @param email null = they enter it when they join
     * @returns null when an operator has joined or has a valid invitation, or when invitations are disabled
     */
    async inviteFirst(who: Actor, email: string | null): Promise<Invited | null> {
      if (hasProviderOnly(INSTALLATION)) return null;
      const people = await store.list({ tenant_id: INSTALLATION, after: null, limit: MAX_PEOPLE, ended: false });
      const all = people.filter(({ role }) => role === "operator");
      const now = runtime.clock();
      if (all.some((one) => one.joined_at || (one.invited_until && one.invited_until > now))) return null;
      const before = all.find((one) => one.email === (email ?? NO_ADDRESS));
      if (before) return operations.inviteAgain(who, INSTALLATION, before.person_id);
      return operations
        .invite(who, INSTALLATION, { email: email ?? NO_ADDRESS, role: "operator" })
        .catch((error: unknown) => {
          // Another server that is starting has just done so.
          if (error instanceof CoreError && error.code === "CONFLICT") return null;
          throw error;
        });
    },

    /** Oldest first. @throws CoreError VALIDATION_ERROR on `page_token` */
    async list(
      tenantId: Uuid,
      search: { page_size: number; page_token?: string | undefined; ended?: boolean | undefined },
    ) {
      const ended = search.ended ?? false;
      const { rows, next_page_token } = await page<Person, Uuid>({
        query: ["people", tenantId, ended],
        token: search.page_token,
        size: search.page_size,
        rows: (after, limit) => store.list({ tenant_id: tenantId, after, limit, ended }),
        keyOf: ({ person_id }) => person_id,
        readKey: parseUuid,
      });
      return { items: rows.map(personView), next_page_token };
    },

    /**
     * @throws CoreError NOT_FOUND, VALIDATION_ERROR on `name` and `role`, CONFLICT for one's own role and for the last
     * administrator
     */
    async change(
      who: Actor,
      owner: PeopleOf,
      personId: string,
      input: { name?: string | undefined; role?: string | undefined },
    ) {
      const { tenant_id } = owner;
      const faults = [...nameFaults(input.name), ...roleFaults(tenant_id, input.role)];
      if (faults.length > 0) throw invalidAll(faults);
      const id = parseUuid(personId);
      if (id && input.role !== undefined && who.application_id === actorIdOf(id))
        throw conflict("own_role", "nobody changes their own role: ask somebody else who administers people");
      const change = {
        ...(input.name !== undefined && { name: input.name.trim() }),
        ...(input.role !== undefined && { role: input.role as Role }),
      };
      const facts = input.role === undefined ? {} : { role: input.role };
      const keep = roleToKeep(owner);
      const changed = id && (await store.change(tenant_id, id, change, keep, entryOf(who, "change", id, facts)));
      if (changed === "last_administrator") throw lastAdministrator();
      if (!changed) throw unknownPerson();
      return personView(changed);
    },

    /** Removes a person and ends their sessions immediately. @throws CoreError NOT_FOUND, CONFLICT for the last administrator */
    async end(who: Actor, owner: PeopleOf, personId: string): Promise<PersonView> {
      const id = parseUuid(personId);
      const { tenant_id } = owner;
      const ended = id && (await store.end(tenant_id, id, runtime.clock(), roleToKeep(owner), entryOf(who, "end", id)));
      if (ended === "last_administrator") throw lastAdministrator();
      const person = ended ? await store.find(tenant_id, id) : null;
      if (!person) throw unknownPerson();
      return personView(person);
    },
  };
  return operations;

  function requireInvitations(tenantId: Uuid): void {
    if (hasProviderOnly(tenantId))
      throw conflict("provider_only", "people sign in with their identity provider only: it says who gets in");
  }
}

export type PeopleOperations = ReturnType<typeof createPeopleOperations>;

/** Converts a person to what administrators see. */
export function personView(person: Person): PersonView {
  const { person_id, tenant_id, email, name, role, identity, created_at, joined_at, seen_at } = person;
  const { invited_until, ended_at } = person;
  return {
    person_id,
    tenant_id: tenant_id === INSTALLATION ? null : tenant_id,
    email,
    name,
    role,
    state: ended_at ? "ended" : joined_at ? "active" : "invited",
    signs_in_with: identity ? "oidc" : "passkey",
    created_at: iso(created_at),
    joined_at: joined_at && iso(joined_at),
    seen_at: seen_at && iso(seen_at),
    invited_until: invited_until && iso(invited_until),
    ended_at: ended_at && iso(ended_at),
  };
}

/** Control characters, line ends, and marks that could make a name look like another. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Faults of a name; none when it is omitted. */
export function nameFaults(name: string | undefined) {
  const plain = name?.trim();
  if (plain === undefined || (plain !== "" && plain.length <= 100 && isStorableText(plain) && !UNSHOWABLE.test(plain)))
    return [];
  return [invalidValue("name", "must be 1 to 100 characters in one line, without marks that turn its direction")];
}

/** Normalizes an address; null when it is invalid. Only ASCII letters are allowed, so that no two addresses look alike. */
export function normalizeEmail(email: string): string | null {
  const address = email.trim();
  return address.length <= 254 && z.email().safeParse(address).success ? address.toLowerCase() : null;
}

/** The fault of an invalid address. */
export function notAnAddress() {
  return invalidValue("email", "must be an e-mail address");
}

/** The refusal of an address that another person has. */
export function emailTaken(): CoreError {
  return conflict("address_taken", "somebody with this e-mail address is here already", {
    details: [invalidValue("email", "must not be the address of somebody who is here already")],
  });
}

function check(tenantId: Uuid, { email, name, role }: NewPerson) {
  const address = normalizeEmail(email);
  const faults = [...(address ? [] : [notAnAddress()]), ...nameFaults(name), ...roleFaults(tenantId, role)];
  if (faults.length > 0) throw invalidAll(faults);
  const kept = address as string;
  return { email: kept, name: name?.trim() ?? (kept.split("@")[0] as string), role: role as Role };
}

function roleFaults(tenantId: Uuid, role: string | undefined) {
  const roles = rolesOf(tenantId);
  if (role === undefined || (roles as readonly string[]).includes(role)) return [];
  return [invalidValue("role", `must be one of ${roles.join(", ")}`)];
}

function unknownPerson(): CoreError {
  return new CoreError("NOT_FOUND", "PersonNotFound");
}

function lastAdministrator(): CoreError {
  return conflict(
    "last_administrator",
    "nobody else who has joined administers people here: let somebody else do so first, as operator or admin",
  );
}

function roleToKeep({ tenant_id, isOwn }: PeopleOf): Role | null {
  if (tenant_id === INSTALLATION) return "operator";
  return isOwn ? "admin" : null;
}

function iso(at: Date): string {
  return at.toISOString();
}
