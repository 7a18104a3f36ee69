import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.js";

/** Statements of open transactions, in order. */
const waiting = new WeakMap<Kysely<Database>, RawBuilder<unknown>[]>();

/**
 * Adds a statement to the transaction of `db` that is sent in one message with the commit, so that it costs no extra round trip. Nothing in the
 * transaction sees what it writes. It must not have parameters: values are in {@link literalRows}.
 */
export function atCommit(db: Kysely<Database>, statement: RawBuilder<unknown>): void {
  const statements = waiting.get(db);
  if (statements) statements.push(statement);
  else waiting.set(db, [statement]);
}

export function statementsAtCommit(db: Kysely<Database>): readonly RawBuilder<unknown>[] {
  return waiting.get(db) ?? [];
}

/** Rows of a table as a set of records, for a statement without parameters. */
export function literalRows(table: keyof Database, rows: readonly object[]): RawBuilder<unknown> {
  return sql`jsonb_populate_recordset(null::${sql.table(table)}, ${literalJson(rows)})`;
}

/** JSON is safe under either `standard_conforming_strings`: no backslash in it precedes a quote. */
export function literalJson(value: unknown): RawBuilder<unknown> {
  return sql.lit(JSON.stringify(value));
}
