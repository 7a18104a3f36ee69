import type { AuditEntry, Uuid } from "@org/core";
import type { Invitation, Passkey, PeopleCount, PeopleStores, Person, PersonSession } from "../ports/people-store.js";
import type { Role } from "../roles.js";
import { createMemoryViews } from "./memory-views.js";

/** How long a removed person who never joined is kept. */
const KEPT_MS = 30 * 86_400_000;

type Kept = Omit<Person, "invited_until"> & { readonly invitation: Invitation | null };

/** People in memory, with the entries of the audit trail. */
export function createMemoryPeopleStores(): PeopleStores & { readonly entries: readonly AuditEntry[] } {
  const people = new Map<Uuid, Kept>();
  const keys = new Map<string, Passkey & { readonly tenant_id: Uuid }>();
  const codes = new Map<string, { readonly tenant_id: Uuid; readonly person_id: Uuid }>();
  const sessions = new Map<Uuid, PersonSession>();
  const hints = new Map<Uuid, string | null>();
  const spent = new Map<Uuid, Date>();
  const endAccess = new Map<Uuid, Date>();
  const entries: AuditEntry[] = [];
  const views = createMemoryViews((tenantId, personId) => alive(tenantId, personId) !== undefined);

  const bare = ({ invitation, ...person }: Kept): Person => ({
    ...person,
    invited_until: invitation?.expires_at ?? null,
  });
  const of = (tenantId: Uuid, personId: Uuid) => {
    const person = people.get(personId);
    return person?.tenant_id === tenantId ? person : undefined;
  };
  const alive = (tenantId: Uuid, personId: Uuid) => {
    const person = of(tenantId, personId);
    return person?.ended_at === null ? person : undefined;
  };
  const livingOf = (tenantId: Uuid) =>
    [...people.values()].filter((person) => person.tenant_id === tenantId && !person.ended_at);
  const keysOf = (tenantId: Uuid, personId: Uuid) =>
    [...keys.values()]
      .filter((key) => key.tenant_id === tenantId && key.person_id === personId)
      .sort((one, other) => one.created_at.getTime() - other.created_at.getTime());
  const forgetAccess = (personId: Uuid) => {
    for (const map of [keys, codes, sessions] as const)
      for (const [id, { person_id }] of map as Map<string, { person_id: Uuid }>)
        if (person_id === personId) (map as Map<string, unknown>).delete(id);
  };
  const isLast = ({ tenant_id, person_id, role, joined_at }: Kept, keep: Role | null) =>
    role === keep &&
    joined_at !== null &&
    !livingOf(tenant_id).some((other) => other.person_id !== person_id && other.role === keep && other.joined_at);
  const invitedBy = (tenantId: Uuid, hash: string, at: Date) =>
    livingOf(tenantId).find(
      ({ invitation }) => invitation !== null && invitation.invitation_hash === hash && invitation.expires_at > at,
    );
  const passkeyOf = ({ tenant_id: _, ...passkey }: Passkey & { tenant_id: Uuid }): Passkey => passkey;

  return {
    entries,
    async count(at, seenAfter) {
      const counts = new Map<string, PeopleCount>();
      for (const { tenant_id, person_id, role, joined_at, identity, ended_at } of people.values()) {
        if (ended_at) continue;
        const state = joined_at ? "active" : "invited";
        const before = counts.get(`${role} ${state}`);
        const live = [...sessions.values()].filter(
          (one) => one.person_id === person_id && one.expires_at > at && one.seen_at > seenAfter,
        );
        const isOnOneKey = joined_at !== null && !identity && keysOf(tenant_id, person_id).length < 2;
        counts.set(`${role} ${state}`, {
          role,
          state,
          people: (before?.people ?? 0) + 1,
          with_one_passkey: (before?.with_one_passkey ?? 0) + (isOnOneKey ? 1 : 0),
          sessions: (before?.sessions ?? 0) + live.length,
        });
      }
      return [...counts.values()];
    },
    directory: {
      async add(person, invitation, most, entry) {
        const living = livingOf(person.tenant_id);
        const isSame = (other: Kept) =>
          other.email === person.email ||
          (person.identity !== null &&
            other.identity?.issuer === person.identity.issuer &&
            other.identity.subject === person.identity.subject);
        if (living.some(isSame)) return "taken";
        if (living.length >= most) return "full";
        people.set(person.person_id, { ...person, seen_at: null, ended_at: null, invitation });
        entries.push(entry);
        return "added";
      },
      async invite(tenantId, personId, invitation, entry) {
        const person = alive(tenantId, personId);
        if (!person || person.identity) return false;
        people.set(personId, { ...person, invitation });
        entries.push(entry);
        return true;
      },
      async findInvited(tenantId, hash, at) {
        const person = invitedBy(tenantId, hash, at);
        return person ? bare(person) : null;
      },
      async join(tenantId, { invitation_hash, at, name, email, passkey, recovery_hashes }, entry) {
        const person = invitedBy(tenantId, invitation_hash, at);
        if (!person) return null;
        const { person_id } = person;
        if (livingOf(tenantId).some((other) => other.email === email && other.person_id !== person_id)) return "taken";
        forgetAccess(person_id);
        keys.set(passkey.credential_id, { ...passkey, person_id, tenant_id: tenantId });
        for (const hash of recovery_hashes) codes.set(hash, { tenant_id: tenantId, person_id });
        const joined = {
          ...person,
          name,
          email: email ?? person.email,
          invitation: null,
          seen_at: at,
          joined_at: person.joined_at ?? at,
        };
        people.set(person_id, joined);
        entries.push(entry);
        return bare(joined);
      },
      async find(tenantId, personId) {
        const person = of(tenantId, personId);
        return person ? bare(person) : null;
      },
      async findByIdentity(tenantId, { issuer, subject }) {
        const person = livingOf(tenantId).find(
          ({ identity }) => identity?.issuer === issuer && identity.subject === subject,
        );
        return person ? bare(person) : null;
      },
      async wasRemoved(tenantId, { issuer, subject }) {
        return [...people.values()].some(
          ({ tenant_id, identity, ended_at }) =>
            tenant_id === tenantId && ended_at && identity?.issuer === issuer && identity.subject === subject,
        );
      },
      async list({ tenant_id, after, limit, ended }) {
        return [...people.values()]
          .filter((person) => person.tenant_id === tenant_id && (ended || !person.ended_at))
          .filter(({ person_id }) => after === null || person_id > after)
          .sort((one, other) => (one.person_id < other.person_id ? -1 : 1))
          .slice(0, limit)
          .map(bare);
      },
      async change(tenantId, personId, change, keep, entry) {
        const person = alive(tenantId, personId);
        if (!person) return null;
        if ((change.role ?? person.role) !== person.role && isLast(person, keep)) return "last_administrator";
        const changed = { ...person, ...change };
        people.set(personId, changed);
        entries.push(entry);
        return bare(changed);
      },
      async end(tenantId, personId, at, keep, entry) {
        const person = alive(tenantId, personId);
        if (!person) return null;
        if (isLast(person, keep)) return "last_administrator";
        people.set(personId, { ...person, ended_at: at, invitation: null });
        forgetAccess(personId);
        views.forget(personId);
        entries.push(entry);
        return "ended";
      },
      async endAccess(tenantId, { issuer, subject }, entry) {
        const person = livingOf(tenantId).find(
          ({ identity }) => identity?.issuer === issuer && identity.subject === subject,
        );
        const gone = person && endAccess.get(person.person_id);
        if (!person?.seen_at || (gone && gone > person.seen_at)) return false;
        endAccess.set(person.person_id, entry.at);
        for (const [id, { person_id }] of sessions) if (person_id === person.person_id) sessions.delete(id);
        entries.push(entry);
        return true;
      },
    },
    passkeys: {
      list: async (tenantId, personId) => keysOf(tenantId, personId).map(passkeyOf),
      async find(tenantId, credentialId) {
        const key = keys.get(credentialId);
        return key?.tenant_id === tenantId ? passkeyOf(key) : null;
      },
      async add(tenantId, passkey, most, entry) {
        if (keysOf(tenantId, passkey.person_id).length >= most) return "full";
        if (keys.has(passkey.credential_id)) return "known";
        keys.set(passkey.credential_id, { ...passkey, tenant_id: tenantId });
        entries.push(entry);
        return "added";
      },
      async use(tenantId, credentialId, { counter, is_backed_up, at }) {
        const key = keys.get(credentialId);
        if (key?.tenant_id !== tenantId) return false;
        if (counter <= key.counter && (counter !== 0 || key.counter !== 0)) return false;
        keys.set(credentialId, { ...key, counter, is_backed_up, used_at: at });
        return true;
      },
      async remove(tenantId, personId, credentialId, entry) {
        const own = keysOf(tenantId, personId);
        if (!own.some(({ credential_id }) => credential_id === credentialId)) return null;
        if (own.length === 1 && !of(tenantId, personId)?.identity) return "last";
        keys.delete(credentialId);
        entries.push(entry);
        return "removed";
      },
      async storeRecoveryCodes(tenantId, personId, hashes, entry) {
        for (const [hash, { person_id }] of codes) if (person_id === personId) codes.delete(hash);
        for (const hash of hashes) codes.set(hash, { tenant_id: tenantId, person_id: personId });
        entries.push(entry);
      },
      async countRecoveryCodes(tenantId, personId) {
        return [...codes.values()].filter((code) => code.tenant_id === tenantId && code.person_id === personId).length;
      },
      async spendRecoveryCode(email, hash) {
        const code = codes.get(hash);
        if (!code) return null;
        codes.delete(hash);
        const person = alive(code.tenant_id, code.person_id);
        return person?.email === email ? bare(person) : null;
      },
    },
    sessions: {
      async begin(session, entry, idTokenHint = null) {
        const person = alive(session.tenant_id, session.person_id);
        if (!person) return false;
        people.set(person.person_id, {
          ...person,
          seen_at: session.seen_at,
          joined_at: person.joined_at ?? session.created_at,
        });
        sessions.set(session.session_id, session);
        hints.set(session.session_id, idTokenHint);
        entries.push(entry);
        return true;
      },
      async find(tenantId, hash, at, seenAfter) {
        const session = [...sessions.values()].find(
          (one) =>
            one.tenant_id === tenantId && one.session_hash === hash && one.expires_at > at && one.seen_at > seenAfter,
        );
        const person = session && alive(tenantId, session.person_id);
        return session && person ? { session, person: bare(person) } : null;
      },
      async see(tenantId, sessionId, at) {
        const session = sessions.get(sessionId);
        if (session?.tenant_id !== tenantId) return;
        sessions.set(sessionId, { ...session, seen_at: at });
        const person = people.get(session.person_id);
        if (person) people.set(person.person_id, { ...person, seen_at: at });
      },
      async confirm(tenantId, sessionId, at, provider) {
        const session = sessions.get(sessionId);
        if (session?.tenant_id !== tenantId) return false;
        sessions.set(sessionId, { ...session, confirmed_at: at, provider_sid: provider?.sid ?? session.provider_sid });
        hints.set(sessionId, provider?.id_token_hint ?? hints.get(sessionId) ?? null);
        return true;
      },
      async list(tenantId, personId, at, seenAfter) {
        return [...sessions.values()]
          .filter((one) => one.tenant_id === tenantId && one.person_id === personId)
          .filter((one) => one.expires_at > at && one.seen_at > seenAfter)
          .sort((one, other) => other.created_at.getTime() - one.created_at.getTime());
      },
      async end(tenantId, personId, sessionId, entry) {
        const session = sessions.get(sessionId);
        if (session?.tenant_id !== tenantId || session.person_id !== personId) return null;
        sessions.delete(sessionId);
        entries.push(entry);
        return { id_token_hint: hints.get(sessionId) ?? null };
      },
      async endOfProvider(tenantId, { issuer, subject, sid }, entry) {
        if (subject === null && sid === null) return 0;
        const named = [...sessions.values()].filter((one) => {
          const identity = of(tenantId, one.person_id)?.identity;
          return (
            identity?.issuer === issuer &&
            (subject === null || identity.subject === subject) &&
            (sid === null || one.provider_sid === sid)
          );
        });
        for (const { session_id } of named) sessions.delete(session_id);
        if (named.length > 0) entries.push(entry);
        return named.length;
      },
    },
    views: views.store,
    ceremonies: {
      async spend(id, expiresAt) {
        if (spent.has(id)) return false;
        spent.set(id, expiresAt);
        return true;
      },
      async reap(at, seenBefore, limit) {
        const gone = [
          ...[...spent]
            .filter(([, expiresAt]) => expiresAt < at)
            .map(
              ([id]) =>
                () =>
                  spent.delete(id),
            ),
          ...[...sessions.values()]
            .filter((one) => one.expires_at < at || one.seen_at < seenBefore)
            .map(
              ({ session_id }) =>
                () =>
                  sessions.delete(session_id),
            ),
          ...[...people.values()]
            .filter(({ invitation }) => invitation !== null && invitation.expires_at < at)
            .map(
              ({ person_id }) =>
                () =>
                  people.set(person_id, { ...(people.get(person_id) as Kept), invitation: null }),
            ),
          ...[...people.values()]
            .filter(({ joined_at, ended_at }) => !joined_at && ended_at && ended_at.getTime() < at.getTime() - KEPT_MS)
            .map(
              ({ person_id }) =>
                () =>
                  people.delete(person_id),
            ),
        ].slice(0, limit);
        for (const forget of gone) forget();
        return gone.length;
      },
    },
  };
}
