import {
  type Actor,
  type AuditVerb,
  auditEntry,
  CoreError,
  conflict,
  invalidAll,
  type Runtime,
  type Uuid,
} from "@org/core";
import { networkOf } from "@org/http";
import { readBearer } from "./bearer-text.js";
import { type Ceremonies, createCeremonies } from "./ceremonies.js";
import { deviceName } from "./device-name.js";
import { CEREMONY_MS, createPasskeys } from "./passkeys.js";
import { PeopleError } from "./people-error.js";
import { emailTaken, NO_ADDRESS, nameFaults, normalizeEmail, notAnAddress } from "./people-operations.js";
import { actorOf, type Browser, type PeopleSessions, type SignedIn } from "./people-sessions.js";
import type { Passkey, PeopleStores, Person } from "./ports/people-store.js";
import { newRecoveryCodes, recoveryHash } from "./recovery-codes.js";

/** Maximum number of passkeys of one person. */
export const MAX_PASSKEYS = 10;

/** The question to a browser, with the cookie that it must return. */
export interface CeremonyOptions<Options> {
  readonly options: Options;
  readonly ceremony: string;
}

/** A new session: the value of its cookie, and its latest end. */
export interface Begun {
  readonly person: Person;
  readonly cookie: string;
  readonly expires_at: Date;
}

/** A passkey as its owner sees it. */
export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly is_backed_up: boolean;
  readonly created_at: string;
  readonly used_at: string | null;
}

/**
 * Joining, signing in and confirming one's identity with passkeys. An answer counts once, and a wrong one gets no explanation.
 *
 *     invitation ──beginJoining──► key is made ──join──► session, recovery codes
 *     beginSignIn ──► key signs ──signIn──► session            recovery code ──recover──► session
 *     session ──beginConfirming──► key signs ──confirm──► dangerous operations are allowed for a while
 */
export function createSigningIn(deps: {
  readonly stores: PeopleStores;
  readonly sessions: PeopleSessions;
  readonly runtime: Runtime;
  readonly publicUrl: string;
  /** Whether people of a tenant must sign in with an identity provider; false for all by default. */
  readonly hasProviderOnly?: (tenantId: Uuid) => boolean;
}) {
  const { stores, sessions, runtime, publicUrl, hasProviderOnly = () => false } = deps;
  const { directory, passkeys } = stores;
  const webauthn = createPasskeys(publicUrl);
  const ceremonies: Ceremonies = createCeremonies({ store: stores.ceremonies, runtime, lifeMs: CEREMONY_MS });
  const entryOf = (
    person: Person,
    browser: Pick<Actor, "trace_id" | "address">,
    action: AuditVerb<"person">,
    facts = {},
  ) => auditEntry(runtime, actorOf(person, browser), `person.${action}`, "person", person.person_id, facts);

  return {
    /** The person that an invitation is for. @throws PeopleError `invitation_ended` */
    invited: async (invitation: string) => (await findInvited(invitation)).person,

    /**
     * Starts joining.
     * @param said the name for the passkey; `email` counts only for a person invited as {@link NO_ADDRESS}, who has to say both
     * @throws PeopleError `invitation_ended`; CoreError VALIDATION_ERROR on `name` and `email`
     */
    async beginJoining(invitation: string, said: { name?: string | undefined; email?: string | undefined } = {}) {
      const { person, hash } = await findInvited(invitation);
      const isUnknown = person.email === NO_ADDRESS;
      const own = isUnknown ? normalizeEmail(said.email ?? "") : undefined;
      const faults = [
        ...nameFaults(isUnknown ? (said.name ?? "") : said.name),
        ...(own === null ? [notAnAddress()] : []),
      ];
      if (faults.length > 0) throw invalidAll(faults);
      const { name, email } = { name: said.name?.trim() ?? person.name, email: own ?? person.email };
      // A person who has lost their keys is invited again: a new key replaces them all.
      const options = await webauthn.optionsToCreate({ ...person, name, email }, []);
      const { challenge } = options;
      return { options, ceremony: await ceremonies.begin("join", { challenge, invitation: hash, name, email }) };
    },

    /**
     * Signs a person in for the first time. The recovery codes are returned only here. `name` is the one from the beginning
     * unless given.
     * @throws PeopleError `invitation_ended`, `refused`; CoreError VALIDATION_ERROR on `name`, CONFLICT when another person has
     * the address
     */
    async join(
      input: { invitation: string; ceremony: string | undefined; name?: string | undefined; answer: unknown },
      browser: Browser,
    ) {
      const { person, hash } = await findInvited(input.invitation);
      const faults = nameFaults(input.name);
      if (faults.length > 0) throw invalidAll(faults);
      const ceremony = await ceremonies.open("join", input.ceremony);
      if (ceremony.expectations.invitation !== hash) throw new PeopleError("refused", "another invitation was begun");
      const created = await webauthn.created(input.answer, ceremony.expectations.challenge as string);
      await ceremony.spend();
      const at = runtime.clock();
      const codes = newRecoveryCodes(runtime);
      const email = ceremony.expectations.email as string;
      const joined = await directory.join(
        person.tenant_id,
        {
          invitation_hash: hash,
          at,
          name: input.name?.trim() ?? (ceremony.expectations.name as string),
          email: email === person.email ? null : email,
          passkey: { ...created, name: deviceName(browser.device), created_at: at },
          recovery_hashes: codes.map((code) => recoveryHash(runtime, email, code)),
        },
        entryOf(person, browser, "join"),
      );
      if (joined === "taken") throw emailTaken();
      if (!joined) throw new PeopleError("invitation_ended", "it was accepted, replaced or withdrawn meanwhile");
      return { ...(await begin(joined, "passkey", browser)), recovery_codes: codes };
    },

    async beginSignIn() {
      const options = await webauthn.optionsToSign();
      return { options, ceremony: await ceremonies.begin("sign_in", { challenge: options.challenge }) };
    },

    /** @throws PeopleError `refused` */
    async signIn(input: { ceremony: string | undefined; answer: unknown }, browser: Browser): Promise<Begun> {
      const ceremony = await ceremonies.open("sign_in", input.ceremony);
      const claimed = webauthn.claimed(input.answer);
      const passkey = await passkeys.find(claimed.tenant_id, claimed.credential_id, networkOf(browser.address));
      if (passkey?.person_id !== claimed.person_id) throw new PeopleError("refused", "nobody has this passkey");
      await checkSignature(claimed.tenant_id, passkey, input.answer, ceremony.expectations.challenge as string);
      await ceremony.spend();
      const person = await directory.find(claimed.tenant_id, passkey.person_id);
      if (!person || person.ended_at) throw new PeopleError("refused", "the person was removed");
      mayHavePasskeys(person);
      return begin(person, "passkey", browser);
    },

    /** Signs in with a recovery code, which is then used up. @throws PeopleError `refused` */
    async recover(input: { email: string; code: string }, browser: Browser): Promise<Begun> {
      const email = input.email.trim().toLowerCase();
      const hash = recoveryHash(runtime, email, input.code);
      const person = await passkeys.spendRecoveryCode(email, hash, networkOf(browser.address));
      if (!person) throw new PeopleError("refused", "nobody has this code");
      mayHavePasskeys(person);
      return begin(person, "recovery_code", browser);
    },

    /** Starts to confirm a person's identity with one of their own keys. */
    async beginConfirming({ person, session }: SignedIn) {
      const own = await passkeys.list(person.tenant_id, person.person_id);
      const options = await webauthn.optionsToSign(own);
      const expectations = { challenge: options.challenge, session: session.session_id };
      return { options, ceremony: await ceremonies.begin("confirm", expectations) };
    },

    /** @throws PeopleError `refused` */
    async confirm(signedIn: SignedIn, input: { ceremony: string | undefined; answer: unknown }): Promise<void> {
      const { person, session } = signedIn;
      const ceremony = await ceremonies.open("confirm", input.ceremony);
      const claimed = webauthn.claimed(input.answer);
      const passkey = await passkeys.find(person.tenant_id, claimed.credential_id);
      if (ceremony.expectations.session !== session.session_id || passkey?.person_id !== person.person_id)
        throw new PeopleError("refused", "another session, or another person's key");
      await checkSignature(person.tenant_id, passkey, input.answer, ceremony.expectations.challenge as string);
      await ceremony.spend();
      await sessions.confirm(signedIn);
    },

    /** Oldest first, with the number of recovery codes left. */
    async passkeys({ person }: SignedIn): Promise<{ items: readonly PasskeyView[]; recovery_codes_left: number }> {
      const own = await passkeys.list(person.tenant_id, person.person_id);
      const recovery_codes_left = await passkeys.countRecoveryCodes(person.tenant_id, person.person_id);
      return { items: own.map(passkeyView), recovery_codes_left };
    },

    /** @throws PeopleError `not_allowed` for people of an identity provider */
    async beginAddingPasskey({ person, session }: SignedIn) {
      mayHavePasskeys(person, "not_allowed");
      const options = await webauthn.optionsToCreate(person, await passkeys.list(person.tenant_id, person.person_id));
      const expectations = { challenge: options.challenge, session: session.session_id };
      return { options, ceremony: await ceremonies.begin("add_passkey", expectations) };
    },

    /** @throws PeopleError `refused`; CoreError CONFLICT, VALIDATION_ERROR on `name`, RATE_LIMITED at {@link MAX_PASSKEYS} */
    async addPasskey(
      { person, session }: SignedIn,
      input: { ceremony: string | undefined; name?: string | undefined; answer: unknown },
      browser: Browser,
    ): Promise<PasskeyView> {
      const faults = nameFaults(input.name);
      if (faults.length > 0) throw invalidAll(faults);
      const ceremony = await ceremonies.open("add_passkey", input.ceremony);
      if (ceremony.expectations.session !== session.session_id) throw new PeopleError("refused", "another session");
      const created = await webauthn.created(input.answer, ceremony.expectations.challenge as string);
      await ceremony.spend();
      const passkey = {
        ...created,
        person_id: person.person_id,
        created_at: runtime.clock(),
        name: input.name?.trim() ?? deviceName(browser.device),
      };
      const entry = entryOf(person, browser, "add_passkey");
      const added = await passkeys.add(person.tenant_id, passkey, MAX_PASSKEYS, entry);
      if (added === "known") throw conflict("passkey_in_use", "this key is in use already");
      if (added === "full")
        throw new CoreError("RATE_LIMITED", `a person has ${MAX_PASSKEYS} passkeys at most: remove one first`, {
          limit: { name: "passkeys", value: MAX_PASSKEYS },
        });
      return passkeyView(passkey);
    },

    /** @throws CoreError NOT_FOUND, CONFLICT for the last one */
    async removePasskey({ person }: SignedIn, id: string, browser: Browser): Promise<void> {
      const removed = await passkeys.remove(
        person.tenant_id,
        person.person_id,
        id,
        entryOf(person, browser, "remove_passkey"),
      );
      if (removed === "last")
        throw conflict("last_passkey", "without it you could not sign in again: add another first");
      if (removed === null) throw new CoreError("NOT_FOUND", "PasskeyNotFound");
    },

    /**
     * Creates new codes that replace the remaining ones. They are returned only here.
     * @throws PeopleError `not_allowed` like {@link beginAddingPasskey}
     */
    async newRecoveryCodes({ person }: SignedIn, browser: Browser): Promise<readonly string[]> {
      mayHavePasskeys(person, "not_allowed");
      const codes = newRecoveryCodes(runtime);
      const hashes = codes.map((code) => recoveryHash(runtime, person.email, code));
      const entry = entryOf(person, browser, "new_recovery_codes");
      await passkeys.storeRecoveryCodes(person.tenant_id, person.person_id, hashes, entry);
      return codes;
    },
  };

  async function findInvited(invitation: string) {
    const bearer = readBearer(runtime, "invitation", invitation);
    const person = bearer && (await directory.findInvited(bearer.tenant_id, bearer.hash, runtime.clock()));
    if (!person || hasProviderOnly(person.tenant_id))
      throw new PeopleError("invitation_ended", "no invitation that stands");
    return { person, hash: bearer.hash };
  }

  /** A provider that vouches for a person can also remove them: no passkey or code may let them in afterwards. */
  function mayHavePasskeys({ tenant_id, identity }: Person, code: "refused" | "not_allowed" = "refused"): void {
    if (identity !== null || hasProviderOnly(tenant_id))
      throw new PeopleError(code, "they sign in with their identity provider only");
  }

  async function checkSignature(tenantId: Person["tenant_id"], passkey: Passkey, answer: unknown, challenge: string) {
    const { counter, is_backed_up } = await webauthn.signed(answer, challenge, passkey);
    const use = { counter, is_backed_up, at: runtime.clock() };
    if (!(await passkeys.use(tenantId, passkey.credential_id, use)))
      throw new PeopleError("refused", "the counter did not rise: somebody may have a copy of the key");
  }

  async function begin(person: Person, method: "passkey" | "recovery_code", browser: Browser): Promise<Begun> {
    return { person, ...(await sessions.begin(person, method, browser)) };
  }
}

export type SigningIn = ReturnType<typeof createSigningIn>;

function passkeyView({ credential_id, name, is_backed_up, created_at, used_at }: Passkey): PasskeyView {
  return {
    id: credential_id,
    name,
    is_backed_up,
    created_at: created_at.toISOString(),
    used_at: used_at?.toISOString() ?? null,
  };
}
