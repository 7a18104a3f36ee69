import { expect, it } from "vitest";
import type { CatalogueConnector } from "../../schemas/connector.js";
import type { Storage } from "../../storage.js";
import { auditEntry, later, letter, move, newId, newTenant, now, session } from "../fixture.js";

/** Cases of what belongs to no tenant: the tenants themselves, the catalogue and the directory; and of the audit log. */
export function environmentCases(storage: () => Storage): void {
  it("tenants are listed oldest first; a name is taken without regard to case", async () => {
    const { tenants } = storage();
    const name = `Élan ${newId()}`;
    const young = { tenant_id: newId(), name, created_at: new Date("2001-01-02T00:00:00.000Z") };
    const old = { tenant_id: newId(), name: `${name} II`, created_at: new Date("2001-01-01T00:00:00.000Z") };
    expect(await tenants.create(young)).toBe(true);
    expect(await tenants.create(old)).toBe(true);
    expect(await tenants.create({ ...old, tenant_id: newId(), name: name.toUpperCase() })).toBe(false);
    expect((await tenants.list()).slice(0, 2)).toEqual([old, young]);
    expect(await tenants.find(young.tenant_id)).toEqual(young);
    expect(await tenants.find(newId())).toBeNull();
    expect(await tenants.find(newId())).toBeNull();
  });

  it("of ten tenants made at once with one name one is kept", async () => {
    const name = `Racers ${newId()}`;
    const made = await Promise.all(
      Array.from({ length: 10 }, () => storage().tenants.create({ tenant_id: newId(), name, created_at: now })),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
  });

  it("[C-8.80] a tenant's profile is empty at first; what a change names is set or taken away, the rest stays", async () => {
    const tenant = await newTenant(storage());
    const empty = { display_name: null, legal_name: null, postal_address: null, privacy_url: null };
    const nothing = { name: `Tenant ${tenant.tenant_id}`, ...empty, support_contact: null, logo: null };
    expect(await tenant.run(({ profile }) => profile.find())).toEqual(nothing);
    const facts = { sha256: "ab".repeat(32), media_type: "image/png", width: 3, height: 2 } as const;
    const content = Uint8Array.of(1, 2, 3);
    const texts = {
      display_name: "Élan & Co",
      postal_address: ["1, rue X", "Genève"],
      privacy_url: "https://x.example/",
    };
    await tenant.run(({ profile }) => profile.change({ ...texts, logo: { ...facts, content } }));
    expect(await tenant.run(({ profile }) => profile.find())).toEqual({ ...nothing, ...texts, logo: facts });
    expect(await storage().logos.logo(facts.sha256, "203.0.113.0/24")).toMatchObject({ media_type: "image/png" });
    expect([...((await storage().logos.logo(facts.sha256, "203.0.113.0/24"))?.content ?? [])]).toEqual([1, 2, 3]);

    const second = { ...facts, sha256: "cd".repeat(32), content: Uint8Array.of(4) };
    await tenant.run(({ profile }) => profile.change({ display_name: null, legal_name: "Élan SA", logo: second }));
    expect(await tenant.run(({ profile }) => profile.find())).toMatchObject({
      ...texts,
      display_name: null,
      legal_name: "Élan SA",
      logo: { sha256: second.sha256 },
    });
    expect(await storage().logos.logo(facts.sha256, "203.0.113.0/24")).toBeNull();
    expect(await tenant.run(({ profile }) => profile.lock())).toEqual(
      await tenant.run(({ profile }) => profile.find()),
    );
    await tenant.run(({ profile }) => profile.change({ logo: null }));
    await tenant.run(({ profile }) => profile.change({}));
    expect(await tenant.run(({ profile }) => profile.find())).toMatchObject({ legal_name: "Élan SA", logo: null });
    expect(await storage().logos.logo(second.sha256, "203.0.113.0/24")).toBeNull();
  });

  it("the catalogue is kept by id in code point order, and its revision grows with every import", async () => {
    const { catalogue } = storage();
    const made = (id: string, over: Partial<CatalogueConnector> = {}): CatalogueConnector => ({
      id,
      name: "Bank",
      type: "psd2",
      countries: ["esp", "fra"],
      available: true,
      provider: "sandbox",
      provider_ref: null,
      metadata: { logo_url: "https://x.example/l.png", nested: { a: [1, null] } },
      ...over,
    });
    expect(await catalogue.all()).toEqual({ revision: await catalogue.revision(), connectors: [] });
    const first = await catalogue.revision();
    expect(await catalogue.importAll([made("b:x"), made("B:x"), made("a:é"), made("a:z")])).toEqual({
      inserted: 4,
      updated: 0,
      unchanged: 0,
    });
    const second = await catalogue.revision();
    const changed = made("b:x", {
      name: "Renamed",
      available: false,
      countries: [],
      provider_ref: "bank-7",
      metadata: {},
    });
    expect(await catalogue.importAll([changed, made("c:x"), made("c:x", { type: "datafeed" })])).toEqual({
      inserted: 1,
      updated: 1,
      unchanged: 0,
    });
    expect(await catalogue.importAll([changed, made("a:z")])).toEqual({ inserted: 0, updated: 0, unchanged: 2 });
    expect(await catalogue.decided()).toEqual([]);
    const all = await catalogue.all();
    expect(all.connectors).toEqual([made("B:x"), made("a:z"), made("a:é"), changed, made("c:x", { type: "datafeed" })]);
    expect(all.revision).toBe(await catalogue.revision());
    expect(new Set([first, second, all.revision]).size).toBe(3);
    expect(await catalogue.find("b:x")).toEqual(changed);
    expect(await catalogue.find("nothing")).toBeNull();
    expect(await catalogue.importAll([])).toEqual({ inserted: 0, updated: 0, unchanged: 0 });
    expect(await catalogue.revision()).toBe(all.revision);
    const decided = made("b:x", { metadata: { institution: "b:x", way: 1 } });
    await catalogue.importAll([decided]);
    expect(await catalogue.decided()).toEqual([decided]);
  });

  it("the directory finds the tenant of a link, a connection and a letter", async () => {
    const tenant = await newTenant(storage());
    const { tenant_id } = tenant;
    const { directory } = storage();
    const { connection_id } = await tenant.connect();
    const made = session();
    const record = letter();
    await tenant.run(async ({ sessions, letters }) => {
      await sessions.create(made);
      await letters.create(record, [], move(record));
    });
    expect(await directory.sessionByLink(made.link_hash)).toEqual({ tenant_id, session_id: made.session_id });
    expect(await directory.sessionByLink("other")).toBeNull();
    expect(await directory.tenantOfConnection(connection_id)).toBe(tenant_id);
    expect(await directory.tenantOfLetter(record.letter_id)).toBe(tenant_id);
    const { connector_id } = record;
    expect(await directory.feedsOf([connection_id, newId(), record.letter_id])).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: connection_id, tenant_id, connection_id }),
        { id: record.letter_id, tenant_id, connector_id, connection_id: record.connection_id },
      ]),
    );
    expect(await directory.feedsOf([])).toEqual([]);
    expect(await directory.tenantOfConnection(newId())).toBeNull();
    expect(await directory.tenantOfLetter(newId())).toBeNull();
  });

  it("the audit log is read newest first, in pages", async () => {
    const tenant = await newTenant(storage());
    const entries = [
      auditEntry(),
      auditEntry({ at: later(1), trace_id: null, address: null, facts: {} }),
      auditEntry(),
    ];
    await tenant.run(async ({ audit }) => {
      for (const entry of entries) await audit.append(entry);
    });
    const [first, second, third] = entries;
    await tenant.run(async ({ audit }) => {
      expect(await audit.list({ limit: 2 })).toEqual([third, second]);
      expect(await audit.list({ limit: 2, before: second?.audit_id ?? "" })).toEqual([first]);
      expect(await audit.list({ limit: 2, before: first?.audit_id ?? "" })).toEqual([]);
    });
  });
}
