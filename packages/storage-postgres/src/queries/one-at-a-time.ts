import { sql } from "kysely";
import type { Db } from "../transactions.js";

/**
 * Holds everybody else who asks for the same until this transaction is over: a row that is not there yet cannot be locked, and two who
 * both saw nothing would both write.
 */
export async function oneAtATime(db: Db, table: string, ...key: readonly (string | null)[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${table}), hashtext(${JSON.stringify(key)}))`.execute(db);
}
