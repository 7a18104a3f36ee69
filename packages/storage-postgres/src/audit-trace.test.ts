import type { AuditQuery } from "@org/core";
import { samples } from "@org/core/testing";
import { CompiledQuery, type KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditTrail } from "./queries/audit.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const LINES = 20_000;
/** The trail of so many lines has several hundred blocks. */
const BLOCKS = 40;

describe.each(testBackends)("the lines of one trace id on $name", ({ create }) => {
  const [tenant, trace] = [samples.newId(), "0123456789abcdef0123456789abcdef"];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
    // Five lines of the trace, three of them the tenant's; of the others each has its own.
    await database.pool.query(
      `insert into audit_log (tenant_id, audit_id, at, actor, action, object_type, object_id, trace_id, facts)
       select case when i % 2 = 0 then $1::uuid end, gen_random_uuid(), now() - i * interval '1 s', 'operator', 'client.create', 'tenant', 'x',
         case when i % 4001 = 0 then $2 else md5(i::text) end, '{}'
       from generate_series(0, $3::int - 1) i`,
      [tenant, trace, LINES],
    );
  });
  afterAll(() => database?.close());

  const query = (over: Partial<AuditQuery>): AuditQuery => ({
    ...{ tenant_id: undefined, from: null, before: null, action: null, actor: null, object_id: null, trace_id: null },
    ...{ order: "newest", after: null, limit: 51 },
    ...over,
  });
  /** The lines that a query finds, and how many blocks its statement reads. */
  const read = (asked: AuditQuery) =>
    createTransactions(database.pool).asUpkeep(async (db) => {
      const statements: CompiledQuery[] = [];
      const noting: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          statements.push(db.getExecutor().compileQuery(node, queryId));
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const lines = await auditTrail({ asUpkeep: (work) => work(db.withPlugin(noting)) }).list(asked);
      const [{ sql, parameters }] = statements as [CompiledQuery];
      const explained = `explain (analyze, buffers, format json) ${sql}`;
      const { rows } = await db.executeQuery<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
        CompiledQuery.raw(explained, [...parameters]),
      );
      const plan = rows[0]?.["QUERY PLAN"][0].Plan ?? {};
      return { lines, blocks: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0) };
    });

  it.each(["without statistics", "with statistics"])(
    "[C-14.1071] are found by an index, of all tenants or of one, in both orders, %s",
    async (statistics) => {
      if (statistics === "with statistics") await database.pool.query("analyze audit_log");
      for (const order of ["newest", "oldest"] as const) {
        const all = await read(query({ trace_id: trace, order }));
        expect(all.lines).toHaveLength(5);
        expect(all.lines.map(({ at }) => at.getTime())).toEqual(
          all.lines.map(({ at }) => at.getTime()).toSorted((a, b) => (order === "newest" ? b - a : a - b)),
        );
        expect(all.blocks).toBeLessThan(BLOCKS);
        const own = await read(query({ trace_id: trace, tenant_id: tenant, order, limit: 2 }));
        expect(own.lines.map(({ audit_id }) => audit_id)).toEqual(
          all.lines
            .filter(({ tenant_id }) => tenant_id === tenant)
            .slice(0, 2)
            .map(({ audit_id }) => audit_id),
        );
        expect(own.blocks).toBeLessThan(BLOCKS);
      }
      expect((await read(query({ trace_id: "f".repeat(32) }))).blocks).toBeLessThan(BLOCKS);
    },
  );
});
