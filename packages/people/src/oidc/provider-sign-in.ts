import { matchingRules } from "@org/claim-rules";
import { type Actor, type AuditVerb, auditEntry, parseUuid, type Runtime, type Uuid } from "@org/core";
import { networkOf } from "@org/http";
import { createCeremonies } from "../ceremonies.js";
import { PeopleError } from "../people-error.js";
import { MAX_PEOPLE, nameFaults, normalizeEmail } from "../people-operations.js";
import { actorOf, type Browser, type PeopleSessions, type SignedIn } from "../people-sessions.js";
import type { Identity, PeopleStores, Person, ProviderSession } from "../ports/people-store.js";
import type { Begun } from "../signing-in.js";
import type { Expected, IdentityProvider } from "./identity-provider.js";
import type { ProvenIdentity } from "./token-claims.js";

/** Time limit for the sign-in at the provider. */
export const PROVIDER_SIGN_IN_MS = 10 * 60_000;
/** How much earlier than the question a provider's clock may date an authentication. */
const SKEW_MS = 30_000;

/** The result of an answer of the provider. */
export interface ProviderAnswer {
  /** The new session; null when a signed-in person has confirmed their identity. */
  readonly begun: Begun | null;
  /** Where the page continues, as given at the beginning. */
  readonly return_to: string | null;
}

/**
 * Sign-in with an identity provider. Issuer and subject identify a person; the first rule that matches the claims gives their role,
 * anew with each sign-in. A person that no rule matches any more loses access immediately. People of a provider have no passkeys
 * and no recovery codes.
 *
 *     begin ──► the provider's page ──► finish: session        session ──beginConfirming──► … ──► finish: confirmed
 *     the provider ──logOut──► sessions end
 */
export function createProviderSignIn(deps: {
  /** At most one for each tenant, and at most one for the installation. */
  readonly providers: readonly IdentityProvider[];
  readonly stores: Pick<PeopleStores, "directory" | "sessions" | "ceremonies">;
  readonly sessions: PeopleSessions;
  readonly runtime: Runtime;
}) {
  const { providers, stores, sessions, runtime } = deps;
  const ceremonies = createCeremonies({ store: stores.ceremonies, runtime, lifeMs: PROVIDER_SIGN_IN_MS });

  return {
    /** The provider for people of a tenant: its own, or the installation's. @param tenantId null = unknown */
    providerFor,

    /** @throws PeopleError `refused` when there is no provider, `provider_away` */
    async begin(input: { tenant_id?: Uuid | null; return_to?: string | null }) {
      return question(mustHave(providerFor(input.tenant_id ?? null)), { return_to: input.return_to ?? "" });
    },

    /** Starts to confirm a person's identity. @throws PeopleError `refused` for people without a provider, `provider_away` */
    async beginConfirming({ person, session }: SignedIn, input: { return_to?: string | null } = {}) {
      const about = { session: session.session_id, return_to: input.return_to ?? "" };
      return question(mustHave(providerOf(person)), about);
    },

    /**
     * Handles the provider's answer.
     * @param input.answer the URL to which the provider redirected the browser, with its query
     * @param signedIn the session of the browser, for confirming
     * @throws PeopleError `refused`, `cancelled`, `provider_away`
     */
    async finish(
      input: { readonly ceremony: string | undefined; readonly answer: URL },
      browser: Browser,
      signedIn: SignedIn | null,
    ): Promise<ProviderAnswer> {
      const ceremony = await ceremonies.open("oidc", input.ceremony);
      const { issuer, client, whose, session, return_to, began, ...expected } = ceremony.expectations;
      const provider = mustHave(
        providers.find(
          ({ settings }) =>
            settings.issuer === issuer && settings.client_id === client && (settings.tenant_id ?? "") === whose,
        ),
      );
      // Checked before the ceremony is used up: another site can send a browser here, but does not know the state.
      if (input.answer.searchParams.get("state") !== expected.state) throw refused("the state is another one");
      await ceremony.spend(networkOf(browser.address));
      const proven = await provider.redeem(input.answer, expected as unknown as Expected);
      const back = return_to || null;
      if (session === undefined) return { begun: await signIn(provider, proven, browser), return_to: back };
      await confirm(provider, proven, { session, began: new Date(String(began)) }, signedIn);
      return { begun: null, return_to: back };
    },

    /**
     * Where the page continues after a failed sign-in, as given at the beginning; null when the answer does not belong to the
     * question.
     */
    async returnAddress(input: {
      readonly ceremony: string | undefined;
      readonly answer: URL;
    }): Promise<string | null> {
      try {
        const { expectations } = await ceremonies.open("oidc", input.ceremony);
        const isIts = input.answer.searchParams.get("state") === expectations.state;
        return (isIts && expectations.return_to) || null;
      } catch (error) {
        if (error instanceof PeopleError) return null;
        throw error;
      }
    },

    /** Ends the sessions named by a provider's logout token; returns their number. @throws PeopleError `refused`, `provider_away` */
    async logOut(token: string, from: Pick<Browser, "trace_id" | "address">): Promise<number> {
      const provider = mustHave(providerNamed(token));
      const { jti, usable_until, subject, sid } = await provider.readLogout(token);
      const { issuer } = provider.settings;
      if (!(await stores.ceremonies.spend(logoutId(issuer, jti), usable_until))) throw refused("it came twice");
      return endSessions(tenantsOf(provider), { issuer, subject, sid }, from);
    },

    /**
     * Where a person who has signed out here signs out at the provider; null when the provider has no such page or is
     * unavailable.
     * @param idToken ID token of the session that they ended here
     */
    async endSessionUrl(person: Person, backTo: string, idToken: string | null): Promise<string | null> {
      const url = providerOf(person)?.endSessionUrl(backTo, idToken);
      return (await url?.catch(() => null)) ?? null;
    },
  };

  function providerFor(tenantId: Uuid | null): IdentityProvider | null {
    const own = providers.find(({ settings }) => settings.tenant_id !== null && settings.tenant_id === tenantId);
    return own ?? providers.find(({ settings }) => settings.tenant_id === null) ?? null;
  }

  function providerOf({ tenant_id, identity }: Person): IdentityProvider | null {
    const its = providers.find(
      (provider) => provider.settings.issuer === identity?.issuer && tenantsOf(provider).includes(tenant_id),
    );
    return its ?? null;
  }

  /**
   * The provider that a token may belong to, by unverified claims: the token is then checked with that provider's keys and
   * client id.
   */
  function providerNamed(token: string): IdentityProvider | undefined {
    const { iss, aud } = unverifiedClaims(token);
    const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
    return providers.find(({ settings }) => settings.issuer === iss && audiences.includes(settings.client_id));
  }

  async function question(provider: IdentityProvider, about: Readonly<Record<string, string>>) {
    const expected = { state: runtime.newSecret(), nonce: runtime.newSecret(), verifier: runtime.newSecret() };
    const { issuer, client_id: client, tenant_id } = provider.settings;
    const location = await provider.authorizationUrl(expected, about.session !== undefined);
    const began = runtime.clock().toISOString();
    const expectations = { ...about, ...expected, issuer, client, whose: tenant_id ?? "", began };
    return { location, ceremony: await ceremonies.begin("oidc", expectations) };
  }

  async function signIn(provider: IdentityProvider, proven: ProvenIdentity, browser: Browser): Promise<Begun> {
    const { rules, issuer } = provider.settings;
    const identity = { issuer, subject: proven.subject };
    const [rule] = matchingRules(rules, proven.claims);
    // A person who was moved to another tenant, or removed, loses access everywhere else.
    const elsewhere = tenantsOf(provider).filter((tenantId) => tenantId !== rule?.tenant_id);
    for (const tenantId of elsewhere)
      await stores.directory.endAccess(tenantId, identity, providerEntry(tenantId, browser));
    if (!rule) throw refused(`no rule fits the claims${leftOut(proven)}`);
    const person = await personOf(identity, rule, proven, browser);
    return { person, ...(await sessions.begin(person, "oidc", browser, sessionIn(proven))) };
  }

  async function confirm(
    provider: IdentityProvider,
    proven: ProvenIdentity,
    asked: { session: string; began: Date },
    signedIn: SignedIn | null,
  ): Promise<void> {
    if (signedIn?.session.session_id !== asked.session) throw refused("another session");
    const { identity } = signedIn.person;
    if (identity?.issuer !== provider.settings.issuer || identity.subject !== proven.subject)
      throw refused("another person");
    if (!proven.signed_in_at) throw refused("the provider does not say when they signed in (auth_time)");
    if (proven.signed_in_at.getTime() < asked.began.getTime() - SKEW_MS) throw refused("they did not sign in anew");
    await sessions.confirm(signedIn, sessionIn(proven));
  }

  async function personOf(
    identity: Identity,
    { tenant_id, role }: Pick<Person, "tenant_id" | "role">,
    proven: ProvenIdentity,
    browser: Browser,
  ): Promise<Person> {
    const { directory } = stores;
    const found = await directory.findByIdentity(tenant_id, identity);
    if (!found && (await directory.wasRemoved(tenant_id, identity))) throw refused("the person was removed here");
    const name = nameIn(proven);
    if (!found) return add(identity, { tenant_id, role, name: name ?? "Unnamed" }, proven, browser);
    const wished = { role, name: name ?? found.name };
    if (found.role === wished.role && found.name === wished.name) return found;
    const entry = entryOf(found, browser, "change", found.role === role ? {} : { role });
    // The last administrator is not protected here, because the provider decides who has the role.
    const changed = await directory.change(tenant_id, found.person_id, wished, null, entry);
    if (!changed || changed === "last_administrator") throw refused("the person was removed meanwhile");
    return changed;
  }

  async function add(
    identity: Identity,
    facts: Pick<Person, "tenant_id" | "role" | "name">,
    proven: ProvenIdentity,
    browser: Browser,
  ): Promise<Person> {
    const unverified = `${runtime.mac("people", `address ${identity.issuer} ${identity.subject}`).slice(0, 24)}@unverified.invalid`;
    // An address that another person has here does not identify this one: it is dropped, like one that the provider has not verified.
    for (const email of [verifiedEmail(proven) ?? unverified, unverified]) {
      const person = { ...facts, email, identity, person_id: runtime.newId(), created_at: runtime.clock() };
      const entry = entryOf(person, browser, "join", { role: facts.role });
      const added = await stores.directory.add({ ...person, joined_at: null }, null, MAX_PEOPLE, entry);
      if (added === "full") throw refused(`there are ${MAX_PEOPLE} people already`);
      const there = await stores.directory.findByIdentity(facts.tenant_id, identity);
      if (there) return there;
    }
    throw refused("the person could not be added");
  }

  async function endSessions(
    tenantIds: readonly Uuid[],
    whose: { readonly issuer: string; readonly subject: string | null; readonly sid: string | null },
    from: Pick<Actor, "trace_id" | "address">,
  ): Promise<number> {
    let ended = 0;
    for (const tenantId of tenantIds)
      ended += await stores.sessions.endOfProvider(tenantId, whose, providerEntry(tenantId, from));
    return ended;
  }

  function providerEntry(tenantId: Uuid, from: Pick<Actor, "trace_id" | "address">) {
    const who = { application_id: "identity-provider", trace_id: from.trace_id, address: from.address };
    return auditEntry(runtime, who, "person.provider_sign_out", "tenant", tenantId);
  }

  function entryOf(
    person: Pick<Person, "person_id">,
    browser: Browser,
    action: AuditVerb<"person">,
    facts: Record<string, string>,
  ) {
    return auditEntry(runtime, actorOf(person, browser), `person.${action}`, "person", person.person_id, facts);
  }

  /** An id derived from a logout token, which only this installation can compute. */
  function logoutId(issuer: string, jti: string): Uuid {
    const hex = runtime.mac("people", `logout ${issuer} ${jti}`);
    const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 15), hex.slice(15, 18)];
    return parseUuid(`${a}-${b}-8${c}-8${d}-${hex.slice(18, 30)}`) as Uuid;
  }
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>;

/** Every tenant whose people a provider may name, including the installation if a rule names it. */
function tenantsOf({ settings }: IdentityProvider): readonly Uuid[] {
  return [...new Set(settings.rules.map(({ tenant_id }) => tenant_id))];
}

function mustHave(provider: IdentityProvider | null | undefined): IdentityProvider {
  if (provider) return provider;
  throw refused("no such identity provider is trusted");
}

/**
 * When a person has too many groups for a token, it refers to another source instead (OpenID Connect Core 1.0 §5.6.2; Microsoft
 * Entra ID).
 */
function leftOut({ claims: { _claim_names: elsewhere } }: ProvenIdentity): string {
  if (typeof elsewhere !== "object" || elsewhere === null || !Object.hasOwn(elsewhere, "groups")) return "";
  return ", from which the provider left out groups";
}

function sessionIn({ sid, id_token }: ProvenIdentity): ProviderSession {
  return { sid, id_token_hint: id_token };
}

function nameIn({ claims }: ProvenIdentity): string | null {
  for (const claim of [claims.name, claims.preferred_username]) {
    const name = typeof claim === "string" ? claim.trim().slice(0, 100).trim() : "";
    if (nameFaults(name).length === 0) return name;
  }
  return null;
}

function verifiedEmail({ claims: { email, email_verified } }: ProvenIdentity): string | null {
  return email_verified === true && typeof email === "string" ? normalizeEmail(email) : null;
}

function unverifiedClaims(token: string): { readonly iss?: unknown; readonly aud?: unknown } {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

function refused(reason: string): PeopleError {
  return new PeopleError("refused", reason);
}
