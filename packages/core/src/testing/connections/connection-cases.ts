import { expect, it } from "vitest";
import type { ConnectionRecord } from "../../connections/connection-store.js";
import type { Storage } from "../../storage.js";
import { connection, later, newId, newTenant, now } from "../fixture.js";

/** Cases of `ConnectionStore`, except removal (see `removal-cases.ts`). */
export function connectionCases(storage: () => Storage): void {
  it("[C-5.64] those with an access are read in order of their ids, a few at a time, and no other tenant's", async () => {
    const [tenant, other] = [await newTenant(storage()), await newTenant(storage())];
    await other.connect();
    const [one, two] = [await tenant.connect(), await tenant.connect()];
    await tenant.connect({ sealed_access: null });
    const three = await tenant.connect();
    await tenant.run(async ({ connections }) => {
      expect(await connections.withAccess(null, 2)).toEqual([one, two]);
      expect(await connections.withAccess(two.connection_id, 2)).toEqual([three]);
      expect(await connections.withAccess(three.connection_id, 2)).toEqual([]);
    });
  });

  it("a connection is found as it was kept", async () => {
    const tenant = await newTenant(storage());
    const record = await tenant.connect({ labels: { "a.b-c_d": "ä 'quoted' \"twice\" \\ {}" }, identity_hash: "who" });
    const feed = await tenant.connect({ sealed_access: null });
    await tenant.run(async ({ connections }) => {
      expect(await connections.find(record.connection_id)).toEqual(record);
      expect(await connections.find(feed.connection_id)).toEqual(feed);
      const twice = await connections.findMany([record.connection_id, newId(), record.connection_id]);
      expect(twice).toEqual([record]);
      expect(await connections.findMany([])).toEqual([]);
    });
  });

  it("an id that nothing has is unknown", async () => {
    const id = newId();
    const tenant = await newTenant(storage());
    await tenant.run(async ({ connections }) => {
      expect(await connections.find(id)).toBeNull();
      expect(await connections.save(id, { status: connection().status })).toBe(false);
      expect(await connections.remove(id)).toBe(false);
    });
  });

  it("one identity has one connection per connector; the second create answers the first and changes nothing", async () => {
    const tenant = await newTenant(storage());
    const first = await tenant.connect({ identity_hash: "who" });
    const create = (over: Parameters<typeof connection>[0]) =>
      tenant.run(({ connections }) => connections.create(connection(over)));
    expect(await create({ identity_hash: "who", bank: "Other" })).toEqual({
      created: false,
      existing: first.connection_id,
    });
    expect(await create({ identity_hash: "who", connector_id: "fra:bank" })).toEqual({ created: true });
    expect(await create({ identity_hash: null })).toEqual({ created: true });
    expect(await create({ identity_hash: null })).toEqual({ created: true });
    const other = await newTenant(storage());
    expect(await other.run(({ connections }) => connections.create(connection({ identity_hash: "who" })))).toEqual({
      created: true,
    });
    const { total } = await storage().connectionFinder.page(tenant.tenant_id, everything);
    expect(total).toBe(4);
  });

  it("[C-5.130] who it is can be learned later, unless another connection is theirs", async () => {
    const tenant = await newTenant(storage());
    const first = await tenant.connect({ identity_hash: "who" });
    const late = await tenant.connect({ identity_hash: "query 1" });
    const elsewhere = await tenant.connect({ identity_hash: "query 2", connector_id: "fra:bank" });
    const identify = (id: typeof late.connection_id, who: string) =>
      tenant.run(({ connections }) => connections.identify(id, who));
    const found = async (id: typeof late.connection_id) =>
      (await tenant.run(({ connections }) => connections.find(id)))?.identity_hash;
    expect(await identify(late.connection_id, "who")).toBe(first.connection_id);
    const named = (who: string) => tenant.run(({ connections }) => connections.findIdentified(first.connector_id, who));
    expect(await named("who")).toMatchObject({ connection_id: first.connection_id });
    expect(await named("nobody")).toBeNull();
    expect(await found(late.connection_id)).toBe("query 1");
    expect(await identify(first.connection_id, "who")).toBeNull();
    expect(await identify(elsewhere.connection_id, "who")).toBeNull();
    expect(await identify(late.connection_id, "somebody else")).toBeNull();
    expect(await found(late.connection_id)).toBe("somebody else");
  });

  it("of ten creates at once with one identity one is created and all answer it", async () => {
    const tenant = await newTenant(storage());
    const records = Array.from({ length: 10 }, () => connection({ identity_hash: "who" }));
    const answers = await Promise.all(
      records.map((record) => tenant.run(({ connections }) => connections.create(record))),
    );
    const { items } = await storage().connectionFinder.page(tenant.tenant_id, everything);
    expect(items).toHaveLength(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    for (const answer of answers) if (!answer.created) expect(answer.existing).toBe(items[0]?.connection_id);
  });

  it("[C-4.8] lists are oldest first, ids break ties, and pages cover them once", async () => {
    const tenant = await newTenant(storage());
    const late = await tenant.connect({ created_at: later(10) });
    const first = await tenant.connect();
    const second = await tenant.connect();
    const { page } = storage().connectionFinder;
    const pages = [1, 2, 3].map((number) => page(tenant.tenant_id, { ...everything, page_size: 2, page: number }));
    expect(await Promise.all(pages)).toEqual([
      { items: [first, second], total: 3 },
      { items: [late], total: 3 },
      { items: [], total: 3 },
    ]);
  });

  it("[C-14.811] connections of clients are found, and none of other tenants", async () => {
    const tenant = await newTenant(storage());
    const other = await newTenant(storage());
    for (const owner of [tenant, other])
      await owner.run(async ({ clients }) => {
        for (const reference of ["A", "B", "C"]) await clients.note(reference, now);
      });
    const late = await tenant.connect({ created_at: later(10), client_ref: "A" });
    const first = await tenant.connect({ client_ref: "A" });
    const ofB = await tenant.connect({ client_ref: "B" });
    const nobodys = await tenant.connect();
    const foreign = await other.connect({ client_ref: "A" });
    const page = async (client_refs: readonly string[]) =>
      (await storage().connectionFinder.page(tenant.tenant_id, { ...everything, client_refs })).items;
    expect(await page(["A"])).toEqual([first, late]);
    expect(await page(["B", "A", "a"])).toHaveLength(3);
    expect(await page(["C"])).toEqual([]);

    const connectionsOf = (...args: Parameters<Storage["reader"]["connectionsOf"]>) =>
      storage().reader.connectionsOf(...args);
    const [a, b, c, d] = [first.connection_id, late.connection_id, ofB.connection_id, nobodys.connection_id];
    const unknown = { unknown_clients: [], unknown_connections: [] };
    expect(await connectionsOf(tenant.tenant_id, ["A"], null)).toEqual({ ...unknown, connection_ids: [a, b] });
    expect(await connectionsOf(tenant.tenant_id, ["C"], null)).toEqual({ ...unknown, connection_ids: [] });
    expect(await connectionsOf(tenant.tenant_id, ["A", "B"], [d, c, b])).toEqual({
      ...unknown,
      connection_ids: [c, b],
    });
    expect(await connectionsOf(tenant.tenant_id, ["Z", "A", "a"], [foreign.connection_id, a])).toEqual({
      unknown_clients: ["Z", "a"],
      unknown_connections: [foreign.connection_id],
      connection_ids: [a],
    });
  });

  it("[C-4.14] [C-4.63] bank is a substring without regard to case and accents, and no pattern", async () => {
    const tenant = await newTenant(storage());
    await tenant.connect({ bank: "Crédit ÉLAN 100%" });
    await tenant.connect({ bank: "Other_bank" });
    await tenant.connect({ bank: "Sparkasse Gießen" });
    await tenant.connect({ bank: "Sparkasse Gießen", connector_id: "deu:other" });
    const count = async (bank: string) =>
      (await storage().connectionFinder.page(tenant.tenant_id, { ...everything, bank })).total;
    expect(await count("élan")).toBe(1);
    expect(await count("0%")).toBe(1);
    expect(await count("%")).toBe(1);
    expect(await count("r_b")).toBe(1);
    expect(await count("n")).toBe(4);
    expect(await count("N")).toBe(4);
    expect(await count("")).toBe(4);
    expect(await count("elan")).toBe(1);
    expect(await count("CRE\u0301DIT")).toBe(1);
    expect(await count("gießen")).toBe(2);
    expect(await count("GIESSEN")).toBe(2);
    expect(await count(" giessen ")).toBe(2);
    expect(await count("wörgl")).toBe(0);
    expect(await count("\\")).toBe(0);
  });

  it("[C-4.37] ready_only leaves out what is pending or needs a login, and nothing else", async () => {
    const tenant = await newTenant(storage());
    const status = { ...connection().status, pending: false };
    const failed = (part: "product" | "transaction", name: string) => ({
      ...status.errored,
      [part]: { ...status.errored[part], [name]: true },
    });
    for (const change of [
      { pending: true },
      { blocked: true },
      { sca_token: "sca" },
      { reset_token: "reset" },
      { errored: failed("product", "auth") },
    ])
      await tenant.connect({ status: { ...status, ...change } });
    const ready: ConnectionRecord[] = [];
    for (const change of [
      {},
      { sca_token: "", reset_token: "" },
      { transaction_token: "transactions" },
      { errored: failed("product", "portfolio") },
      { errored: failed("transaction", "investment") },
    ])
      ready.push(await tenant.connect({ status: { ...status, ...change } }));
    const page = await storage().connectionFinder.page(tenant.tenant_id, { ...everything, ready_only: true });
    expect(page).toEqual({ items: ready, total: 5 });
  });

  it("save replaces the status, and the access only when it is given", async () => {
    const tenant = await newTenant(storage());
    const record = await tenant.connect();
    const status = { ...record.status, pending: false, last_update: now.toISOString() };
    await tenant.run(async ({ connections }) => {
      expect(await connections.save(record.connection_id, { status })).toBe(true);
      expect(await connections.find(record.connection_id)).toEqual({ ...record, status });
      expect(await connections.save(record.connection_id, { status, sealed_access: "new" })).toBe(true);
      expect(await connections.find(record.connection_id)).toEqual({ ...record, status, sealed_access: "new" });
    });
  });
}

const everything = {
  bank: null,
  client_refs: null,
  ready_only: false,
  attention_at: null,
  with_accounts: false,
  page: 1,
  page_size: 50,
};
