import type { MovementStatement, MovementStore } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { lockPublications } from "./publication-lock.js";

/** Messages written by one statement. */
const BATCH = 1_000;

/**
 * Rounds from message to message by their references. Three are enough for what custodians send; what a file strings together beyond
 * that is not followed.
 */
const MAX_ROUNDS = 10;

/** {@link MovementStore} of `tenant_id` inside its transaction. */
export function movementStore(db: Db, tenant_id: string): MovementStore {
  let locked: Promise<void> | undefined;
  return {
    async related(connection_id, messages, { mostSharing, ignored }) {
      // Two files that tell of one event follow each other.
      locked ??= lockPublications(db, tenant_id);
      await locked;
      const found = new Map<string, { readonly arrival: bigint; readonly statement: MovementStatement }>();
      const shared = new Set<string>();
      const asked = new Set(ignored);
      let wanted = namedBy(messages).filter((one) => !asked.has(one));
      let ids: readonly string[] = messages.map(({ statement_id }) => statement_id);
      for (let round = 0; round < MAX_ROUNDS && wanted.length + ids.length > 0; round += 1) {
        for (const reference of wanted) asked.add(reference);
        for (const reference of await sharedWidely(connection_id, wanted, mostSharing)) shared.add(reference);
        const followed = wanted.filter((reference) => !shared.has(reference));
        // By one look into the index for each: nothing is known yet of how many rows a large file has added.
        const { rows } = await sql<{ statement_id: string; arrival: string; content: string }>`
          select s.statement_id, s.arrival, s.content
          from (
            select r.statement_id
            from unnest(${followed}::uuid[]) wanted (reference)
            cross join lateral (
              select r.statement_id from transaction_references r
              where r.tenant_id = ${tenant_id} and r.connection_id = ${connection_id} and r.reference = wanted.reference
              limit ${mostSharing}
            ) r
            union select unnest(${[...ids]}::uuid[])
          ) named
          cross join lateral (
            select s.statement_id, s.arrival, s.content from transaction_statements s
            where s.tenant_id = ${tenant_id} and s.connection_id = ${connection_id} and s.statement_id = named.statement_id
            limit 1
          ) s`.execute(db);
        for (const { statement_id, arrival, content } of rows)
          if (!found.has(statement_id))
            found.set(statement_id, {
              arrival: BigInt(arrival),
              statement: { statement_id, ...JSON.parse(content) } as MovementStatement,
            });
        wanted = namedBy([...found.values()].map(({ statement }) => statement)).filter((one) => !asked.has(one));
        ids = [];
      }
      const statements = [...found.values()]
        .sort((a, b) => (a.arrival < b.arrival ? -1 : 1))
        .map(({ statement }) => statement);
      return { statements, shared };
    },

    async keep(connection_id, statements) {
      for (let start = 0; start < statements.length; start += BATCH) {
        const batch = statements.slice(start, start + BATCH);
        const contents = batch.map(({ statement_id: _, ...content }) => JSON.stringify(content));
        await sql`
          insert into transaction_statements (tenant_id, connection_id, statement_id, content)
          select ${tenant_id}, ${connection_id}, stated.statement_id, stated.content
          from unnest(${batch.map(({ statement_id }) => statement_id)}::uuid[], ${contents}::text[])
            with ordinality stated (statement_id, content, number)
          order by stated.number
          on conflict do nothing`.execute(db);
        const named = batch.flatMap(({ statement_id, references, cancels }) =>
          [...new Set([...references, ...cancels])].map((reference) => [reference, statement_id] as const),
        );
        await sql`
          insert into transaction_references (tenant_id, connection_id, reference, statement_id)
          select ${tenant_id}, ${connection_id}, named.reference, named.statement_id
          from unnest(${named.map(([reference]) => reference)}::uuid[], ${named.map(([, id]) => id)}::uuid[])
            named (reference, statement_id)
          on conflict do nothing`.execute(db);
      }
    },
  };

  /** Those of the references that more messages have than one event can have; no more of each are counted. */
  async function sharedWidely(connection_id: string, references: readonly string[], most: number): Promise<string[]> {
    const { rows } = await sql<{ reference: string }>`
      select wanted.reference
      from unnest(${[...references]}::uuid[]) wanted (reference)
      where ${most} < (
        select count(*) from (
          select from transaction_references r
          where r.tenant_id = ${tenant_id} and r.connection_id = ${connection_id} and r.reference = wanted.reference
          limit ${most + 1}
        ) counted
      )`.execute(db);
    return rows.map(({ reference }) => reference);
  }
}

function namedBy(statements: readonly MovementStatement[]): string[] {
  return [...new Set(statements.flatMap(({ references, cancels }) => [...references, ...cancels]))];
}
