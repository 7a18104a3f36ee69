import type { Storage, Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** Cases that need several connections. */
describe.skipIf(!testDatabaseUrl)("transactions at once on PostgreSQL", () => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());
  const publication = (connection_id: Uuid) => ({
    connection_id,
    as_of: samples.now,
    published_at: samples.now,
    portfolios: [samples.portfolio()],
    holdings: [samples.holding(), samples.holding()],
    transactions: [samples.transaction()],
  });

  it("[C-4.25] a reader sees the last publication while the next one is being written, and does not wait for it", async () => {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    await tenant.run(({ snapshots }) => snapshots.publish(publication(connection_id)));
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let published = () => {};
    const written = new Promise<void>((resolve) => {
      published = resolve;
    });
    const writing = tenant.run(async ({ snapshots }) => {
      await snapshots.publish({ ...publication(connection_id), holdings: [] });
      published();
      await held;
    });
    await written;
    const during = await storage.reader.holdings(tenant.tenant_id, samples.holdingQuery());
    expect(during).toMatchObject({ revision: "1", total: 2 });
    finish();
    await writing;
    const after = await storage.reader.holdings(tenant.tenant_id, samples.holdingQuery());
    expect(after).toMatchObject({ revision: "2", total: 0 });
  });

  it("one tenant's transaction does not hold up another's", async () => {
    const [slow, fast] = [await samples.newTenant(storage), await samples.newTenant(storage)];
    const { connection_id } = await slow.connect();
    await slow.run(async ({ snapshots }) => {
      await snapshots.publish(publication(connection_id));
      const waiting = new Promise<string>((resolve, reject) => {
        // Runs outside this transaction, as another request would.
        setImmediate(() => otherRequest().then(() => resolve("done"), reject));
      });
      expect(await waiting).toBe("done");
    });

    async function otherRequest(): Promise<void> {
      const elsewhere = createPostgresStorage(createTransactions(database.pool));
      await elsewhere.inTenant(fast.tenant_id, ({ connections }) => connections.create(samples.connection()));
    }
  });

  it("a login and the data of a late connection may say at once who the customer is: neither has to begin again", async () => {
    const tenant = await samples.newTenant(storage);
    const late = await tenant.connect({ identity_hash: "not known yet" });
    const lease = samples.newId();
    await tenant.run(async ({ refreshes }) => {
      await refreshes.plan(late.connection_id, samples.plan(samples.now));
      await refreshes.take(late.connection_id, { lease, now: samples.now, until: samples.later(60) });
    });
    const begun = { refresh: 0, login: 0 };
    let login: Promise<unknown> = Promise.resolve();
    const refresh = tenant.run(async ({ refreshes, connections }) => {
      begun.refresh += 1;
      await refreshes.hold(late.connection_id, lease);
      await new Promise<void>((resolve) => {
        // Runs outside this transaction, as another request would.
        setImmediate(() => {
          login = logIn();
          resolve();
        });
      });
      await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
      return connections.identify(late.connection_id, "who");
    });
    expect(await refresh).toBeNull();
    expect(await login).toEqual({ created: false, existing: late.connection_id });
    expect(begun).toEqual({ refresh: 1, login: 1 });

    async function waiting(): Promise<number> {
      const { rows } = await database.pool.query(
        "select count(*)::integer as n from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())",
      );
      return rows[0].n;
    }
    function logIn() {
      const elsewhere = createPostgresStorage(createTransactions(database.pool));
      return elsewhere.inTenant(tenant.tenant_id, async ({ connections, snapshots }) => {
        begun.login += 1;
        const { connector_id } = late;
        const made = await connections.create(samples.connection({ connector_id, identity_hash: "who" }));
        if (made.created) await snapshots.publish(publication(late.connection_id));
        return made;
      });
    }
  });

  it("publishing, refreshing, reading, reaping and removing never lock each other out", async () => {
    for (let round = 0; round < 8; round += 1) {
      const tenant = await samples.newTenant(storage);
      const one = await tenant.connect();
      const two = await tenant.connect();
      const publish = ({ connection_id }: typeof one) =>
        tenant.run(({ snapshots }) => snapshots.publish(publication(connection_id)));
      await publish(one);
      const cutoffs = {
        now: samples.now,
        finished_sessions_before: samples.now,
        replaced_snapshots_before: samples.later(60),
        valuations_before: "2000-01-01",
        former_versions_before: samples.later(60),
        settled_mails_before: samples.now,
      };
      const outcomes = await Promise.allSettled([
        publish(one),
        publish(two),
        tenant.run(({ connections }) => connections.remove(one.connection_id)),
        storage.upkeep.reap(cutoffs, 10),
        publish(two),
        tenant.run(({ connections }) => connections.save(one.connection_id, { status: one.status })),
        storage.upkeep.reap(cutoffs, 10),
        storage.reader.holdings(tenant.tenant_id, samples.holdingQuery()),
      ]);
      const [first, ...others] = outcomes;
      // The connection may be gone before its publication begins.
      if (first?.status === "rejected") expect(String(first.reason)).toMatch(/there is no connection/);
      expect(others.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))).toEqual([]);
      expect(await tenant.run(({ connections }) => connections.find(one.connection_id))).toBeNull();
      const page = await storage.reader.holdings(
        tenant.tenant_id,
        samples.holdingQuery({ include_source_token: true }),
      );
      expect(page).toMatchObject({ total: 2, sources: [{ credentials_token: two.connection_id }] });
    }
  });
});
