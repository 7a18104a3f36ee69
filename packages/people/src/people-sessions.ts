import { type Actor, auditEntry, CoreError, type Runtime, type Uuid } from "@org/core";
import { actorIdOf, newBearer, readBearer } from "./bearer-text.js";
import { PeopleError } from "./people-error.js";
import type { Person, PersonSession, PersonSessionStore, ProviderSession, SignInMethod } from "./ports/people-store.js";
import { allows, type Power } from "./roles.js";

/** How long sessions last. */
export interface SessionTimes {
  /** From sign-in, whatever happens; 12 hours by default. */
  readonly absoluteMs: number;
  /** Without a request; an hour by default. */
  readonly idleMs: number;
  /** For how long a person counts as having proved who they are, for what is dangerous; five minutes by default. */
  readonly confirmedMs: number;
}

export const SESSION_TIMES: SessionTimes = { absoluteMs: 12 * 3_600_000, idleMs: 3_600_000, confirmedMs: 5 * 60_000 };

/** A use is noted when the last was noted so long ago. */
const NOTED_MS = 60_000;

/** A signed-in person, as requests are answered for them. */
export interface SignedIn {
  readonly person: Person;
  readonly session: PersonSession;
  /** When it ends without a request, or whatever happens. */
  readonly ends_at: Date;
  /** Whether what is dangerous is allowed without proving again who they are. */
  readonly isConfirmed: boolean;
}

/** What a browser brings along. */
export interface Browser extends Pick<Actor, "trace_id" | "address"> {
  /** The `User-Agent` header. */
  readonly device: string;
}

/** Sessions of people: server-side, each the value of a cookie. */
export function createPeopleSessions(deps: {
  readonly store: PersonSessionStore;
  readonly runtime: Runtime;
  readonly times?: SessionTimes;
  /** Whether people of a tenant sign in with their identity provider and nothing else: no other session of theirs counts. */
  readonly hasProviderOnly?: (tenantId: Uuid) => boolean;
}) {
  const { store, runtime, times = SESSION_TIMES, hasProviderOnly = () => false } = deps;
  const seenAfter = (at: Date) => new Date(at.getTime() - times.idleMs);

  return {
    /** The value of the cookie and its end. @throws PeopleError `refused` when the person has just been removed */
    async begin(person: Person, method: SignInMethod, browser: Browser, provider: ProviderSession | null = null) {
      const at = runtime.clock();
      const { text, hash } = newBearer(runtime, "session", person.tenant_id);
      const expires_at = new Date(at.getTime() + times.absoluteMs);
      const session: PersonSession = {
        session_id: runtime.newId(),
        session_hash: hash,
        tenant_id: person.tenant_id,
        person_id: person.person_id,
        method,
        created_at: at,
        seen_at: at,
        confirmed_at: at,
        expires_at,
        provider_sid: provider?.sid ?? null,
        device: browser.device.slice(0, 200),
      };
      const entry = auditEntry(runtime, actorOf(person, browser), "person.sign_in", "person", person.person_id, {
        method,
      });
      if (!(await store.begin(session, entry, provider && (await sealedHint(provider, session.session_id)))))
        throw new PeopleError("refused", "the person was removed");
      return { cookie: text, expires_at };
    },

    /** Who a cookie stands for, looked up anew each time: whoever is removed is out with the next request. @throws PeopleError `not_signed_in` */
    async open(cookie: string | undefined, { isNoted = true }: { isNoted?: boolean } = {}): Promise<SignedIn> {
      const bearer = readBearer(runtime, "session", cookie ?? "");
      const at = runtime.clock();
      const found = bearer && (await store.find(bearer.tenant_id, bearer.hash, at, seenAfter(at)));
      if (!found) throw new PeopleError("not_signed_in", "no live session");
      const { session, person } = found;
      if (session.method !== "oidc" && hasProviderOnly(person.tenant_id))
        throw new PeopleError("not_signed_in", "people sign in with their identity provider only");
      if (isNoted && at.getTime() - session.seen_at.getTime() >= NOTED_MS)
        await store.see(person.tenant_id, session.session_id, at);
      return {
        ...found,
        ends_at: new Date(Math.min(session.expires_at.getTime(), at.getTime() + times.idleMs)),
        isConfirmed: at.getTime() - session.confirmed_at.getTime() < times.confirmedMs,
      };
    },

    /** Those of a person that live, newest first. */
    list({ tenant_id, person_id }: Pick<Person, "tenant_id" | "person_id">): Promise<readonly PersonSession[]> {
      const at = runtime.clock();
      return store.list(tenant_id, person_id, at, seenAfter(at));
    },

    /**
     * Ends a session of the person's own. Answers the ID token with which the provider is asked to sign them out there, too; null where there
     * is none. @throws CoreError NOT_FOUND
     */
    async end({ person }: SignedIn, sessionId: Uuid, browser: Browser): Promise<string | null> {
      const entry = auditEntry(runtime, actorOf(person, browser), "person.sign_out", "person_session", sessionId);
      const ended = await store.end(person.tenant_id, person.person_id, sessionId, entry);
      if (!ended) throw new CoreError("NOT_FOUND", "SessionNotFound");
      const { id_token_hint: sealed } = ended;
      // Without it, as where its key is gone, the provider asks them whether to sign out.
      return sealed && runtime.vault.open(sealed, hintContext(sessionId)).catch(() => null);
    },

    /** Since when a session has to have been seen to live. */
    seenAfter: () => seenAfter(runtime.clock()),

    /** Notes that somebody has proved again who they are. @param provider in which session of their provider, for its logout */
    async confirm({ person, session }: SignedIn, provider: ProviderSession | null = null): Promise<void> {
      const { session_id } = session;
      const its = provider && { ...provider, id_token_hint: await sealedHint(provider, session_id) };
      if (!(await store.confirm(person.tenant_id, session_id, runtime.clock(), its)))
        throw new PeopleError("not_signed_in", "the session ended meanwhile");
    },
  };

  async function sealedHint({ id_token_hint: token }: ProviderSession, sessionId: Uuid): Promise<string | null> {
    if (token === null || token.length > MAX_HINT_LENGTH) return null;
    return runtime.vault.seal(token, hintContext(sessionId));
  }
}

/** It goes to the provider in an address, and longer ones are refused on the way. */
const MAX_HINT_LENGTH = 6_000;

function hintContext(sessionId: Uuid) {
  return { purpose: "id-token-hint", row: sessionId };
}

export type PeopleSessions = ReturnType<typeof createPeopleSessions>;

/** @throws PeopleError `not_allowed`, `confirm_again` for what is dangerous */
export function requirePower({ person, isConfirmed }: SignedIn, power: Power, isDangerous = false): void {
  if (!allows(person.role, power)) throw new PeopleError("not_allowed", `${person.role} may not ${power}`);
  if (isDangerous && !isConfirmed) throw new PeopleError("confirm_again", "the last proof is too old");
}

/** A person in the audit trail: `person:` and their id. */
export function actorOf(person: Pick<Person, "person_id">, browser: Pick<Actor, "trace_id" | "address">): Actor {
  return { application_id: actorIdOf(person.person_id), trace_id: browser.trace_id, address: browser.address };
}
