import { expect, it } from "vitest";
import type { Uuid } from "../schemas/identifier.js";
import type { Storage, TenantStores } from "../storage.js";
import {
  auditEntry,
  connection,
  holding,
  holdingQuery,
  letter,
  letterQuery,
  move,
  newId,
  newTenant,
  now,
  session,
  sessionQuery,
} from "./fixture.js";

/** Cases of `Storage.inTenant`: all or nothing, alone, and for one tenant only. */
export function transactionCases(storage: () => Storage): void {
  it("answers what the work answers", async () => {
    const tenant = await newTenant(storage());
    expect(await tenant.run(async () => ({ any: "thing" }))).toEqual({ any: "thing" });
  });

  it("keeps nothing when the work throws, and passes the error on", async () => {
    const tenant = await newTenant(storage());
    const kept = await tenant.connect();
    const fault = new Error("no");
    const record = connection();
    const written = session();
    const letterRecord = letter({ labels: { a: "b" } });
    const failing = tenant.run(async (stores) => {
      await writeEverything(stores, kept.connection_id, record, written, letterRecord);
      await stores.connections.remove(kept.connection_id);
      throw fault;
    });
    await expect(failing).rejects.toBe(fault);
    await tenant.run(async ({ connections, sessions, audit, letterMoves }) => {
      expect(await connections.find(kept.connection_id)).toEqual(kept);
      expect(await connections.find(record.connection_id)).toBeNull();
      expect(await sessions.list(sessionQuery())).toEqual([]);
      expect(await letterMoves.history(letterRecord.letter_id)).toEqual([]);
      expect(await audit.list({ limit: 10 })).toEqual([]);
    });
    expect(await storage().letterFinder.search(tenant.tenant_id, letterQuery())).toEqual({ items: [], total: 0 });
    expect(await storage().reader.holdings(tenant.tenant_id, holdingQuery())).toMatchObject({
      total: 0,
      revision: "0",
    });
    expect(await storage().directory.sessionByLink(written.link_hash)).toBeNull();
    expect(await storage().directory.tenantOfConnection(record.connection_id)).toBeNull();
    expect(await storage().directory.tenantOfLetter(letterRecord.letter_id)).toBeNull();
    await tenant.run((stores) => writeEverything(stores, kept.connection_id, record, written, letterRecord));
  });

  it("goes on working after a failed statement in another transaction", async () => {
    const tenant = await newTenant(storage());
    const kept = await tenant.connect();
    await expect(
      tenant.run(({ connections }) => connections.create({ ...kept, identity_hash: "x" })),
    ).rejects.toThrow();
    expect(await tenant.run(({ connections }) => connections.find(kept.connection_id))).toEqual(kept);
  });

  it.each<[string, (storage: Storage, tenantId: string) => Promise<unknown>]>([
    ["inTenant", (storage, tenantId) => storage.inTenant(tenantId, async () => undefined)],
    ["inTenant of another tenant", (storage) => storage.inTenant(newId(), async () => undefined)],
    ["a data read", (storage, tenantId) => storage.reader.holdings(tenantId, holdingQuery())],
    ["a search of letters", (storage, tenantId) => storage.letterFinder.search(tenantId, letterQuery())],
    ["the catalogue", (storage) => storage.catalogue.find("esp:bank")],
    ["tenants", (storage) => storage.tenants.find(newId())],
    ["the directory", (storage) => storage.directory.tenantOfConnection(newId())],
    ["upkeep", (storage) => storage.upkeep.expireSessions(now, 1)],
  ])("%s is refused inside inTenant, and works again afterwards", async (_, call) => {
    const tenant = await newTenant(storage());
    const nested = tenant.run(async () => call(storage(), tenant.tenant_id));
    await expect(nested).rejects.toThrow(/must not nest/);
    await call(storage(), tenant.tenant_id);
  });

  it("transactions of several tenants at once do not disturb each other", async () => {
    const tenants = await Promise.all(Array.from({ length: 5 }, () => newTenant(storage())));
    await Promise.all(
      tenants.flatMap((tenant) => Array.from({ length: 4 }, () => tenant.connect({ bank: tenant.tenant_id }))),
    );
    for (const tenant of tenants) {
      const everything = {
        bank: null,
        client_refs: null,
        ready_only: false,
        attention_at: null,
        with_accounts: false,
        page: 1,
        page_size: 50,
      };
      const { items } = await storage().connectionFinder.page(tenant.tenant_id, everything);
      expect(items.map((item) => item.bank)).toEqual(Array(4).fill(tenant.tenant_id));
    }
  });

  it("a tenant that was never created has nothing and can keep nothing", async () => {
    const nobody = newId();
    const read = await storage().reader.holdings(nobody, holdingQuery());
    expect(read).toMatchObject({ kind: "page", items_json: "[]", total: 0, totals: [], sources: [], revision: "0" });
    const letterRecord = letter();
    const writes: ((stores: TenantStores) => Promise<unknown>)[] = [
      ({ connections }) => connections.create(connection()),
      ({ sessions }) => sessions.create(session()),
      ({ letters }) => letters.create(letterRecord, [], move(letterRecord)),
    ];
    for (const write of writes) await expect(storage().inTenant(nobody, write)).rejects.toThrow();
    expect(await storage().letterFinder.search(nobody, letterQuery())).toEqual({ items: [], total: 0 });
    await storage().inTenant(nobody, async ({ connections, sessions, audit }) => {
      expect(await connections.find(newId())).toBeNull();
      expect(await sessions.list(sessionQuery())).toEqual([]);
      expect(await audit.list({ limit: 1 })).toEqual([]);
    });
  });
}

async function writeEverything(
  stores: TenantStores,
  connectionId: Uuid,
  record: ReturnType<typeof connection>,
  written: ReturnType<typeof session>,
  letterRecord: ReturnType<typeof letter>,
): Promise<void> {
  const document = {
    kind: "letter",
    sha256: "ab",
    size: 1,
    signature: "none",
    sealed_key: "k",
    ciphertext: new Uint8Array([1]),
    object_key: null,
  } as const;
  await stores.connections.create(record);
  await stores.snapshots.publish({
    connection_id: connectionId,
    as_of: now,
    published_at: now,
    holdings: [holding()],
  });
  await stores.sessions.create(written);
  await stores.letters.create(letterRecord, [document], move(letterRecord));
  await stores.audit.append(auditEntry());
}
