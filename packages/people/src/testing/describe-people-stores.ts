import { randomUUID } from "node:crypto";
import type { Uuid } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INSTALLATION } from "../installation.js";
import type { Passkey, Person } from "../ports/people-store.js";
import { describeSessions } from "./describe-sessions.js";
import { describeViews } from "./describe-views.js";
import { createStage, entryOf, later, newId, noon, type PeopleStoresFixture, ROOM } from "./people-stage.js";

/** Registers every vitest case that a backend of {@link PeopleStores} must pass, including races. */
export function describePeopleStores(
  name: string,
  make: () => Promise<PeopleStoresFixture> | PeopleStoresFixture,
): void {
  describe(`people stores: ${name}`, () => {
    const stage = createStage(make);
    const { directory, passkeys, sessions, personOf, invitationOf, keyOf, joined, sessionOf, begun, tenant } = stage;
    beforeAll(stage.start);
    afterAll(() => stage.stop());

    it.each([
      ["a tenant", () => tenant(), "admin"],
      ["the installation", () => INSTALLATION, "operator:read"],
    ] as const)("invites somebody of %s, who joins once", async (_, tenantOf, role) => {
      const tenant_id = tenantOf();
      const person = personOf({ tenant_id, role });
      const { person_id } = person;
      const invitation = invitationOf();
      await directory().add(person, invitation, ROOM, entryOf("person.invite", person_id));
      const here: Person = { ...person, seen_at: null, invited_until: invitation.expires_at, ended_at: null };
      expect(await directory().find(tenant_id, person_id)).toEqual(here);
      expect(await directory().findInvited(tenant_id, invitation.invitation_hash, noon)).toEqual(here);
      expect(await directory().findInvited(tenant_id, invitation.invitation_hash, later(60))).toBeNull();
      const join = (at: Date) =>
        directory().join(
          tenant_id,
          {
            invitation_hash: invitation.invitation_hash,
            at,
            name: "Ada",
            email: null,
            passkey: keyOf(),
            recovery_hashes: [randomUUID()],
          },
          entryOf("person.join", person_id),
        );
      expect(await join(later(60))).toBeNull();
      const answers = await Promise.all([1, 2, 3, 4].map(() => join(later(1))));
      const there = { ...here, name: "Ada", joined_at: later(1), seen_at: later(1), invited_until: null };
      expect(answers.filter((answer) => answer !== null)).toEqual([there]);
      expect(await directory().findInvited(tenant_id, invitation.invitation_hash, noon)).toBeNull();
      expect(await passkeys().list(tenant_id, person_id)).toHaveLength(1);
      expect(await stage.made().actionsOf(person_id)).toEqual(["person.invite", "person.join"]);
      await directory().end(tenant_id, person_id, noon, null, entryOf("person.end", person_id));
    });

    it("has nobody twice, by address or identity, until they have ended", async () => {
      const identity = { issuer: "https://idp.example", subject: randomUUID() };
      const one = personOf({ identity });
      const add = (person: ReturnType<typeof personOf>, most = ROOM) =>
        directory().add(person, null, most, entryOf("person.invite", person.person_id));
      expect((await Promise.all([add(one), add({ ...one, person_id: newId() })])).sort()).toEqual(["added", "taken"]);
      expect(await add(personOf({ email: one.email }))).toBe("taken");
      expect(await add(personOf({ identity }))).toBe("taken");
      expect(await add(personOf(), 1)).toBe("full");
      const found = (await directory().findByIdentity(tenant(), identity)) as Person;
      expect(found).toMatchObject({ email: one.email, identity });
      const elsewhere = await stage.made().newTenant();
      expect(await directory().findByIdentity(elsewhere, identity)).toBeNull();
      expect(await directory().wasRemoved(tenant(), identity)).toBe(false);
      expect(await add({ ...personOf({ identity }), tenant_id: elsewhere, email: one.email })).toBe("added");
      expect(await directory().end(tenant(), found.person_id, noon, null, entryOf("person.end", found.person_id))).toBe(
        "ended",
      );
      expect(await directory().findByIdentity(tenant(), identity)).toBeNull();
      expect(await directory().wasRemoved(tenant(), identity)).toBe(true);
      expect(await directory().wasRemoved(elsewhere, identity)).toBe(false);
      expect(await add(personOf({ email: one.email, identity }))).toBe("added");
    });

    it("invites again whoever has lost their keys: those of before, codes and sessions count no more", async () => {
      const { person, passkey, joining } = await joined();
      const session = await begun(person);
      const again = invitationOf();
      expect(
        await directory().invite(tenant(), person.person_id, again, entryOf("person.invite_again", person.person_id)),
      ).toBe(true);
      expect(await sessions().find(tenant(), session.session_hash, noon, later(-1))).not.toBeNull();
      const next = {
        ...joining,
        passkey: keyOf(),
        invitation_hash: again.invitation_hash,
        recovery_hashes: [randomUUID()],
      };
      expect(await directory().join(tenant(), next, entryOf("person.join", person.person_id))).toMatchObject({
        joined_at: person.joined_at,
      });
      expect(await passkeys().find(tenant(), passkey.credential_id)).toBeNull();
      expect(await passkeys().countRecoveryCodes(tenant(), person.person_id)).toBe(1);
      expect(await sessions().find(tenant(), session.session_hash, noon, later(-1))).toBeNull();
      const { person: other } = await joined();
      const third = invitationOf();
      await directory().invite(tenant(), person.person_id, third, entryOf("person.invite_again", person.person_id));
      const renamed = (email: string) =>
        directory().join(
          tenant(),
          { ...next, passkey: keyOf(), invitation_hash: third.invitation_hash, recovery_hashes: [randomUUID()], email },
          entryOf("person.join", person.person_id),
        );
      expect(await renamed(other.email)).toBe("taken");
      expect(await renamed(`new-${person.email}`)).toMatchObject({ email: `new-${person.email}` });
      expect(await directory().invite(tenant(), newId(), again, entryOf("person.invite_again", "x"))).toBe(false);
      const outside = personOf({ identity: { issuer: "https://idp.example", subject: randomUUID() } });
      await directory().add(outside, null, ROOM, entryOf("person.sign_in", outside.person_id));
      expect(await directory().invite(tenant(), outside.person_id, invitationOf(), entryOf("x", "x"))).toBe(false);
    });

    it("lists people in pages and shows nobody to another tenant", async () => {
      const home = await stage.made().newTenant();
      const people: Person[] = [];
      for (let number = 0; number < 3; number += 1) people.push((await joined({ tenant_id: home })).person);
      people.sort((one, other) => (one.person_id < other.person_id ? -1 : 1));
      const [first, second, third] = people as [Person, Person, Person];
      const list = (after: Uuid | null, limit: number, ended = false) =>
        directory().list({ tenant_id: home, after, limit, ended });
      expect(await list(null, 2)).toEqual([first, second]);
      expect(await list(second.person_id, 2)).toEqual([third]);
      await directory().end(home, second.person_id, later(9), null, entryOf("person.end", second.person_id));
      expect(await list(null, 9)).toEqual([first, third]);
      expect(await list(null, 9, true)).toEqual([first, { ...second, ended_at: later(9) }, third]);
      expect(await directory().find(tenant(), first.person_id)).toBeNull();
      expect(await directory().change(tenant(), first.person_id, { name: "Eve" }, null, entryOf("x", "x"))).toBeNull();
      expect(await directory().end(tenant(), first.person_id, noon, null, entryOf("x", "x"))).toBeNull();
      expect(await passkeys().list(tenant(), first.person_id)).toEqual([]);
    });

    it("ends a person with all that let them in, and keeps who they were", async () => {
      const { person, passkey, joining } = await joined();
      const session = await begun(person);
      expect(
        await directory().end(tenant(), person.person_id, later(5), null, entryOf("person.end", person.person_id)),
      ).toBe("ended");
      expect(
        await directory().end(tenant(), person.person_id, later(6), null, entryOf("person.end", person.person_id)),
      ).toBeNull();
      expect(await directory().find(tenant(), person.person_id)).toMatchObject({
        name: person.name,
        ended_at: later(5),
      });
      expect(await passkeys().find(tenant(), passkey.credential_id)).toBeNull();
      expect(await sessions().find(tenant(), session.session_hash, noon, later(-1))).toBeNull();
      expect(await sessions().begin(sessionOf(person), entryOf("person.sign_in", person.person_id))).toBe(false);
      const code = joining.recovery_hashes[0] as string;
      expect(await passkeys().spendRecoveryCode(person.email, code, "203.0.113.0/24")).toBeNull();
      expect(await stage.made().actionsOf(person.person_id)).toEqual([
        "person.invite",
        "person.join",
        "person.sign_in",
        "person.end",
      ]);
    });

    it("keeps the last operator, however many ask at once", async () => {
      const [one, other] = [
        await joined({ tenant_id: INSTALLATION, role: "operator" }),
        await joined({ tenant_id: INSTALLATION, role: "operator" }),
      ];
      // A person who is invited but has not joined could not administer anything.
      const invited = personOf({ tenant_id: INSTALLATION, role: "operator" });
      await directory().add(invited, invitationOf(), ROOM, entryOf("person.invite", invited.person_id));
      const end = ({ person: { person_id } }: typeof one) =>
        directory().end(INSTALLATION, person_id, noon, "operator", entryOf("person.end", person_id));
      const answers = await Promise.all([end(one), end(other)]);
      expect([...answers].sort()).toEqual(["ended", "last_administrator"]);
      const last = answers[0] === "ended" ? other : one;
      const { person_id } = last.person;
      expect(
        await directory().change(INSTALLATION, person_id, { role: "operator:read" }, "operator", entryOf("x", "x")),
      ).toBe("last_administrator");
      expect(
        await directory().change(
          INSTALLATION,
          person_id,
          { name: "Last", role: "operator" },
          "operator",
          entryOf("x", "x"),
        ),
      ).toMatchObject({
        name: "Last",
      });
      expect(
        await directory().end(INSTALLATION, invited.person_id, noon, "operator", entryOf("x", invited.person_id)),
      ).toBe("ended");
      const { person: admin } = await joined({ tenant_id: await stage.made().newTenant() });
      const endAdmin = (keep: "admin" | null) =>
        directory().end(admin.tenant_id, admin.person_id, noon, keep, entryOf("person.end", admin.person_id));
      expect([await endAdmin("admin"), await endAdmin(null)]).toEqual(["last_administrator", "ended"]);
    });

    it("keeps passkeys of one person, none of them twice, and the last of them", async () => {
      const { person, passkey } = await joined();
      const { person_id } = person;
      const next = { ...keyOf({ created_at: later(2) }), person_id };
      const add = (key: Passkey, most = ROOM) =>
        passkeys().add(tenant(), key, most, entryOf("person.add_passkey", person_id));
      expect(await add(next)).toBe("added");
      expect(await add(next)).toBe("known");
      expect(await add({ ...keyOf(), person_id }, 2)).toBe("full");
      expect(await passkeys().list(tenant(), person_id)).toEqual([{ ...passkey, person_id }, next]);
      expect(await passkeys().find(tenant(), next.credential_id)).toEqual(next);
      const remove = (id: string) =>
        passkeys().remove(tenant(), person_id, id, entryOf("person.remove_passkey", person_id));
      const answers = await Promise.all([remove(passkey.credential_id), remove(next.credential_id)]);
      expect([...answers].sort()).toEqual(["last", "removed"]);
      expect(await remove(newId())).toBeNull();
    });

    it("tells a copied key by its counter, and the same answer that comes twice", async () => {
      const { passkey } = await joined();
      const use = (counter: number) =>
        passkeys().use(tenant(), passkey.credential_id, { counter, is_backed_up: true, at: later(counter) });
      // Many authenticators have no counter.
      expect([await use(0), await use(0)]).toEqual([true, true]);
      const answers = await Promise.all([use(7), use(7), use(7)]);
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect([await use(6), await use(0), await use(8)]).toEqual([false, false, true]);
      expect(await passkeys().find(tenant(), passkey.credential_id)).toMatchObject({
        counter: 8,
        is_backed_up: true,
        used_at: later(8),
      });
    });

    it("takes each recovery code once, of the person that it is of", async () => {
      const { person, joining } = await joined();
      const { person: stranger } = await joined();
      const [first, second] = joining.recovery_hashes as [string, string];
      const spend = (email: string, hash: string) => passkeys().spendRecoveryCode(email, hash, "203.0.113.0/24");
      const answers = await Promise.all([spend(person.email, first), spend(person.email, first)]);
      expect(answers.filter((answer) => answer !== null)).toEqual([person]);
      expect(await spend(stranger.email, second)).toBeNull();
      const renew = () =>
        passkeys().storeRecoveryCodes(
          tenant(),
          person.person_id,
          [randomUUID(), randomUUID(), randomUUID()],
          entryOf("person.new_recovery_codes", person.person_id),
        );
      await Promise.all([renew(), renew(), renew(), renew()]);
      expect(await passkeys().countRecoveryCodes(tenant(), person.person_id)).toBe(3);
      expect(await spend(person.email, second)).toBeNull();
    });

    describeSessions(stage);
    describeViews(stage);
  });
}
