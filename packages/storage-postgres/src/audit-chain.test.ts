import { createChainCheck } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

describe.each(testBackends)("[security.md] the hash chain of the audit trail on $name", ({ name, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database?.close());
  const storage = () => createPostgresStorage(createTransactions(database.pool));
  const chain = () => storage().auditChain;
  const line = (over: object = {}) => ({ tenant_id: null, ...samples.auditEntry(), ...over });
  const write = async (...lines: object[]) => storage().auditTrail.append(lines as never);
  const run = (text: string, values: unknown[] = []) => database.pool.query(text, values);
  const sealAll = async () => {
    while ((await chain().seal(100)) > 0);
  };

  /** The first fault in the whole chain as stored now. */
  async function fault() {
    const check = createChainCheck();
    const { items, strangers } = await chain().page({ after: 0, limit: 10_000 });
    for (const { entry, refused_at, ...place } of items) {
      const asLine = entry && { ...entry, facts: { ...entry.facts }, at: entry.at.toISOString() };
      const found = check.add({ ...place, refused_at: refused_at?.toISOString() ?? null, line: asLine });
      if (found) return found;
    }
    return strangers[0] ? check.stranger(strangers[0]) : null;
  }

  /** The fault found after the tables' owner changed something; the change is then undone. */
  async function faultAfter(change: string, values: unknown[] = []) {
    await run("create table saved_log as table audit_log; create table saved_chain as table audit_chain");
    await run(change, values);
    const found = await fault();
    await run("truncate audit_log, audit_chain");
    await run("insert into audit_log select * from saved_log");
    await run("insert into audit_chain select * from saved_chain; drop table saved_log, saved_chain");
    return found;
  }

  it("lines without a number get their place: those there were, and those written meanwhile", async () => {
    await run("alter table audit_log alter column line_number drop default");
    const before = [1, 2, 3].map((second) => line({ at: new Date(Date.UTC(2025, 0, 1, 0, 0, second)) }));
    await write(...before.toReversed());
    await run("alter table audit_log alter column line_number set default nextval('audit_log_numbers')");
    await write(line());
    await run(
      "insert into audit_log select * from jsonb_populate_recordset(null::audit_log, $1::jsonb) on conflict do nothing",
      [JSON.stringify([line()])],
    );
    await sealAll();
    const { items } = await chain().page({ after: 0, limit: 10 });
    expect(items).toHaveLength(5);
    const old = items.filter(({ audit_id }) => before.some((entry) => entry.audit_id === audit_id));
    expect(old.map(({ audit_id }) => audit_id)).toEqual(before.map(({ audit_id }) => audit_id));
    expect(await fault()).toBeNull();
  });

  it("names what the owner of the tables has changed, deleted or added", async () => {
    const [first, second, third] = [line({ facts: { count: 1 } }), line(), line()];
    await write(first, second, third);
    await sealAll();
    const id = second.audit_id;
    const named = { audit_id: id };
    expect(await faultAfter("update audit_log set actor = 'x' where audit_id = $1", [id])).toMatchObject(named);
    expect(await faultAfter("update audit_log set at = at + interval '1 s' where audit_id = $1", [id])).toMatchObject(
      named,
    );
    expect(await faultAfter("delete from audit_log where audit_id = $1", [id])).toMatchObject({
      ...named,
      message: "the line is missing",
    });
    const facts = "update audit_log set facts = '{\"count\": 2}' where audit_id = $1";
    expect(await faultAfter(facts, [first.audit_id])).toMatchObject({ audit_id: first.audit_id });
    expect(await faultAfter("update audit_chain set hash = sha256('x') where audit_id = $1", [id])).toMatchObject({
      message: expect.stringMatching(/changed/),
    });
    const added = line();
    const copy = `insert into audit_log select (jsonb_populate_record(l, $2)).* from audit_log l where audit_id = $1`;
    expect(await faultAfter(copy, [id, JSON.stringify({ audit_id: added.audit_id })])).toMatchObject({
      audit_id: added.audit_id,
      message: expect.stringMatching(/added/),
    });
    expect(await fault()).toBeNull();
  });

  it("a number that somebody made up holds up no other line", async () => {
    const { tenant_id } = await samples.newTenant(storage());
    const made = line({ tenant_id, facts: {} });
    await write(made);
    await run("update audit_log set line_number = 9000000000000 where audit_id = $1", [made.audit_id]);
    const honest = line();
    await write(honest);
    await sealAll();
    const { items } = await chain().page({ after: 0, limit: 1_000 });
    expect(items.at(-1)?.audit_id).toBe(honest.audit_id);
    await run("update audit_log set line_number = null where audit_id = $1", [made.audit_id]);
    await sealAll();
    expect(await fault()).toBeNull();
  });

  // PGlite has only one connection.
  it.skipIf(name === "PGlite")(
    "a line that is committed late gets its place then, and nobody waits for it to be written",
    async () => {
      await sealAll();
      const late = await database.pool.connect();
      const lateLine = line();
      await late.query("begin");
      await late.query(
        `insert into audit_log (tenant_id, audit_id, at, actor, action, object_type, object_id, facts)
         values (null, $1, $2, 'a', 'b', 'c', 'd', '{}')`,
        [lateLine.audit_id, lateLine.at],
      );
      const meanwhile = [line(), line()];
      await write(...meanwhile);
      expect(await chain().seal(100)).toBe(0);
      expect(await chain().seal(100)).toBe(0);
      await late.query("commit");
      late.release();
      await sealAll();
      const { items } = await chain().page({ after: 0, limit: 1_000 });
      const ids = [lateLine, ...meanwhile].map(({ audit_id }) => audit_id);
      expect(items.slice(-3).map(({ audit_id }) => audit_id)).toEqual(ids);
      expect(await fault()).toBeNull();
    },
  );

  it("a sealer that is cut off leaves neither a gap nor a double", async () => {
    await write(line(), line());
    const client = await database.pool.connect();
    await client.query("begin");
    await client.query("select seal_audit_log(10)");
    await client.query("rollback");
    client.release();
    await sealAll();
    expect(await fault()).toBeNull();
    expect((await chain().head()).waiting).toBe(0);
  });

  it("no role can change the chain, or delete what is no old refusal", async () => {
    const fresh = line({ at: new Date(), actor: "unknown", action: "grant.refused" });
    const kept = line({ at: new Date("2020-01-01"), actor: "somebody", action: "grant.refused" });
    await write(fresh, kept);
    await sealAll();
    expect(await chain().eraseRefusals(new Date("2100-01-01"), 100)).toBe(0);
    for (const role of ["wealth_connect_app", "wealth_connect_upkeep", "wealth_connect_auth"])
      for (const statement of [
        "update audit_chain set hash = ''",
        "delete from audit_chain",
        "insert into audit_chain values (1, 1, gen_random_uuid(), '', null, null, now())",
        "update audit_sealing set settled = 0",
        "select setval('audit_log_numbers', 1)",
      ]) {
        const client = await database.pool.connect();
        await client.query(`begin; set local role ${role}`);
        await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
        await client.query("rollback");
        client.release();
      }
  });
});
