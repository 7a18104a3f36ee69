import { sql } from "kysely";
import type { Db } from "../transactions.js";

/**
 * Blocks other callers with the same key until this transaction ends. A row that does not exist yet cannot be locked, and two callers that
 * both saw nothing would both write.
 */
export async function oneAtATime(db: Db, table: string, ...key: readonly (string | null)[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${table}), hashtext(${JSON.stringify(key)}))`.execute(db);
}
