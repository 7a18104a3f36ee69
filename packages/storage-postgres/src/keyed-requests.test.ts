import type { RequestClaim } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { keyedRequests } from "./queries/keyed-requests.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

describe.each(testBackends)("[C-7.7] keyed requests on $name", ({ create }) => {
  let database: TestDatabase;
  let world: ReturnType<typeof createWorld>;
  beforeAll(async () => {
    database = await create();
    world = createWorld(database);
  });
  afterAll(() => database?.close());

  function createWorld({ pool }: TestDatabase) {
    const transactions = createTransactions(pool);
    const { tenants } = createPostgresStorage(transactions);
    const store = keyedRequests(transactions);
    const newClaim = (key: string): RequestClaim => ({ owner: "o'wner", key, claim_id: samples.newId() });
    const claim = (own: RequestClaim, second: number, more: object = {}) =>
      store.claim(
        { ...own, request_hash: "hash", ...more },
        {
          now: samples.later(second),
          leased_until: samples.later(second + 60),
          expires_at: samples.later(second + 600),
        },
      );
    const change = () =>
      tenants.create({ tenant_id: samples.newId(), name: `${samples.newId()}`, created_at: samples.later(0) });
    const run = async (own: RequestClaim, work: () => Promise<unknown>) => {
      const { result, hasChanged } = store.run(own, work, () => undefined);
      return { result: await result, hasChanged: hasChanged() };
    };
    return { store, newClaim, claim, change, run, list: () => tenants.list() };
  }

  it("a key is one request's, until that gives it up; its answer stays", async () => {
    const { store, newClaim, claim, run, list, change } = world;
    const [first, second] = [newClaim("key'1\\"), newClaim("key'1\\")];
    expect(await claim(first, 0)).toBeNull();
    expect(await claim(second, 1)).toEqual(expect.objectContaining({ answer: null, isAbandoned: false }));
    expect(await claim({ ...second, owner: "another" }, 1)).toBeNull();
    // What only reads has changed nothing.
    expect((await run(first, list)).hasChanged).toBe(false);
    await store.release(first);
    expect(await claim(second, 2)).toBeNull();
    expect((await run(second, change)).hasChanged).toBe(true);
    await store.release(second);
    await store.answer(second, "sealed");
    expect(await claim(newClaim("key'1\\"), 500)).toMatchObject({ request_hash: "hash", answer: "sealed" });
    expect(await claim(newClaim("key'1\\"), 603)).toBeNull();
  });

  it("of one that has stopped goes to a retry when nothing was changed, and what comes of it later is refused", async () => {
    const { store, newClaim, claim, run, change, list } = world;
    const [stopped, retry] = [newClaim("2"), newClaim("2")];
    await claim(stopped, 0);
    expect(await claim(retry, 61, { request_hash: "another" })).toMatchObject({ request_hash: "hash" });
    expect(await claim(retry, 61)).toBeNull();
    const before = (await list()).length;
    await expect(run(stopped, change)).rejects.toMatchObject({ code: "unavailable" });
    expect(await list()).toHaveLength(before);
    await run(retry, change);
    // After a change it is known that the answer is lost.
    expect(await claim(newClaim("2"), 100)).toMatchObject({ isAbandoned: false });
    await store.renew(retry, samples.later(200));
    expect(await claim(newClaim("2"), 150)).toMatchObject({ isAbandoned: false });
    expect(await claim(newClaim("2"), 201)).toMatchObject({ answer: null, isAbandoned: true });
  });

  it("of people end with them, whether they are removed or deleted with their tenant", async () => {
    const { store, newClaim, claim } = world;
    const { pool } = database;
    const { tenant_id } = await samples.newTenant(createPostgresStorage(createTransactions(pool)));
    const [removed, colleague] = [samples.newId(), samples.newId()];
    const people = [removed, colleague].map((id) => `('${tenant_id}', '${id}', '${id}', 'P', 'read', now())`);
    await pool.query(`insert into people (tenant_id, person_id, email, name, role, created_at) values ${people}`);
    for (const person of [removed, colleague]) {
      const own = { ...newClaim("answered"), owner: `person:${person}` };
      await claim(own, 0);
      await store.answer(own, "sealed");
    }
    const underWay = { owner: `person:${removed}`, key: "under way" };
    await claim({ ...newClaim(""), ...underWay }, 3e9);
    const kept = async () =>
      (
        await pool.query(
          "select owner, key, expires_at > now() as is_kept from keyed_requests where owner like 'person:%'",
        )
      ).rows;
    await pool.query("update people set ended_at = now() where person_id = $1", [removed]);
    const others = { owner: `person:${colleague}`, key: "answered" };
    expect(await kept()).toMatchObject([others, { ...underWay, is_kept: false }]);
    await pool.query("delete from people where tenant_id = $1", [tenant_id]);
    expect(await kept()).toEqual([{ ...underWay, is_kept: false }]);
  });

  it("what a request leaves running when it has ended is nobody's", async () => {
    const { newClaim, claim, run, change } = world;
    const own = newClaim("3");
    await claim(own, 0);
    let later: Promise<unknown> = Promise.resolve();
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    await run(own, async () => {
      later = gone.then(change);
    });
    go();
    await later;
    expect(await claim(newClaim("3"), 61)).toBeNull();
  });
});
