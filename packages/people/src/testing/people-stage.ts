import { randomUUID } from "node:crypto";
import type { AuditEntry, Uuid } from "@org/core";
import { expect } from "vitest";
import type { Passkey, PeopleStores, Person, PersonSession } from "../ports/people-store.js";

/** What a backend provides for the cases. */
export interface PeopleStoresFixture {
  readonly stores: PeopleStores;
  /** Creates a tenant. */
  newTenant(): Promise<Uuid>;
  /** The actions about an object in the audit trail, oldest first. */
  actionsOf(objectId: string): Promise<readonly string[]>;
  close?(): Promise<unknown>;
}

export const noon = new Date("2026-11-23T12:00:00.000Z");
export const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);
export const newId = () => randomUUID() as Uuid;
/** A limit that no case reaches. */
export const ROOM = 1_000;

/** A backend under test, with functions that create people in it. */
export function createStage(make: () => Promise<PeopleStoresFixture> | PeopleStoresFixture) {
  let fixture: PeopleStoresFixture | undefined;
  let tenant: Uuid;
  const made = () => fixture as PeopleStoresFixture;
  const directory = () => made().stores.directory;
  const passkeys = () => made().stores.passkeys;
  const sessions = () => made().stores.sessions;
  const personOf = (change: Partial<Person> = {}) => {
    const person_id = newId();
    return {
      tenant_id: tenant,
      person_id,
      email: `${person_id}@example.com`,
      name: "Ada Z\u00fcrich",
      role: "admin" as const,
      identity: null,
      created_at: noon,
      joined_at: null,
      ...change,
    };
  };
  const invitationOf = (seconds = 60) => ({ invitation_hash: randomUUID(), expires_at: later(seconds) });
  const keyOf = (change: Partial<Passkey> = {}) => ({
    credential_id: randomUUID(),
    public_key: new Uint8Array([1, 2, 255]),
    counter: 0,
    transports: ["usb", "nfc"],
    name: "Firefox on Linux",
    is_backed_up: false,
    created_at: noon,
    used_at: null,
    ...change,
  });
  const joined = async (change: Partial<Person> = {}) => {
    const person = personOf(change);
    const invitation = invitationOf();
    expect(await directory().add(person, invitation, ROOM, entryOf("person.invite", person.person_id))).toBe("added");
    const passkey = keyOf();
    const { invitation_hash } = invitation;
    const joining = {
      invitation_hash,
      at: later(1),
      name: person.name,
      email: null,
      passkey,
      recovery_hashes: [randomUUID(), randomUUID()],
    };
    const there = await directory().join(person.tenant_id, joining, entryOf("person.join", person.person_id));
    return { person: there as Person, passkey, joining };
  };
  const sessionOf = ({ tenant_id, person_id }: Person, change: Partial<PersonSession> = {}): PersonSession => ({
    session_id: newId(),
    session_hash: randomUUID(),
    tenant_id,
    person_id,
    method: "passkey" as const,
    created_at: noon,
    seen_at: noon,
    confirmed_at: noon,
    expires_at: later(600),
    provider_sid: null,
    device: "Firefox",
    ...change,
  });
  const begun = async (person: Person, change: Partial<PersonSession> = {}) => {
    const session = sessionOf(person, change);
    expect(await sessions().begin(session, entryOf("person.sign_in", person.person_id))).toBe(true);
    return session;
  };

  return {
    made,
    directory,
    passkeys,
    sessions,
    personOf,
    invitationOf,
    keyOf,
    joined,
    sessionOf,
    begun,
    tenant: () => tenant,
    async start() {
      fixture = await make();
      tenant = await fixture.newTenant();
    },
    stop: () => fixture?.close?.(),
  };
}

export type Stage = ReturnType<typeof createStage>;

/** An entry for the audit trail. */
export function entryOf(action: string, object_id: string): AuditEntry {
  return {
    audit_id: randomUUID(),
    at: noon,
    actor: "test",
    action,
    object_type: "person",
    object_id,
    trace_id: null,
    address: null,
    facts: {},
  };
}
