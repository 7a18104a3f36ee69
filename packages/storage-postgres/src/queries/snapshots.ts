import { isDeepStrictEqual } from "node:util";
import { addDecimals, type Product, type Publication, type SnapshotStore, type Uuid } from "@org/core";
import { CompiledQuery, sql } from "kysely";
import { type Db, takeTime } from "../transactions.js";
import {
  insertHoldings,
  insertPortfolios,
  insertTransactions,
  keepHoldings,
  keepPortfolios,
  otherHoldings,
  otherPortfolios,
} from "./snapshot-rows.js";
import { type Counted, type KeptCounts, keepCounts, type Replaced } from "./tenant-counts.js";

/** Rows of one statement of a publication: the embedded database does nothing else while it runs one. */
const BATCH = 1_000;

/** {@link SnapshotStore} of `tenant_id` inside its transaction. */
export function snapshotStore(db: Db, tenant_id: string): SnapshotStore {
  return {
    async publish(publication) {
      const { revision, ...kept } = await nextRevision(db, tenant_id);
      const at = { tenant_id, connection_id: publication.connection_id, revision };
      await requireConnection(db, at);
      const { portfolios, holdings, transactions, partial, hidden = [] } = publication;
      const given = portfolios?.map(({ portfolio_id }) => portfolio_id) ?? [];
      const keeping = (sql: string, replaced: readonly string[]) => (partial ? { sql, replaced } : null);
      const changed: Product[] = [];
      const replaced: { [product in Product]?: Replaced } = {};
      if (portfolios) {
        const staying = keeping(keepPortfolios, [...given, ...hidden]);
        const portfolio = await replace(db, at, publication, "portfolio", portfolios, insertPortfolios, staying);
        if (await isOther(db, at, portfolio, otherPortfolios)) changed.push("portfolio");
        replaced.portfolio = portfolio;
      }
      if (holdings) {
        const staying = keeping(keepHoldings, publication.accounts ?? given);
        const investment = await replace(db, at, publication, "investment", holdings, insertHoldings, staying);
        if (await isOther(db, at, investment, otherHoldings)) changed.push("investment");
        replaced.investment = investment;
      }
      if (transactions) {
        const history = await extendHistory(db, at, publication, transactions);
        if (history.isOther) changed.push("transaction");
        replaced.transaction = history;
      }
      await keepCounts(db, at, kept, replaced);
      return { revision, changed };
    },

    async statedAt(connection_id, product) {
      const snapshot = await db
        .selectFrom("snapshots")
        .select("as_of")
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connection_id)
        .where("product", "=", product)
        .orderBy("revision", "desc")
        .limit(1)
        .executeTakeFirst();
      return snapshot?.as_of ?? null;
    },

    async noteArrival(target_id, sha256) {
      await sql`
        delete from feed_arrivals
        where tenant_id = ${tenant_id} and target_id = ${target_id} and arrived_at < now() - interval '7 days'`.execute(
        db,
      );
      const { arrival } = await db
        .insertInto("feed_arrivals")
        .values({ tenant_id, target_id, sha256 })
        // An update that changes nothing, so that what is there is returned.
        .onConflict((conflict) => conflict.columns(["tenant_id", "target_id", "sha256"]).doUpdateSet({ target_id }))
        .returning("arrival")
        .executeTakeFirstOrThrow();
      return Number(arrival);
    },

    async takeFile(file) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("feed_files")
        .values({ tenant_id, ...file })
        .onConflict((conflict) => conflict.columns(["tenant_id", "connection_id", "sha256"]).doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async latestFile(connection_id) {
      const file = await db
        .selectFrom("feed_files")
        .select("taken_at")
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connection_id)
        .orderBy("taken_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return file?.taken_at ?? null;
    },
  };
}

/** Which rows are written. */
interface Place {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  readonly revision: string;
}

/** Locks the tenant's revision until the end of the transaction: publications become visible in the order of their numbers. */
async function nextRevision(db: Db, tenant_id: string): Promise<KeptCounts & { readonly revision: string }> {
  await takeTime(db);
  return db
    .updateTable("tenant_revisions")
    .set({ revision: sql`revision + 1` })
    .where("tenant_id", "=", tenant_id)
    .returning(["revision", "counts", "counted_revision"])
    .executeTakeFirstOrThrow();
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
  publication: Publication,
  product: Product,
  rows: readonly object[] | AsyncIterable<readonly object[]>,
  insertRows: string,
  /** Copies rows of the snapshot before, but for those of some portfolios; null = none stay. */
  kept: { readonly sql: string; readonly replaced: readonly string[] } | null,
): Promise<ReplacedRows> {
  const before = await endSnapshot(db, at, publication, product);
  const counted: Counted = { row_count: 0, totals: {} };
  let given = 0;
  for await (const slice of Symbol.asyncIterator in rows ? rows : [rows]) {
    await insertBatches(db, at, given, slice, insertRows, counted);
    given += slice.length;
  }
  if (before && kept) {
    const parameters = [at.tenant_id, at.connection_id, at.revision, given, before.revision, kept.replaced];
    await addCounts(db, CompiledQuery.raw(kept.sql, parameters), counted);
  }
  await beginSnapshot(db, at, publication, product, before, counted);
  return { before, now: counted };
}

/**
 * Adds transactions to those that are there, and takes others out: the product that adds up. Whether the history is another than before.
 */
async function extendHistory(
  db: Db,
  at: Place,
  publication: Publication,
  transactions: NonNullable<Publication["transactions"]>,
): Promise<Replaced & { readonly isOther: boolean }> {
  const before = await endSnapshot(db, at, publication, "transaction");
  const counted: Counted = { row_count: before?.row_count ?? 0, totals: { ...before?.totals } };
  let isShorter = false;
  let isCorrected = false;
  const slices = Symbol.asyncIterator in transactions ? transactions : [{ transactions, withdrawn: [] }];
  for await (const slice of slices) {
    if (slice.withdrawn.length > 0) {
      if (await takeBack(db, at, slice.withdrawn)) isCorrected = true;
      if (await withdraw(db, at, slice.withdrawn)) isShorter = true;
    }
    await insertBatches(db, at, 0, slice.transactions, insertTransactions, counted);
  }
  await beginSnapshot(db, at, publication, "transaction", before, counted);
  const now = isShorter || isCorrected ? await countAnew(db, at) : counted;
  return { before, now, isOther: isShorter || now.row_count > (before?.row_count ?? 0) };
}

async function endSnapshot(db: Db, at: Place, { published_at }: Publication, product: Product) {
  return db
    .updateTable("snapshots")
    .set({ until_revision: at.revision, replaced_at: published_at })
    .where("tenant_id", "=", at.tenant_id)
    .where("connection_id", "=", at.connection_id)
    .where("product", "=", product)
    .where("until_revision", "is", null)
    .returning(["revision", "row_count", "totals", "as_of"])
    .executeTakeFirst();
}

async function beginSnapshot(
  db: Db,
  at: Place,
  { as_of, partial }: Publication,
  product: Product,
  before: { readonly as_of: Date } | undefined,
  counted: Counted,
): Promise<void> {
  const latest = before && partial && before.as_of > as_of ? before.as_of : as_of;
  await db
    .insertInto("snapshots")
    .values({ ...at, product, until_revision: null, as_of: latest, replaced_at: null, ...counted })
    .execute();
}

interface ReplacedRows extends Replaced {
  readonly before: (Counted & { readonly revision: string }) | undefined;
}

/**
 * Whether a snapshot has other rows than the one before. Counts and sums tell most changes for nothing; rows are compared only where
 * these are the same.
 */
async function isOther(
  db: Db,
  { tenant_id, connection_id, revision }: Place,
  { before, now }: ReplacedRows,
  otherRows: string,
): Promise<boolean> {
  if (before === undefined || before.row_count !== now.row_count) return now.row_count !== (before?.row_count ?? 0);
  if (!isDeepStrictEqual({ ...before.totals }, { ...now.totals })) return true;
  const parameters = [tenant_id, connection_id, revision, before.revision];
  const { rows } = await db.executeQuery<{ is_other: boolean }>(CompiledQuery.raw(otherRows, parameters));
  return rows[0]?.is_other === true;
}

/** Takes out again what this publication has added: nobody has seen it. False when none was there. */
async function takeBack(db: Db, at: Place, ids: readonly string[]): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("transactions")
    .where("tenant_id", "=", at.tenant_id)
    .where("connection_id", "=", at.connection_id)
    .where("revision", "=", at.revision)
    .where("transaction_id", "=", sql<string>`any (${[...ids]}::uuid[])`)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Takes transactions out of the history, and keeps them as they were for readers of earlier revisions. False when none was there.
 */
async function withdraw(
  db: Db,
  { tenant_id, connection_id, revision }: Place,
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    with gone as (
      delete from transactions
      where tenant_id = ${tenant_id} and connection_id = ${connection_id} and transaction_id = any (${[...ids]}::uuid[])
      returning *
    )
    insert into replaced_transactions (
      tenant_id, connection_id, transaction_id, revision, until_revision, portfolio_id, holding_id, operation_date, description,
      amount, balance, currency, unit_price, item, facts
    )
    select
      tenant_id, connection_id, transaction_id, revision, ${revision}, portfolio_id, holding_id, operation_date, description,
      amount, balance, currency, unit_price, item, facts
    from gone
    returning transaction_id`.execute(db);
  return rows.length > 0;
}

/** A sum cannot be subtracted from: which digits and currencies it has depends on all rows. Returns what was counted. */
async function countAnew(db: Db, { tenant_id, connection_id, revision }: Place): Promise<Counted> {
  const { rows } = await sql<Counted>`
    update snapshots set row_count = counted.row_count, totals = counted.totals
    from (
      select coalesce(sum(g.row_count), 0)::integer as row_count, sums_of(array_agg(g.currency), array_agg(g.balance)) as totals
      from (
        select currency, count(*) as row_count, sum(balance) as balance
        from transactions
        where tenant_id = ${tenant_id} and connection_id = ${connection_id}
        group by currency
      ) g
    ) counted
    where tenant_id = ${tenant_id} and connection_id = ${connection_id} and product = 'transaction' and revision = ${revision}
    returning snapshots.row_count, snapshots.totals`.execute(db);
  return rows[0] ?? { row_count: 0, totals: {} };
}

/** Inserts rows and adds them to `counted`. */
async function insertBatches(
  db: Db,
  at: Place,
  firstOrdinal: number,
  rows: readonly object[],
  insertRows: string,
  counted: Counted,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = JSON.stringify(rows.slice(start, start + BATCH));
    const parameters = [at.tenant_id, at.connection_id, at.revision, firstOrdinal + start, batch];
    await addCounts(db, CompiledQuery.raw(insertRows, parameters), counted);
  }
}

async function addCounts(db: Db, query: CompiledQuery, counted: Counted): Promise<void> {
  const added = await db.executeQuery<{ currency: string; row_count: string; balance: string | null }>(query);
  for (const { currency, row_count, balance } of added.rows) {
    counted.row_count += Number(row_count);
    if (balance !== null) counted.totals[currency] = addDecimals(counted.totals[currency] ?? "0", balance);
  }
}
