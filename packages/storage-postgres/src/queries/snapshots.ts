import { addDecimals, type Product, type Publication, type SnapshotStore } from "@org/core";
import { CompiledQuery, sql } from "kysely";
import type { Db } from "../transactions.js";
import { insertHoldings, insertPortfolios, insertTransactions } from "./snapshot-rows.js";

/** Rows of one statement of a publication: the embedded database does nothing else while it runs one. */
const BATCH = 1_000;

/** {@link SnapshotStore} of `tenant_id` inside its transaction. */
export function snapshotStore(db: Db, tenant_id: string): SnapshotStore {
  return {
    async publish(publication) {
      const revision = await nextRevision(db, tenant_id);
      const at = { tenant_id, connection_id: publication.connection_id, revision };
      await requireConnection(db, at);
      const { portfolios, holdings, transactions } = publication;
      if (portfolios) await replace(db, at, publication, "portfolio", portfolios, insertPortfolios);
      if (holdings) await replace(db, at, publication, "investment", holdings, insertHoldings);
      if (transactions) await replace(db, at, publication, "transaction", transactions, insertTransactions);
      return { revision };
    },

    async takeFile(file) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("feed_files")
        .values({ tenant_id, ...file })
        .onConflict((conflict) => conflict.columns(["tenant_id", "connection_id", "sha256"]).doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },
  };
}

/** Which rows are written. */
interface Place {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly revision: string;
}

/** Counts and sums of rows by currency. */
interface Counted {
  row_count: number;
  readonly totals: Record<string, string>;
}

/** Locks the tenant's revision until the end of the transaction: publications become visible in the order of their numbers. */
async function nextRevision(db: Db, tenant_id: string): Promise<string> {
  const { revision } = await db
    .updateTable("tenant_revisions")
    .set({ revision: sql`revision + 1` })
    .where("tenant_id", "=", tenant_id)
    .returning("revision")
    .executeTakeFirstOrThrow();
  return revision;
}

async function requireConnection(db: Db, { tenant_id, connection_id }: Place): Promise<void> {
  await db
    .selectFrom("connections")
    .select("connection_id")
    .where("tenant_id", "=", tenant_id)
    .where("connection_id", "=", connection_id)
    .executeTakeFirstOrThrow();
}

async function replace(
  db: Db,
  at: Place,
  { as_of, published_at }: Publication,
  product: Product,
  rows: readonly object[],
  insertRows: string,
): Promise<void> {
  const before = await db
    .updateTable("snapshots")
    .set({ until_revision: at.revision, replaced_at: published_at })
    .where("tenant_id", "=", at.tenant_id)
    .where("connection_id", "=", at.connection_id)
    .where("product", "=", product)
    .where("until_revision", "is", null)
    .returning(["row_count", "totals"])
    .executeTakeFirst();
  // Transactions add up; the other products begin anew.
  const counted: Counted =
    before && product === "transaction"
      ? { row_count: before.row_count, totals: { ...before.totals } }
      : { row_count: 0, totals: {} };
  for (let start = 0; start < rows.length; start += BATCH) {
    await insertBatch(db, at, start, rows.slice(start, start + BATCH), insertRows, counted);
  }
  await db
    .insertInto("snapshots")
    .values({ ...at, product, until_revision: null, as_of, replaced_at: null, ...counted })
    .execute();
}

/** Inserts rows and adds them to `counted`. */
async function insertBatch(
  db: Db,
  at: Place,
  firstOrdinal: number,
  rows: readonly object[],
  insertRows: string,
  counted: Counted,
): Promise<void> {
  const parameters = [at.tenant_id, at.connection_id, at.revision, firstOrdinal, JSON.stringify(rows)];
  const query = CompiledQuery.raw(insertRows, parameters);
  const added = await db.executeQuery<{ currency: string; row_count: string; balance: string | null }>(query);
  for (const { currency, row_count, balance } of added.rows) {
    counted.row_count += Number(row_count);
    if (balance !== null) counted.totals[currency] = addDecimals(counted.totals[currency] ?? "0", balance);
  }
}
