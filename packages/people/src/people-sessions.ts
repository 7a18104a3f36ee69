import { type Actor, auditEntry, CoreError, type Runtime, type Uuid } from "@org/core";
import { actorIdOf, newBearer, readBearer } from "./bearer-text.js";
import { PeopleError } from "./people-error.js";
import type { Person, PersonSession, PersonSessionStore, ProviderSession, SignInMethod } from "./ports/people-store.js";
import { allows, type Power } from "./roles.js";

/** Lifetimes of sessions. */
export interface SessionTimes {
  /** Maximum from sign-in; 12 hours by default. */
  readonly absoluteMs: number;
  /** Maximum without a request; an hour by default. */
  readonly idleMs: number;
  /** How long a proof of identity allows dangerous operations; five minutes by default. */
  readonly confirmedMs: number;
}

export const SESSION_TIMES: SessionTimes = { absoluteMs: 12 * 3_600_000, idleMs: 3_600_000, confirmedMs: 5 * 60_000 };

/** A use is stored when the last stored one is this old. */
const NOTED_MS = 60_000;

/** A signed-in person and their session. */
export interface SignedIn {
  readonly person: Person;
  readonly session: PersonSession;
  /** When the session ends, by idle time or in any case. */
  readonly ends_at: Date;
  /** Whether dangerous operations are allowed without confirming the identity again. */
  readonly isConfirmed: boolean;
}

/** Facts about the browser of a request. */
export interface Browser extends Pick<Actor, "trace_id" | "address"> {
  /** The `User-Agent` header. */
  readonly device: string;
}

/** Sessions of people: stored on the server, each identified by the value of a cookie. */
export function createPeopleSessions(deps: {
  readonly store: PersonSessionStore;
  readonly runtime: Runtime;
  readonly times?: SessionTimes;
  /** Whether people of a tenant must sign in with their identity provider; their other sessions are not valid. */
  readonly hasProviderOnly?: (tenantId: Uuid) => boolean;
}) {
  const { store, runtime, times = SESSION_TIMES, hasProviderOnly = () => false } = deps;
  const seenAfter = (at: Date) => new Date(at.getTime() - times.idleMs);

  return {
    /** Returns the value of the cookie and its expiry. @throws PeopleError `refused` when the person has just been removed */
    async begin(person: Person, method: SignInMethod, browser: Browser, provider: ProviderSession | null = null) {
      const at = runtime.clock();
      const expires_at = new Date(at.getTime() + times.absoluteMs);
      const { text, hash } = newBearer(runtime, "session", { tenant_id: person.tenant_id, expires_at });
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

    /**
     * The person behind a cookie. They are looked up each time, so that a removed person is out with the next request.
     * @throws PeopleError `not_signed_in`
     */
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

    /** A person's live sessions, newest first. */
    list({ tenant_id, person_id }: Pick<Person, "tenant_id" | "person_id">): Promise<readonly PersonSession[]> {
      const at = runtime.clock();
      return store.list(tenant_id, person_id, at, seenAfter(at));
    },

    /**
     * Ends one of the person's own sessions. Returns the ID token for signing out at the provider too; null when there is none.
     * @throws CoreError NOT_FOUND
     */
    async end({ person }: SignedIn, sessionId: Uuid, browser: Browser): Promise<string | null> {
      const entry = auditEntry(runtime, actorOf(person, browser), "person.sign_out", "person_session", sessionId);
      const ended = await store.end(person.tenant_id, person.person_id, sessionId, entry);
      if (!ended) throw new CoreError("NOT_FOUND", "SessionNotFound");
      const { id_token_hint: sealed } = ended;
      // Without it, for example when its key is missing, the provider asks the person whether to sign out.
      return sealed && runtime.vault.open(sealed, hintContext(sessionId)).catch(() => null);
    },

    /** Sessions last seen before this time have ended. */
    seenAfter: () => seenAfter(runtime.clock()),

    /** Records that a person has confirmed their identity. @param provider the session of their provider, for its logout */
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

/** Longer tokens do not fit into the URL that is sent to the provider. */
const MAX_HINT_LENGTH = 6_000;

function hintContext(sessionId: Uuid) {
  return { purpose: "id-token-hint", row: sessionId };
}

export type PeopleSessions = ReturnType<typeof createPeopleSessions>;

/** @throws PeopleError `not_allowed`, or `confirm_again` for a dangerous operation */
export function requirePower({ person, isConfirmed }: SignedIn, power: Power, isDangerous = false): void {
  if (!allows(person.role, power)) throw new PeopleError("not_allowed", `${person.role} may not ${power}`);
  if (isDangerous && !isConfirmed) throw new PeopleError("confirm_again", "the last proof is too old");
}

/** A person as an actor in the audit trail: `person:` and their id. */
export function actorOf(person: Pick<Person, "person_id">, browser: Pick<Actor, "trace_id" | "address">): Actor {
  return { application_id: actorIdOf(person.person_id), trace_id: browser.trace_id, address: browser.address };
}
