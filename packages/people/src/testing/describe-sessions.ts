import { randomUUID } from "node:crypto";
import type { Uuid } from "@org/core";
import { expect, it } from "vitest";
import type { Person } from "../ports/people-store.js";
import { entryOf, later, newId, noon, ROOM, type Stage } from "./people-stage.js";

/** The cases of sessions, ceremonies, and operations on people over all tenants. */
export function describeSessions(stage: Stage): void {
  const { directory, passkeys, sessions, personOf, invitationOf, keyOf, joined, begun, tenant } = stage;

  it("finds a session until it ends, expires or is idle for too long", async () => {
    const { person } = await joined();
    const session = await begun(person);
    const other = await begun(person, { created_at: later(1), seen_at: later(1) });
    const find = (at: Date, seenAfter: Date, of = tenant()) => sessions().find(of, session.session_hash, at, seenAfter);
    expect(await find(later(5), later(-1))).toMatchObject({ session, person: { person_id: person.person_id } });
    expect(await find(later(600), later(-1))).toBeNull();
    expect(await find(later(5), noon)).toBeNull();
    expect(await find(later(5), later(-1), await stage.made().newTenant())).toBeNull();
    await sessions().see(tenant(), session.session_id, later(30));
    expect(await find(later(31), later(29))).toMatchObject({
      session: { seen_at: later(30) },
      person: { seen_at: later(30) },
    });
    expect(await sessions().confirm(tenant(), session.session_id, later(40), null)).toBe(true);
    expect(await sessions().confirm(tenant(), newId(), later(40), null)).toBe(false);
    const listed = await sessions().list(tenant(), person.person_id, later(5), later(-1));
    expect(listed.map(({ session_id }) => session_id)).toEqual([other.session_id, session.session_id]);
    expect(listed[1]).toMatchObject({ confirmed_at: later(40) });
    const end = (personId: Uuid) =>
      sessions().end(tenant(), personId, session.session_id, entryOf("person.sign_out", session.session_id));
    expect(await end(newId())).toBeNull();
    expect([await end(person.person_id), await end(person.person_id)]).toEqual([{ id_token_hint: null }, null]);
    expect(await find(later(5), later(-1))).toBeNull();
  });

  it("[C-14.128] keeps the provider's ID token with a session, and gives it back with its end alone", async () => {
    const { person } = await joined();
    const made = { ...(await begun(person)), session_id: newId(), session_hash: randomUUID() };
    expect(await sessions().begin(made, entryOf("person.sign_in", person.person_id), "sealed")).toBe(true);
    const found = await sessions().find(tenant(), made.session_hash, later(5), later(-1));
    expect(found?.session).toEqual(made);
    const confirm = (id_token_hint: string | null) =>
      sessions().confirm(tenant(), made.session_id, later(1), { sid: null, id_token_hint });
    await confirm("sealed anew");
    await confirm(null);
    await sessions().confirm(tenant(), made.session_id, later(1), null);
    const entry = entryOf("person.sign_out", made.session_id);
    const ended = await sessions().end(tenant(), person.person_id, made.session_id, entry);
    expect(ended).toEqual({ id_token_hint: "sealed anew" });
  });

  it("ends the sessions that an identity provider ends: all of a person, or one", async () => {
    const issuer = "https://idp.example";
    const identity = { issuer, subject: randomUUID() };
    const guest = personOf({ identity });
    await directory().add(guest, null, ROOM, entryOf("person.invite", guest.person_id));
    const person = (await directory().find(tenant(), guest.person_id)) as Person;
    for (const provider_sid of ["a", "b", "c"]) await begun(person, { method: "oidc", provider_sid });
    const again = await begun(person, { method: "oidc", provider_sid: "d" });
    const end = (logout: { subject: string | null; sid: string | null }, of = issuer) =>
      sessions().endOfProvider(
        tenant(),
        { issuer: of, ...logout },
        entryOf("person.provider_logout", person.person_id),
      );
    const all = { subject: identity.subject, sid: null };
    expect(await end(all, "https://other.example")).toBe(0);
    expect(await end({ subject: null, sid: null })).toBe(0);
    expect(await end({ subject: null, sid: "b" })).toBe(1);
    // A person who confirmed in another session of the provider belongs to that one from then on.
    expect(await sessions().confirm(tenant(), again.session_id, later(1), null)).toBe(true);
    expect(await sessions().confirm(tenant(), again.session_id, later(1), { sid: "e", id_token_hint: null })).toBe(
      true,
    );
    expect(await end({ subject: null, sid: "d" })).toBe(0);
    expect(await end({ subject: null, sid: "e" })).toBe(1);
    expect(await end({ subject: "another", sid: "a" })).toBe(0);
    expect(await end(all)).toBe(2);
    expect(await sessions().list(tenant(), person.person_id, noon, later(-1))).toEqual([]);
  });

  it("ends what somebody has here whom their provider lets go, once, until they come back", async () => {
    const identity = { issuer: "https://idp.example", subject: randomUUID() as string };
    const guest = personOf({ identity });
    const { person_id } = guest;
    expect(await directory().add(guest, null, ROOM, entryOf("person.join", person_id))).toBe("added");
    const person = (await directory().find(tenant(), person_id)) as Person;
    const endAccess = (seconds: number, of = identity) =>
      directory().endAccess(tenant(), of, { ...entryOf("person.provider_sign_out", person_id), at: later(seconds) });
    // A person who has never joined has no access to end.
    expect(await endAccess(1)).toBe(false);
    await begun(person, { method: "oidc" });
    expect(await endAccess(2, { ...identity, subject: "another" })).toBe(false);
    expect(await endAccess(2)).toBe(true);
    expect(await sessions().list(tenant(), person_id, noon, later(-1))).toEqual([]);
    expect(await endAccess(3)).toBe(false);
    await begun(person, { method: "oidc", seen_at: later(4) });
    expect(await endAccess(5)).toBe(true);
    expect((await directory().find(tenant(), person_id))?.ended_at).toBeNull();
    await directory().end(tenant(), person_id, later(6), null, entryOf("person.end", person_id));
    expect(await endAccess(7)).toBe(false);
  });

  it("has each ceremony count once, and lets go of what is old", async () => {
    const id = newId();
    const { ceremonies } = stage.made().stores;
    const answers = await Promise.all([1, 2, 3].map(() => ceremonies.spend(id, later(60))));
    expect(answers.filter(Boolean)).toHaveLength(1);
    const { person } = await joined();
    const [old, idle, live] = [
      await begun(person, { expires_at: later(-10) }),
      await begun(person, { seen_at: later(-7200) }),
      await begun(person),
    ];
    while ((await ceremonies.reap(noon, later(-3600), ROOM)) > 0);
    const left = await sessions().list(tenant(), person.person_id, later(-20), later(-9999));
    expect(left.map(({ session_id }) => session_id)).toEqual([live.session_id]);
    expect([old, idle]).toHaveLength(2);
    expect(await ceremonies.spend(id, later(60))).toBe(false);
    while ((await ceremonies.reap(later(61), later(-3600), ROOM)) > 0);
    expect(await ceremonies.spend(id, later(60))).toBe(true);
  });

  it("[C-14.13] lets go of invitations that ran out, and of people who were removed before they came", async () => {
    const { ceremonies } = stage.made().stores;
    const home = await stage.made().newTenant();
    const [late, gone] = [personOf({ tenant_id: home }), personOf({ tenant_id: home })];
    for (const person of [late, gone])
      await directory().add(person, invitationOf(), ROOM, entryOf("person.invite", person.person_id));
    const { person: here } = await joined({ tenant_id: home });
    for (const { person_id } of [gone, here])
      await directory().end(home, person_id, noon, null, entryOf("person.end", person_id));
    const left = async (at: Date) => {
      while ((await ceremonies.reap(at, later(-3600), ROOM)) > 0);
      const people = await directory().list({ tenant_id: home, after: null, limit: 9, ended: true });
      return people.map(({ person_id, invited_until }) => [person_id, invited_until]).sort();
    };
    const sorted = (...rows: unknown[][]) => rows.sort();
    const others = [
      [gone.person_id, null],
      [here.person_id, null],
    ];
    expect(await left(later(59))).toEqual(sorted([late.person_id, later(60)], ...others));
    expect(await left(later(61))).toEqual(sorted([late.person_id, null], ...others));
    expect(await left(later(30 * 86_400 + 1))).toEqual(sorted([late.person_id, null], [here.person_id, null]));
  });

  it("counts people by role and state over all tenants, with their sessions and those on one passkey", async () => {
    const counted = async () => {
      const counts = await stage.made().stores.count(noon, later(-1));
      return (["invited", "active"] as const).map((state) =>
        counts.find((count) => count.role === "read" && count.state === state),
      );
    };
    expect(await counted()).toEqual([undefined, undefined]);
    const invited = personOf({ role: "read" });
    await directory().add(invited, invitationOf(), ROOM, entryOf("person.invite", invited.person_id));
    const { person } = await joined({ role: "read" });
    const { person: careful } = await joined({ role: "read", tenant_id: await stage.made().newTenant() });
    const spare = { ...keyOf(), person_id: careful.person_id };
    await passkeys().add(careful.tenant_id, spare, ROOM, entryOf("person.add_passkey", careful.person_id));
    for (const change of [{}, {}, { seen_at: later(-1) }]) await begun(person, change);
    const { person: removed } = await joined({ role: "read" });
    await directory().end(tenant(), removed.person_id, noon, null, entryOf("person.end", removed.person_id));
    const of = { role: "read", with_one_passkey: 0, sessions: 0 };
    expect(await counted()).toEqual([
      { ...of, state: "invited", people: 1 },
      { ...of, state: "active", people: 2, with_one_passkey: 1, sessions: 2 },
    ]);
  });
}
