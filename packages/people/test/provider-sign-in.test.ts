import type { Uuid } from "@org/core";
import { createTestRuntime } from "@org/core/testing";
import { createIssuer, createMemoryPeopleStores, type TokenDefects } from "@org/people/testing";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createIdentityProvider,
  createPeopleOperations,
  createPeopleSessions,
  createProviderSignIn,
  createSigningIn,
  type IdentityProviderSettings,
  INSTALLATION,
  type SignedIn,
} from "../src/index.js";

const PUBLIC_URL = "https://wealth.example";
const CALLBACK = `${PUBLIC_URL}/console/sign-in/callback`;
const TENANT = "019b0000-0000-7000-8000-00000000000a" as Uuid;
const browser = { trace_id: null, address: "203.0.113.7", device: "Firefox" };
const desk = { groups: ["All", "Desk"], name: "Ada Zürich", email: "Ada@example.com", email_verified: true };

let issuer: Awaited<ReturnType<typeof createIssuer>>;
let other: Awaited<ReturnType<typeof createIssuer>>;
beforeAll(async () => {
  [issuer, other] = await Promise.all([
    createIssuer(() => new Date()),
    createIssuer(() => new Date(), "https://other.example", { id: "w", secret: "x" }),
  ]);
});

function setUp() {
  const runtime = createTestRuntime(new Date());
  const stores = createMemoryPeopleStores();
  const sessions = createPeopleSessions({ store: stores.sessions, runtime });
  const providerOf = (at: typeof issuer, change: Partial<IdentityProviderSettings>, redirectUri = CALLBACK) =>
    createIdentityProvider({
      settings: {
        name: "Company",
        issuer: at.issuer,
        client_id: at.client.id,
        client_secret: at.client.secret,
        tenant_id: null,
        scopes: ["openid", "email", "profile"],
        acr: [],
        amr: [],
        rules: [
          { claims: { groups: "Boss" }, tenant_id: INSTALLATION, role: "operator" },
          { claims: { groups: "Desk" }, tenant_id: INSTALLATION, role: "operator:read" },
          { claims: { groups: "Acme" }, tenant_id: TENANT, role: "admin" },
          { claims: { "realm_access.roles": "desk-reader" }, tenant_id: INSTALLATION, role: "operator:read" },
        ],
        ...change,
      },
      redirectUri,
      clock: runtime.clock,
      fetch: at.fetch,
    });
  const make = (change: Partial<IdentityProviderSettings> = {}) =>
    createProviderSignIn({
      providers: [
        providerOf(issuer, change),
        providerOf(
          other,
          { tenant_id: TENANT, rules: [{ claims: {}, tenant_id: TENANT, role: "read" }] },
          `${CALLBACK}/${TENANT}`,
        ),
      ],
      stores,
      sessions,
      runtime,
    });
  const signIns = make();
  return {
    stores,
    sessions,
    runtime,
    signIns,
    make,
    passes: (seconds: number) => runtime.advance(seconds * 1_000),
    async signedIn(claims: object = desk) {
      const { location, ceremony } = await signIns.begin({});
      const { begun } = await signIns.finish(
        { ceremony, answer: issuer.signIn(location, { ...claims }) },
        browser,
        null,
      );
      return sessions.open(begun?.cookie);
    },
  };
}

let people: ReturnType<typeof setUp>;
beforeEach(() => {
  people = setUp();
  issuer.spoil({});
  issuer.describe({});
  issuer.goAway(false);
});

const fails = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const refusal = (code = "refused", reason: RegExp | string = /.*/) =>
  expect.objectContaining({ name: "PeopleError", code, reason: expect.stringMatching(reason) });

describe("[C-14.20] signing in with an identity provider", () => {
  it("asks with code flow, S256, state and nonce for the one redirect URI; issuer and subject are the account", async () => {
    const { location, ceremony } = await people.signIns.begin({ return_to: "/console/letters" });
    const url = new URL(location);
    expect(url.origin + url.pathname).toBe("https://idp.example/auth");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "wealth",
      code_challenge_method: "S256",
      scope: "openid email profile",
      redirect_uri: CALLBACK,
    });
    const answer = issuer.signIn(location, { ...desk, sid: "s1" });
    const { begun, return_to } = await people.signIns.finish({ ceremony, answer }, browser, null);
    expect(return_to).toBe("/console/letters");
    expect(begun?.person).toMatchObject({
      tenant_id: INSTALLATION,
      role: "operator:read",
      name: "Ada Zürich",
      email: "ada@example.com",
      identity: { issuer: "https://idp.example", subject: "ada" },
    });
    const { session } = await people.sessions.open(begun?.cookie);
    expect(session).toMatchObject({ method: "oidc", provider_sid: "s1" });
    const again = await people.signedIn({ ...desk, email: "new@example.com" });
    expect(again.person.person_id).toBe(begun?.person.person_id);
    expect(people.stores.entries.map(({ action }) => action)).toEqual([
      "person.join",
      "person.sign_in",
      "person.sign_in",
    ]);
  });

  it.each<[string, object]>([
    ["not verified", { email_verified: false }],
    ["verified by a text", { email_verified: "true" }],
    ["no address", { email: "ada" }],
    ["not there", { email: undefined }],
  ])("takes no e-mail address that is %s", async (_, change) => {
    expect((await people.signedIn({ ...desk, ...change })).person.email).toMatch(/^[0-9a-f]{24}@unverified\.invalid$/);
  });

  it("[C-14.26] finds roles inside of other claims, as Keycloak sends them", async () => {
    const claims = { ...desk, groups: undefined, realm_access: { roles: ["offline_access", "desk-reader"] } };
    expect((await people.signedIn(claims)).person).toMatchObject({ tenant_id: INSTALLATION, role: "operator:read" });
    expect(await fails(people.signedIn({ ...claims, realm_access: { roles: ["other"] } }))).toEqual(
      refusal("refused", "no rule"),
    );
  });

  it("makes nobody somebody else by their e-mail address", async () => {
    const operations = createPeopleOperations({
      store: people.stores.directory,
      runtime: people.runtime,
      publicUrl: "",
    });
    const system = { application_id: "system", trace_id: null, address: null };
    const { person } = await operations.invite(system, INSTALLATION, { email: "ada@example.com", role: "operator" });
    const signedIn = await people.signedIn();
    expect(signedIn.person.person_id).not.toBe(person.person_id);
    expect(signedIn.person).toMatchObject({ role: "operator:read", email: expect.stringMatching(/unverified/) });
  });

  it("a role counts from the next sign-in; without one there is no way in, and sessions end", async () => {
    await people.signedIn({ ...desk, sub: "grace", groups: ["Boss"] });
    const before = await people.signedIn();
    const after = await people.signedIn({ ...desk, groups: ["Boss", "Desk"] });
    expect(after.person).toMatchObject({ person_id: before.person.person_id, role: "operator" });
    expect(await fails(people.signedIn({ ...desk, groups: ["All"] }))).toEqual(refusal("refused", "no rule"));
    // Microsoft Entra ID does this when a person has more groups than fit into a token.
    const elsewhere = { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://x.example" } } };
    expect(await fails(people.signedIn({ ...desk, groups: undefined, ...elsewhere }))).toEqual(
      refusal("refused", "left out groups"),
    );
    expect(await people.sessions.list(after.person)).toEqual([]);
    const there = await people.signedIn({ ...desk, groups: ["Acme"] });
    expect(there.person).toMatchObject({ tenant_id: TENANT, role: "admin" });
    await people.signedIn();
    expect(await people.sessions.list(there.person)).toEqual([]);
  });

  it("whoever was removed here stays out", async () => {
    const { person } = await people.signedIn();
    const entry = people.stores.entries[0] as (typeof people.stores.entries)[number];
    await people.stores.directory.end(person.tenant_id, person.person_id, new Date(), null, entry);
    expect(await fails(people.signedIn())).toEqual(refusal("refused", "removed here"));
  });

  it("a tenant's own provider signs in people of that tenant alone", async () => {
    expect(people.signIns.providerFor(TENANT)?.settings.issuer).toBe("https://other.example");
    expect(people.signIns.providerFor(null)?.settings.issuer).toBe("https://idp.example");
    const { location, ceremony } = await people.signIns.begin({ tenant_id: TENANT });
    const answer = other.signIn(location, { groups: ["Boss"] });
    const { begun } = await people.signIns.finish({ ceremony, answer }, browser, null);
    expect(begun?.person).toMatchObject({ tenant_id: TENANT, role: "read" });
  });

  it("claims of the UserInfo endpoint count where the ID token has none", async () => {
    issuer.describe({ userinfo_endpoint: "https://idp.example/userinfo" });
    expect((await people.signedIn({ name: "Ada" })).person.role).toBe("operator:read");
    issuer.spoil({ userInfo: { sub: "grace" } });
    expect(await fails(people.signedIn({ name: "Ada" }))).toEqual(refusal());
  });
});

describe("[C-14.21] an answer of the provider signs nobody in", () => {
  const soon = () => Math.floor(Date.now() / 1_000);
  it.each<[string, () => TokenDefects]>([
    ["signed by another key", () => ({ key: "other" })],
    ["signed by a key that is not published", () => ({ key: "unpublished" })],
    ["without a signature", () => ({ key: "none" })],
    ["signed with the client's secret", () => ({ key: "secret" })],
    ["that has expired", () => ({ claims: { exp: soon() - 60, iat: soon() - 120 } })],
    ["without an end", () => ({ claims: { exp: undefined } })],
    ["of another issuer", () => ({ claims: { iss: "https://other.example" } })],
    ["of the issuer with a slash", () => ({ claims: { iss: "https://idp.example/" } })],
    ["for another audience", () => ({ claims: { aud: "other" } })],
    ["for two audiences", () => ({ claims: { aud: ["wealth", "other"] } })],
    ["for two audiences, issued to the other", () => ({ claims: { aud: ["wealth", "other"], azp: "other" } })],
    ["issued to another client", () => ({ claims: { azp: "other" } })],
    ["with another nonce", () => ({ claims: { nonce: "x" } })],
    ["without a nonce", () => ({ claims: { nonce: undefined } })],
    ["without a subject", () => ({ claims: { sub: undefined } })],
    ["with an empty subject", () => ({ claims: { sub: "" } })],
    ["with a long subject", () => ({ claims: { sub: "s".repeat(256) } })],
    ["that begins later", () => ({ claims: { nbf: soon() + 120 } })],
    ["without the groups", () => ({ claims: { groups: undefined } })],
    ["with groups as one text", () => ({ claims: { groups: "All,Desk" } })],
  ])("whose ID token is one %s", async (_, spoilt) => {
    issuer.spoil(spoilt());
    expect(await fails(people.signedIn())).toEqual(refusal());
    expect(await people.stores.directory.list({ tenant_id: INSTALLATION, after: null, limit: 9, ended: true })).toEqual(
      [],
    );
  });

  it.each<[string, Readonly<Record<string, string | null>>]>([
    ["another state", { state: "x" }],
    ["no state", { state: null }],
    ["the name of another provider (mix-up)", { iss: "https://other.example" }],
    ["no name of the provider", { iss: null }],
    ["a code that the provider does not know", { code: "x" }],
    ["no code", { code: null }],
    ["an error", { error: "server_error", code: null }],
    ["an error of another question", { error: "access_denied", code: null, state: "x" }],
    ["an error of another provider", { error: "access_denied", code: null, iss: "https://other.example" }],
  ])("with %s", async (_, change) => {
    const { location, ceremony } = await people.signIns.begin({});
    const answer = issuer.signIn(location, desk, change);
    expect(await fails(people.signIns.finish({ ceremony, answer }, browser, null))).toEqual(refusal());
  });

  it("[C-14.127] that says they went back, which is told apart", async () => {
    const { location, ceremony } = await people.signIns.begin({ return_to: "/console/authorize" });
    const answer = issuer.signIn(location, desk, { error: "access_denied", code: null });
    expect(await people.signIns.returnAddress({ ceremony, answer })).toBe("/console/authorize");
    expect(await fails(people.signIns.finish({ ceremony, answer }, browser, null))).toMatchObject({
      code: "cancelled",
    });
    answer.searchParams.set("state", "x");
    for (const [one, other] of [[ceremony, answer] as const, ["", answer] as const])
      expect(await people.signIns.returnAddress({ ceremony: one, answer: other })).toBeNull();
  });

  it("that comes twice, late, in another browser, or is asked of another provider", async () => {
    const { location, ceremony } = await people.signIns.begin({});
    const answer = issuer.signIn(location, desk);
    const finish = (change: object = {}) =>
      fails(people.signIns.finish({ ceremony, answer, ...change }, browser, null));
    expect(await finish({ ceremony: undefined })).toEqual(refusal("refused", "no oidc was begun"));
    expect(await finish({ ceremony: (await people.signIns.begin({})).ceremony })).toEqual(refusal("refused", "state"));
    const mixed = await people.signIns.begin({ tenant_id: TENANT });
    const injected = new URL(answer);
    injected.searchParams.set("state", String(new URL(mixed.location).searchParams.get("state")));
    expect(await finish({ ceremony: mixed.ceremony, answer: injected })).toEqual(refusal());
    expect(await finish()).toBeNull();
    expect(await finish()).toEqual(refusal("refused", "twice"));
    people.passes(601);
    expect(await finish()).toEqual(refusal("refused", "too long"));
  });

  it.each<[string, Partial<IdentityProviderSettings>, object, boolean]>([
    ["acr that is demanded", { acr: ["mfa", "phr"] }, { acr: "phr" }, true],
    ["another acr", { acr: ["mfa"] }, { acr: "pwd" }, false],
    ["no acr", { acr: ["undefined-here"] }, {}, false],
    ["all of amr", { amr: ["mfa", "hwk"] }, { amr: ["hwk", "pin", "mfa"] }, true],
    ["part of amr", { amr: ["mfa", "hwk"] }, { amr: ["mfa"] }, false],
    ["amr as a text", { amr: ["mfa"] }, { amr: "mfa" }, false],
  ])("without what OIDC_ACR and OIDC_AMR demand: %s", async (_, settings, claims, isIn) => {
    const signIns = people.make(settings);
    const { location, ceremony } = await signIns.begin({});
    const answer = issuer.signIn(location, { ...desk, ...claims });
    const error = await fails(signIns.finish({ ceremony, answer }, browser, null));
    expect(error).toEqual(isIn ? null : refusal("refused", /^(acr|amr)/));
  });

  it.each(["authorization_endpoint", "token_endpoint", "jwks_uri"])(
    "whose metadata have as %s what nobody is led to: the page is told so, and which it is",
    async (name) => {
      for (const address of ["javascript:alert(1)", "http://idp.example/x", "/auth", undefined]) {
        issuer.describe({ [name]: address });
        const { signIns } = setUp();
        expect([address, await fails(signIns.begin({}))]).toEqual([
          address,
          refusal("provider_away", new RegExp(name)),
        ]);
      }
    },
  );

  it("while the provider is away or its metadata are another's: then the page is told so", async () => {
    issuer.describe({ issuer: "https://evil.example" });
    expect(await fails(people.signIns.begin({}))).not.toBeNull();
    people.passes(6);
    issuer.describe({});
    issuer.goAway();
    expect(await fails(people.signIns.begin({}))).toEqual(refusal("provider_away"));
    issuer.goAway(false);
    const asked = issuer.asked.length;
    expect(await fails(people.signIns.begin({}))).toEqual(refusal("provider_away"));
    expect(issuer.asked.length).toBe(asked);
    people.passes(6);
    const { location, ceremony } = await people.signIns.begin({});
    issuer.goAway();
    people.passes(601);
    expect((await people.signIns.begin({})).location).toContain("https://idp.example/auth");
    people.passes(-601);
    const answer = issuer.signIn(location, desk);
    expect(await fails(people.signIns.finish({ ceremony, answer }, browser, null))).toEqual(refusal("provider_away"));
  });
});

describe("[C-14.22] people of a provider confirm with it", () => {
  const confirm = async (signedIn: SignedIn, claims: object, by: SignedIn | null = signedIn) => {
    const { location, ceremony } = await people.signIns.beginConfirming(signedIn);
    expect(new URL(location).searchParams.get("prompt")).toBe("login");
    const answer = issuer.signIn(location, { ...desk, ...claims });
    return fails(people.signIns.finish({ ceremony, answer }, browser, by));
  };
  it("by signing in anew, as the same person and in the same session", async () => {
    const signedIn = await people.signedIn();
    const now = Math.floor(Date.now() / 1_000);
    expect(await confirm(signedIn, {})).toEqual(refusal("refused", "auth_time"));
    expect(await confirm(signedIn, { auth_time: now - 60 })).toEqual(refusal("refused", "anew"));
    expect(await confirm(signedIn, { auth_time: now, sub: "grace" })).toEqual(refusal("refused", "another person"));
    expect(await confirm(signedIn, { auth_time: now }, null)).toEqual(refusal("refused", "another session"));
    expect(await confirm(signedIn, { auth_time: now }, await people.signedIn())).toEqual(refusal("refused", "session"));
    expect(await confirm(signedIn, { auth_time: now, sid: "s2" })).toBeNull();
    expect((await people.sessions.list(signedIn.person)).map((one) => one.provider_sid)).toContain("s2");
  });

  it("have neither passkeys nor recovery codes, and where nothing else is allowed nobody has", async () => {
    const deps = { ...people, publicUrl: PUBLIC_URL };
    const signedIn = await people.signedIn();
    const passkeys = createSigningIn(deps);
    expect(await fails(passkeys.beginAddingPasskey(signedIn))).toEqual(refusal("not_allowed"));
    expect(await fails(passkeys.newRecoveryCodes(signedIn, browser))).toEqual(refusal("not_allowed"));
    const system = { application_id: "system", trace_id: null, address: null };
    const store = people.stores.directory;
    const invitedTo = async (hasProviderOnly: boolean) =>
      createPeopleOperations({ ...deps, store, hasProviderOnly: () => hasProviderOnly }).invite(system, TENANT, {
        email: "grace@example.com",
        role: "read",
      });
    const invitation = (await invitedTo(false)).link.split("#")[1] as string;
    expect(await fails(invitedTo(true))).toMatchObject({ code: "CONFLICT" });
    const only = createSigningIn({ ...deps, hasProviderOnly: (tenantId) => tenantId === TENANT });
    expect(await fails(only.beginJoining(invitation))).toEqual(refusal("invitation_ended"));
    expect(await fails(passkeys.beginJoining(invitation))).toBeNull();
  });

  it("[C-14.26] end with the setting that allows nothing but the provider, where they were begun otherwise", async () => {
    const { person } = await people.signedIn();
    const { cookie } = await people.sessions.begin(person, "oidc", browser);
    const { cookie: byPasskey } = await people.sessions.begin(person, "passkey", browser);
    const deps = { store: people.stores.sessions, runtime: people.runtime };
    const only = createPeopleSessions({ ...deps, hasProviderOnly: (tenantId) => tenantId === person.tenant_id });
    expect(await fails(people.sessions.open(byPasskey))).toBeNull();
    expect(await fails(only.open(byPasskey))).toEqual(refusal("not_signed_in", "identity provider"));
    expect((await only.open(cookie)).person.person_id).toBe(person.person_id);
    const elsewhere = createPeopleSessions({ ...deps, hasProviderOnly: () => false });
    expect(await fails(elsewhere.open(byPasskey))).toBeNull();
  });
});

describe("[C-14.23] a logout token", () => {
  it("ends the sessions that it names, once", async () => {
    const [one, two] = [await people.signedIn({ ...desk, sid: "s1" }), await people.signedIn({ ...desk, sid: "s2" })];
    await people.signedIn({ ...desk, sub: "grace", email: "grace@example.com" });
    const token = await issuer.logoutToken({ sub: undefined, sid: "s1" });
    expect(await people.signIns.logOut(token, browser)).toBe(1);
    expect((await people.sessions.list(one.person)).map(({ session_id }) => session_id)).toEqual([
      two.session.session_id,
    ]);
    expect(await fails(people.signIns.logOut(token, browser))).toEqual(refusal("refused", "twice"));
    expect(await people.signIns.logOut(await issuer.logoutToken(), browser)).toBe(1);
    expect(await people.sessions.list(one.person)).toEqual([]);
    expect(await people.signIns.endSessionUrl(one.person, PUBLIC_URL, null)).toMatch(/^https:\/\/idp\.example\/bye\?/);
    const url = new URL(String(await people.signIns.endSessionUrl(one.person, PUBLIC_URL, "token")));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: issuer.client.id,
      post_logout_redirect_uri: PUBLIC_URL,
      id_token_hint: "token",
    });
  });

  const past = () => Math.floor(Date.now() / 1_000) - 100;
  it.each<[string, () => Readonly<Record<string, unknown>>, TokenDefects?, string?]>([
    ["of another issuer", () => ({ iss: "https://other.example" })],
    ["for another audience", () => ({ aud: "other" })],
    ["that has expired", () => ({ exp: past() })],
    ["without an end", () => ({ exp: undefined })],
    ["without its time", () => ({ iat: undefined })],
    ["without jti", () => ({ jti: undefined })],
    ["that lives for years", () => ({ exp: past() + 99_999_999 })],
    ["of no event", () => ({ events: undefined })],
    ["of another event", () => ({ events: { "urn:other": {} } })],
    ["of an event that is no object", () => ({ events: { "http://schemas.openid.net/event/backchannel-logout": "" } })],
    ["with a nonce", () => ({ nonce: "x" })],
    ["that names nobody", () => ({ sub: undefined })],
    ["with an empty sid", () => ({ sid: "" })],
    ["that is an access token", () => ({}), {}, "at+jwt"],
    ["signed by another key", () => ({}), { key: "other" }],
    ["without a signature", () => ({}), { key: "none" }],
    ["signed with the client's secret", () => ({}), { key: "secret" }],
  ])("%s ends nothing", async (_, change, broken, typ) => {
    const { person } = await people.signedIn();
    const token = await issuer.logoutToken(change(), broken, typ);
    expect(await fails(people.signIns.logOut(token, browser))).toEqual(refusal());
    expect(await people.sessions.list(person)).toHaveLength(1);
  });

  it.each(["", "x", "a.b.c", "e30.bnVsbA.x"])("%j is none", async (text) => {
    expect(await fails(people.signIns.logOut(text, browser))).toEqual(refusal());
  });
});
