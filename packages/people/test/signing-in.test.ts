import { randomUUID } from "node:crypto";
import { CoreError, type Uuid } from "@org/core";
import { createTestRuntime } from "@org/core/testing";
import { createAuthenticator, createMemoryPeopleStores } from "@org/people/testing";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  actorOf,
  createPeopleOperations,
  createPeopleSessions,
  createSigningIn,
  INSTALLATION,
  NO_ADDRESS,
  PeopleError,
  requirePower,
} from "../src/index.js";

const ORIGIN = "https://wealth.example";
const browser = { trace_id: null, address: "203.0.113.7", device: "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0" };
const system = { application_id: "system", trace_id: null, address: null };
const operators = { tenant_id: INSTALLATION, isOwn: false };

/** People in memory, at a time set by the tests. */
function setUp() {
  const runtime = createTestRuntime(new Date("2026-11-23T12:00:00.000Z"));
  const stores = createMemoryPeopleStores();
  const sessions = createPeopleSessions({ store: stores.sessions, runtime });
  const operations = createPeopleOperations({ store: stores.directory, runtime, publicUrl: ORIGIN });
  const signingIn = createSigningIn({ stores, sessions, runtime, publicUrl: ORIGIN });
  return {
    stores,
    sessions,
    operations,
    signingIn,
    passes: (seconds: number) => runtime.advance(seconds * 1_000),
    async joined(email = "ada@example.com", role = "operator", tenantId: Uuid = INSTALLATION) {
      const { link } = await operations.invite(system, tenantId, { email, role });
      const invitation = link.split("#")[1] as string;
      const authenticator = createAuthenticator(ORIGIN);
      const { options, ceremony } = await signingIn.beginJoining(invitation);
      const answer = authenticator.create(options);
      const begun = await signingIn.join({ invitation, ceremony, name: "Ada", answer }, browser);
      return { ...begun, authenticator, invitation, signedIn: await sessions.open(begun.cookie) };
    },
  };
}

let people: ReturnType<typeof setUp>;
beforeEach(() => {
  people = setUp();
});

const refusal = (code: string, reason: RegExp | string = /.*/) =>
  expect.objectContaining({ name: "PeopleError", code, reason: expect.stringMatching(reason) });
const fails = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("joining and signing in", () => {
  it("[C-14.1] an invitation makes a person, who signs in with the passkey from then on; each answer counts once", async () => {
    const { person, authenticator, invitation, recovery_codes } = await people.joined();
    expect(person).toMatchObject({ tenant_id: INSTALLATION, email: "ada@example.com", name: "Ada", role: "operator" });
    expect(new Set(recovery_codes).size).toBe(10);
    expect(recovery_codes[0]).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    expect(await fails(people.signingIn.invited(invitation))).toEqual(refusal("invitation_ended"));

    const { options, ceremony } = await people.signingIn.beginSignIn();
    expect(options).toMatchObject({ rpId: "wealth.example", userVerification: "required", allowCredentials: [] });
    const answer = authenticator.sign(options);
    const { cookie } = await people.signingIn.signIn({ ceremony, answer }, browser);
    expect((await people.sessions.open(cookie)).person.person_id).toBe(person.person_id);
    expect(await fails(people.signingIn.signIn({ ceremony, answer }, browser))).toEqual(refusal("refused", "twice"));
    expect(people.stores.entries.map(({ action }) => action)).toEqual([
      ...["person.invite", "person.join", "person.sign_in", "person.sign_in"],
    ]);
  });

  it.each([
    ["of another site", { origin: "https://wealth.example.evil" }, "origin"],
    ["for another relying party", { rpId: "evil.example" }, "RP ID"],
    ["without the user verified", { isUserVerified: false }, "verif"],
    ["of another kind", { type: "webauthn.create" }, "type"],
  ])("[C-14.2] an answer %s signs nobody in", async (_, spoilt, reason) => {
    const { authenticator } = await people.joined();
    const { options, ceremony } = await people.signingIn.beginSignIn();
    const work = people.signingIn.signIn({ ceremony, answer: authenticator.sign(options, spoilt) }, browser);
    expect(await fails(work)).toEqual(refusal("refused", reason));
  });

  it.each([
    ["nothing", null],
    ["text", "x"],
    ["an empty object", {}],
    ["a list", []],
    [
      "long fields",
      { id: "a".repeat(5_000), rawId: "a", type: "public-key", clientExtensionResults: {}, response: {} },
    ],
  ])("[C-14.2] %s is no answer", async (_, answer) => {
    const { ceremony } = await people.signingIn.beginSignIn();
    expect(await fails(people.signingIn.signIn({ ceremony, answer }, browser))).toEqual(refusal("refused", "WebAuthn"));
  });

  it("[C-9.493] an expired cookie or invitation is refused without asking the store of the tenant that it names", async () => {
    const { cookie } = await people.joined();
    const { link } = await people.operations.invite(system, INSTALLATION, {
      email: "eve@example.com",
      role: "operator",
    });
    const find = vi.spyOn(people.stores.sessions, "find");
    const findInvited = vi.spyOn(people.stores.directory, "findInvited");
    people.passes(12 * 3_600 - 1);
    await fails(people.sessions.open(cookie));
    expect(find).toHaveBeenCalledTimes(1);
    people.passes(1);
    expect(await fails(people.sessions.open(cookie))).toEqual(refusal("not_signed_in"));
    expect(find).toHaveBeenCalledTimes(1);
    people.passes(3 * 86_400);
    expect(await fails(people.signingIn.invited(link.split("#")[1] as string))).toEqual(refusal("invitation_ended"));
    expect(findInvited).not.toHaveBeenCalled();
  });

  it("[C-9.454] a cookie or invitation that was not made here names no tenant whose store would be asked", async () => {
    const tenantId = randomUUID() as Uuid;
    const { cookie, invitation } = await people.joined("bob@example.com", "admin", tenantId);
    const asked: string[] = [];
    const { sessions, directory } = people.stores;
    for (const [store, name] of [
      [sessions, "find"],
      [directory, "findInvited"],
    ] as const) {
      const real = store[name as keyof typeof store] as (...given: unknown[]) => unknown;
      const counted = (...given: unknown[]) => {
        asked.push(name);
        return real(...given);
      };
      Object.assign(store, { [name]: counted });
    }
    const changed = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
    // Another expiry, another secret, another MAC, none, and one of a tenant that they were not made for.
    const madeUp = (text: string) => [
      changed(text, 30),
      changed(text, 40),
      `${text.slice(0, 75)}${"A".repeat(22)}`,
      text.slice(0, 75),
      `${text.slice(0, 4)}${Buffer.alloc(16, 1).toString("base64url")}${text.slice(26)}`,
    ];
    for (const text of madeUp(cookie))
      expect(await fails(people.sessions.open(text))).toEqual(refusal("not_signed_in"));
    for (const text of madeUp(invitation))
      expect(await fails(people.signingIn.invited(text))).toEqual(refusal("invitation_ended"));
    expect(asked).toEqual([]);
    await people.sessions.open(cookie);
    await fails(people.signingIn.invited(invitation));
    expect(asked).toEqual(["find", "findInvited"]);
  });

  it("[C-14.2] a ceremony that is old, of another kind or of nobody is no ceremony", async () => {
    const { authenticator } = await people.joined();
    const { options, ceremony } = await people.signingIn.beginSignIn();
    const answer = authenticator.sign(options);
    const { ceremony: other } = await people.signingIn.beginSignIn();
    const signIn = (cookie: string | undefined) =>
      fails(people.signingIn.signIn({ ceremony: cookie, answer }, browser));
    expect(await signIn(undefined)).toEqual(refusal("refused", "begun"));
    expect(await signIn(`${randomUUID()}.${ceremony.split(".")[1]}`)).toEqual(refusal("refused", "begun"));
    expect(await signIn(other)).toEqual(refusal("refused", "challenge"));
    people.passes(301);
    expect(await signIn(ceremony)).toEqual(refusal("refused", "too long"));
  });

  it("[C-14.2] a key whose counter does not rise has a copy somewhere, and signs nobody in", async () => {
    const { authenticator } = await people.joined();
    const signIn = async (counter: number) => {
      const { options, ceremony } = await people.signingIn.beginSignIn();
      return fails(people.signingIn.signIn({ ceremony, answer: authenticator.sign(options, { counter }) }, browser));
    };
    expect(await signIn(5)).toBeNull();
    expect(await signIn(5)).toEqual(refusal("refused", "counter"));
    expect(await signIn(6)).toBeNull();
  });

  it("[C-14.3] invitations end after three days, and with the next one", async () => {
    const { person, link } = await people.operations.invite(system, INSTALLATION, {
      email: "bob@example.com",
      role: "operator",
    });
    const again = await people.operations.inviteAgain(system, INSTALLATION, person.person_id);
    const invited = (address: string) => fails(people.signingIn.invited(address.split("#")[1] as string));
    expect(await invited(link)).toEqual(refusal("invitation_ended"));
    expect(await invited(again.link)).toBeNull();
    people.passes(3 * 86_400);
    expect(await invited(again.link)).toEqual(refusal("invitation_ended"));
  });

  it.each([
    ["was replaced", (id: string) => people.operations.inviteAgain(system, INSTALLATION, id)],
    ["was withdrawn with the person", (id: string) => people.operations.end(system, operators, id)],
    ["was accepted in another browser", (_: string, join: () => Promise<unknown>) => join()],
  ])("[C-14.3] whoever had begun to join when the invitation %s is not let in", async (_, meanwhile) => {
    const email = "bob@example.com";
    const { person, link } = await people.operations.invite(system, INSTALLATION, { email, role: "operator" });
    const invitation = link.split("#")[1] as string;
    const begin = async () => {
      const { options, ceremony } = await people.signingIn.beginJoining(invitation);
      const answer = createAuthenticator(ORIGIN).create(options);
      return () => people.signingIn.join({ invitation, ceremony, answer }, browser);
    };
    const [one, other] = [await begin(), await begin()];
    await meanwhile(person.person_id, other);
    const entries = people.stores.entries.length;
    expect(await fails(one())).toEqual(refusal("invitation_ended"));
    expect(people.stores.entries).toHaveLength(entries);
  });

  it("[C-14.2] a key with an attestation, whose certificates would have addresses looked up, is not taken", async () => {
    const { link } = await people.operations.invite(system, INSTALLATION, {
      email: "bob@example.com",
      role: "operator",
    });
    const invitation = link.split("#")[1] as string;
    const joined = async (format: string) => {
      const { options, ceremony } = await people.signingIn.beginJoining(invitation);
      const answer = createAuthenticator(ORIGIN).create(options, { format });
      return people.signingIn.join({ invitation, ceremony, answer }, browser);
    };
    for (const format of ["android-key", "apple", "fido-u2f", "tpm"])
      expect(await fails(joined(format))).toEqual(refusal("refused", "nobody has asked for"));
    expect((await joined("none")).person.email).toBe("bob@example.com");
  });

  it("[C-14.10] the first operator is invited once while the invitation stands, and says who they are when they join", async () => {
    const { operations, signingIn } = people;
    const first = await operations.inviteFirst(system, null);
    expect(first?.person).toMatchObject({ email: NO_ADDRESS, role: "operator" });
    expect(await operations.inviteFirst(system, null)).toBeNull();
    people.passes(3 * 86_400);
    const again = await operations.inviteFirst(system, null);
    expect(again?.person.person_id).toBe(first?.person.person_id);
    const invitation = again?.link.split("#")[1] as string;
    expect(await fails(signingIn.beginJoining(invitation, { email: "nobody", name: "Ada" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ field: "email" }],
    });
    // Neither is guessed.
    expect(await fails(signingIn.beginJoining(invitation))).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ field: "name" }, { field: "email" }],
    });
    const { options, ceremony } = await signingIn.beginJoining(invitation, { email: "Ada@Example.com", name: "Ada" });
    expect(options.user).toMatchObject({ name: "ada@example.com", displayName: "Ada" });
    const answer = createAuthenticator(ORIGIN).create(options);
    const { person, recovery_codes } = await signingIn.join({ invitation, ceremony, answer }, browser);
    expect(person).toMatchObject({ email: "ada@example.com", name: "Ada" });
    const code = recovery_codes[0] as string;
    await signingIn.recover({ email: person.email, code }, browser);
    people.passes(30 * 86_400);
    expect(await operations.inviteFirst(system, null)).toBeNull();
    // A person who was invited by their address keeps it.
    const { link } = await operations.invite(system, INSTALLATION, { email: "bob@example.com", role: "operator" });
    const other = await signingIn.beginJoining(link.split("#")[1] as string, { email: "eve@example.com" });
    expect(other.options.user.name).toBe("bob@example.com");
  });

  it("[C-14.4] a recovery code signs in once, however it is written", async () => {
    const { recovery_codes } = await people.joined();
    const code = (recovery_codes[3] as string).toUpperCase().replaceAll("-", " ");
    const recover = (email: string) => people.signingIn.recover({ email, code }, browser);
    expect(await fails(recover("eve@example.com"))).toEqual(refusal("refused"));
    const { cookie } = await recover(" Ada@Example.com ");
    const signedIn = await people.sessions.open(cookie);
    expect(signedIn.session.method).toBe("recovery_code");
    expect((await people.signingIn.passkeys(signedIn)).recovery_codes_left).toBe(9);
    expect(await fails(recover("ada@example.com"))).toEqual(refusal("refused"));
  });
});

describe("sessions", () => {
  it("[C-14.5] last an hour without a request and twelve hours in all, and end with the person", async () => {
    const { cookie, person } = await people.joined();
    await people.joined("second@example.com");
    for (let hour = 0; hour < 12; hour += 1) {
      people.passes(3_590);
      await people.sessions.open(cookie);
    }
    people.passes(200);
    expect(await fails(people.sessions.open(cookie))).toEqual(refusal("not_signed_in"));

    const { cookie: idle } = await people.joined("third@example.com");
    people.passes(3_600);
    expect(await fails(people.sessions.open(idle))).toEqual(refusal("not_signed_in"));

    const { cookie: removed, person: gone } = await people.joined("fourth@example.com");
    await people.operations.end(system, operators, gone.person_id);
    expect(await fails(people.sessions.open(removed))).toEqual(refusal("not_signed_in"));
    expect(person.role).toBe("operator");
  });

  it("[C-14.6] what is dangerous wants a proof of the last five minutes, by the person's own key", async () => {
    const { signedIn, authenticator, cookie } = await people.joined();
    const stranger = await people.joined("eve@example.com");
    expect(() => requirePower(signedIn, "administer", true)).not.toThrow();
    people.passes(301);
    const later = await people.sessions.open(cookie);
    expect(() => requirePower(later, "administer")).not.toThrow();
    expect(() => requirePower(later, "administer", true)).toThrow(expect.objectContaining({ code: "confirm_again" }));
    const confirm = async (with_: typeof authenticator) => {
      const { options, ceremony } = await people.signingIn.beginConfirming(later);
      return fails(people.signingIn.confirm(later, { ceremony, answer: with_.sign(options) }));
    };
    expect(await confirm(stranger.authenticator)).toEqual(refusal("refused", "another person"));
    expect(await confirm(authenticator)).toBeNull();
    expect((await people.sessions.open(cookie)).isConfirmed).toBe(true);
  });

  it.each([
    ["operator", true, true, true],
    ["operator:read", true, false, false],
    ["admin", true, true, true],
    ["member", true, true, false],
    ["read", true, false, false],
  ])("[C-14.7] %s may see %s, work %s, administer %s", async (role, ...may) => {
    const tenantId = role.startsWith("operator") ? INSTALLATION : (randomUUID() as Uuid);
    const { signedIn } = await people.joined("who@example.com", role, tenantId);
    const powers = (["see", "work", "administer"] as const).map((power) => {
      try {
        requirePower(signedIn, power);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(PeopleError);
        return false;
      }
    });
    expect(powers).toEqual(may);
  });

  it("ends one of a person's own sessions, and no one else's", async () => {
    const { signedIn } = await people.joined();
    const { signedIn: other } = await people.joined("eve@example.com");
    const end = (id: Uuid) => fails(people.sessions.end(signedIn, id, browser));
    expect(await end(other.session.session_id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await end(signedIn.session.session_id)).toBeNull();
    expect(await people.sessions.list(signedIn.person)).toEqual([]);
  });
});

describe("passkeys of a person", () => {
  it("[C-14.8] are added beside each other and removed but for the last", async () => {
    const { signedIn, authenticator } = await people.joined();
    const second = createAuthenticator(ORIGIN);
    const { options, ceremony } = await people.signingIn.beginAddingPasskey(signedIn);
    expect(options.excludeCredentials).toMatchObject([{ id: authenticator.id }]);
    const answer = second.create(options);
    expect(await people.signingIn.addPasskey(signedIn, { ceremony, name: "Spare", answer }, browser)).toMatchObject({
      name: "Spare",
    });
    const listed = await people.signingIn.passkeys(signedIn);
    expect(listed.items.map(({ id, name }) => [id, name])).toEqual([
      [authenticator.id, "Firefox on Linux"],
      [second.id, "Spare"],
    ]);
    await people.signingIn.removePasskey(signedIn, authenticator.id, browser);
    const remove = (id: string) => fails(people.signingIn.removePasskey(signedIn, id, browser));
    expect(await remove(authenticator.id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await remove(second.id)).toMatchObject({ code: "CONFLICT" });
  });
});

describe("people as they are administered", () => {
  it.each([
    ["email", { email: "nobody", role: "operator" }],
    ["email", { email: `${"a".repeat(250)}@x.ch`, role: "operator" }],
    // A Kelvin sign, and a Cyrillic a.
    ["email", { email: "bac\u212aup@example.com", role: "operator" }],
    ["email", { email: "\u0430da@example.com", role: "operator" }],
    ["name", { email: "a@example.com", name: "Ada\u202enomis", role: "operator" }],
    ["name", { email: "a@example.com", name: "Ada\nroot", role: "operator" }],
    ["name", { email: "a@example.com", name: " ", role: "operator" }],
    ["role", { email: "a@example.com", role: "admin" }],
  ])("[C-14.12] refuses a wrong %s by its name", async (field, input) => {
    const error = (await fails(people.operations.invite(system, INSTALLATION, input))) as CoreError;
    expect(error).toBeInstanceOf(CoreError);
    expect(error.details).toMatchObject([{ field }]);
  });

  it("[C-14.11] keeps the last operator and says why", async () => {
    const { person } = await people.joined();
    const end = () => fails(people.operations.end(system, operators, person.person_id));
    expect(await end()).toMatchObject({ code: "CONFLICT" });
    const change = people.operations.change(system, operators, person.person_id, { role: "operator:read" });
    expect(await fails(change)).toMatchObject({ code: "CONFLICT" });
    await people.joined("second@example.com");
    expect(await end()).toBeNull();
    const { items } = await people.operations.list(INSTALLATION, { page_size: 10 });
    expect(items.map(({ email, state }) => [email, state])).toEqual([["second@example.com", "active"]]);
    expect((await people.operations.list(INSTALLATION, { page_size: 10, ended: true })).items).toHaveLength(2);
  });

  it("[C-14.11] nobody changes their own role, and a tenant's people keep an admin, whom operators may end", async () => {
    const tenant_id = randomUUID() as Uuid;
    const { person, signedIn } = await people.joined("ada@example.com", "admin", tenant_id);
    const own = { tenant_id, isOwn: true };
    const self = actorOf(signedIn.person, browser);
    const { change, end } = people.operations;
    expect(await fails(change(self, own, person.person_id, { role: "read" }))).toMatchObject({ code: "CONFLICT" });
    expect(await change(self, own, person.person_id, { name: "Ada B" })).toMatchObject({ name: "Ada B", tenant_id });
    expect(await fails(end(self, own, person.person_id))).toMatchObject({ code: "CONFLICT" });
    expect(await fails(end(self, { ...own, tenant_id: randomUUID() as Uuid }, person.person_id))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await end(system, { tenant_id, isOwn: false }, person.person_id)).toMatchObject({ state: "ended" });
  });
});
