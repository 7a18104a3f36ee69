import { expect, it } from "vitest";
import { sessionBytes } from "../../connecting/session-store.js";
import type { LetterDocument } from "../../letters/letter-store.js";
import type { Storage } from "../../storage.js";
import { auditEntry, later, letter, move, newId, newTenant, now, session } from "../fixture.js";

/** Cases of `LimitStore`, and of counting what is limited. */
export function limitCases(storage: () => Storage): void {
  const overridesOf = async (tenantId: string | null) =>
    Object.fromEntries(
      (await storage().limits.overrides()).flatMap(({ tenant_id, name, value }) =>
        tenant_id === tenantId ? [[name, value]] : [],
      ),
    );
  const document = (kind: LetterDocument["kind"], size: number): LetterDocument => ({
    kind,
    sha256: "s",
    size,
    signature: "none",
    sealed_key: "k",
    ciphertext: Uint8Array.of(7),
    object_key: null,
  });

  it("limits of a tenant and of the installation are set, changed and reset, each with its line in the audit trail", async () => {
    const [tenant, other] = [await newTenant(storage()), await newTenant(storage())];
    const entry = auditEntry({ action: "tenant.limits" });
    await storage().limits.change(tenant.tenant_id, { set: { letters: 1, grants: 0 }, reset: [] }, entry);
    await storage().limits.change(null, { set: { letters: 2 ** 50 }, reset: [] }, auditEntry({ audit_id: newId() }));
    await storage().limits.change(
      tenant.tenant_id,
      { set: { letters: 7 }, reset: ["grants", "open_sessions"] },
      auditEntry({ audit_id: newId() }),
    );
    expect(await overridesOf(tenant.tenant_id)).toEqual({ letters: 7 });
    expect(await overridesOf(other.tenant_id)).toEqual({});
    expect(await overridesOf(null)).toEqual({ letters: 2 ** 50 });
    await storage().limits.change(null, { set: {}, reset: ["letters"] }, auditEntry({ audit_id: newId() }));
    expect(await overridesOf(null)).toEqual({});
    expect(await tenant.run(({ audit }) => audit.list({ limit: 9 }))).toHaveLength(2);
  });

  it("[C-14.126] of ten who change the limits that they saw at once one does, and of those who saw others nobody", async () => {
    const tenant = await newTenant(storage());
    for (const owner of [tenant.tenant_id, null]) {
      const change = (
        letters: number,
        precondition: (there: readonly { readonly value: number }[] | null) => boolean,
      ) => {
        const entry = auditEntry({ audit_id: newId() });
        return storage().limits.change(owner, { set: { letters }, reset: [] }, entry, precondition);
      };
      const changes = Array.from({ length: 10 }, (_, index) => change(index + 1, (there) => there?.length === 0));
      expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1);
      const { letters = 0 } = await overridesOf(owner);
      expect(await change(77, (there) => there?.[0]?.value === 99)).toBe(false);
      expect(await overridesOf(owner)).toEqual({ letters });
      expect(await change(77, (there) => there?.[0]?.value === letters)).toBe(true);
      expect(await overridesOf(owner)).toEqual({ letters: 77 });
    }
    await storage().limits.change(null, { set: {}, reset: ["letters"] }, auditEntry({ audit_id: newId() }));
    expect(await tenant.run(({ audit }) => audit.list({ limit: 9 }))).toHaveLength(2);
  });

  it("what a tenant has is counted: sessions while they are open, letters, and their documents while they are kept", async () => {
    const tenant = await newTenant(storage());
    const record = letter();
    const value = Array.from({ length: 100 }, (_, number) => `é:bank-${number}`);
    const rules = [{ action: "exclude", field: "connector_id", value } as const];
    const filtered = session({ expires_at: later(30), connector_filter: { rules } });
    const session_bytes = sessionBytes(session()) + sessionBytes(filtered);
    expect(session_bytes).toBeGreaterThan(JSON.stringify(value).length);
    await tenant.run(async ({ sessions, letters, letterDocuments }) => {
      await sessions.create(session({ expires_at: later(60) }));
      await sessions.create(filtered);
      await sessions.create(session({ expires_at: later(30), status: "Finished:OK" }));
      await sessions.create(session({ expires_at: now }));
      expect(await sessions.countOpen(now)).toEqual({ open: 2, bytes: session_bytes, first_ends: later(30) });
      await letters.create(record, [document("letter", 100), document("annex", 20)], move(record));
      await letterDocuments.attach(record.letter_id, document("annex", 3));
      expect(await letters.used()).toEqual({ letters: 1, document_bytes: 103 });
    });
    const use = {
      tenant_id: tenant.tenant_id,
      grants: 0,
      open_sessions: 2,
      session_bytes,
      letters: 1,
      webhook_endpoints: 0,
      clients: 0,
    };
    expect(await storage().limits.use(tenant.tenant_id, now)).toEqual([{ ...use, document_bytes: 103 }]);
    await tenant.run(({ letterDocuments }) => letterDocuments.erase(record.letter_id));
    expect(await storage().limits.use(null, now)).toContainEqual({ ...use, document_bytes: 0 });
    const empty = await newTenant(storage());
    expect(await empty.run(({ sessions }) => sessions.countOpen(now))).toEqual({ open: 0, bytes: 0, first_ends: null });
  });

  it("[C-9.470] of ten that add something at once, each counts all that are kept", async () => {
    const tenant = await newTenant(storage());
    const most = 3;
    const full = new Error("full");
    const add = (work: Parameters<typeof tenant.run>[0]) =>
      Promise.allSettled(Array.from({ length: 10 }, () => tenant.run(work)));
    const sessionsAdded = await add(async ({ sessions }) => {
      await sessions.create(session({ expires_at: later(60) }));
      if ((await sessions.countOpen(now)).open > most) throw full;
    });
    const small = await newTenant(storage());
    const bytes = most * sessionBytes(session());
    const bytesAdded = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        small.run(async ({ sessions }) => {
          await sessions.create(session({ expires_at: later(60) }));
          if ((await sessions.countOpen(now)).bytes > bytes) throw full;
        }),
      ),
    );
    const lettersAdded = await add(async ({ letters }) => {
      const made = letter();
      await letters.create(made, [], move(made));
      if ((await letters.used()).letters > most) throw full;
    });
    let made = 0;
    const clientsAdded = await add(async ({ clients }) => {
      made += 1;
      await clients.note(`R-${made}`, now);
      if ((await clients.used()) > most) throw full;
    });
    for (const added of [sessionsAdded, bytesAdded, lettersAdded, clientsAdded])
      expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(most);
    expect(await storage().limits.use(tenant.tenant_id, now)).toMatchObject([
      { open_sessions: most, letters: most, clients: most },
    ]);
  });

  it("[C-14.1072] clients are counted while they are there, whatever they are called, and each once", async () => {
    const tenant = await newTenant(storage());
    const used = async () => {
      const [use] = await storage().limits.use(tenant.tenant_id, now);
      expect(await tenant.run(({ clients }) => clients.used())).toBe(use?.clients);
      return use?.clients;
    };
    expect(await used()).toBe(0);
    await tenant.run(async ({ clients }) => {
      for (const reference of ["A", "B", "A"]) await clients.note(reference, now);
      expect(await clients.used()).toBe(2);
    });
    expect(await used()).toBe(2);
    await tenant.run(({ clients }) => clients.update("A", { client_ref: "C" }));
    await tenant.run(({ clients }) => clients.update("C", { client_ref: "B" }));
    expect(await used()).toBe(2);
    await tenant.run(({ clients }) => clients.remove("C"));
    expect(await used()).toBe(1);
  });
}
