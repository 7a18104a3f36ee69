import type { Uuid } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { anyOf } from "./lists.js";
import { lockPublications } from "./publication-lock.js";

/**
 * Deletes a connection with everything stored for it. If data is deleted with it, earlier revisions become unreadable: a reader that is paging
 * gets an error instead of missing rows.
 */
export async function deleteConnectionRows(db: Db, tenant_id: string, connection_id: Uuid): Promise<boolean> {
  await lockPublications(db);
  const of = { tenant_id, connection_id };

  const { numDeletedRows: snapshots } = await deleteFrom(db, "snapshots", of);
  const later = { revision: sql<string>`revision + 1`, pruned_revision: sql<string>`revision + 1` };
  await db
    .updateTable("tenant_revisions")
    // An account to go on from may be one of the connection's.
    .set({ counts: null, counted_revision: null, months_kept_connection: null, months_kept_portfolio: null })
    .$if(snapshots > 0n, (update) => update.set(later))
    .where("tenant_id", "=", tenant_id)
    .execute();
  await deleteFrom(db, "portfolios", of);
  await deleteFrom(db, "holdings", of);
  await deleteFrom(db, "transactions", of);
  await deleteFrom(db, "valuations", of);
  await deleteFrom(db, "valued_months", of);
  await deleteFrom(db, "replaced_valuations", of);
  await deleteFrom(db, "valued_holdings", of);
  await deleteFrom(db, "valued_accounts", of);
  await deleteFrom(db, "feed_files", of);
  await db
    .deleteFrom("feed_arrivals")
    .where("tenant_id", "=", tenant_id)
    .where("target_id", "=", connection_id)
    .execute();

  // Sessions before their links, in the same order as the clean-up.
  const { rows: links } = await sql<{ link_hash: string }>`
    delete from sessions where tenant_id = ${tenant_id} and connection_id = ${connection_id} returning link_hash
  `.execute(db);
  await db
    .deleteFrom("session_links")
    .where(
      "link_hash",
      "=",
      anyOf(
        links.map((link) => link.link_hash),
        "text",
      ),
    )
    .execute();
  await db
    .updateTable("letters")
    .set({ connection_id: null })
    .where("tenant_id", "=", tenant_id)
    .where("connection_id", "=", connection_id)
    .execute();

  await db
    .deleteFrom("object_owners")
    .where("tenant_id", "=", tenant_id)
    .where("object_id", "=", connection_id)
    .execute();
  const { numDeletedRows } = await deleteFrom(db, "connections", of);
  return numDeletedRows > 0n;
}

type TableOfConnection =
  | ("snapshots" | "portfolios" | "holdings" | "transactions")
  | ("valuations" | "valued_months" | "replaced_valuations" | "valued_holdings" | "valued_accounts")
  | ("feed_files" | "connections");

function deleteFrom(db: Db, table: TableOfConnection, of: { tenant_id: string; connection_id: Uuid }) {
  return db
    .deleteFrom(table)
    .where("tenant_id", "=", of.tenant_id)
    .where("connection_id", "=", of.connection_id)
    .executeTakeFirstOrThrow();
}
