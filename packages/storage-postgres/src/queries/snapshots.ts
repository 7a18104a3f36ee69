import {
  addDecimals,
  MAX_LISTED_SOURCES,
  type MovementFacts,
  type Product,
  type Publication,
  type SnapshotStore,
  type TransactionRow,
  type TransactionSlice,
  type Uuid,
  withoutReusedIds,
} from "@org/core";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Db } from "../transactions.js";
import { lockPublications } from "./publication-lock.js";
import {
  type AddedRows,
  copyHoldings,
  copyPortfolios,
  type InsertRows,
  insertHoldings,
  insertPortfolios,
  insertTransactions,
  rowsJson,
} from "./snapshot-rows.js";
import { storeValuations, valuationBatches } from "./valuations.js";

/** Rows per statement of a publication: the embedded database does nothing else while it runs one. */
const BATCH = 1_000;

/** {@link SnapshotStore} of `tenant_id` inside its transaction. */
export function snapshotStore(db: Db, tenant_id: string): SnapshotStore {
  return {
    async publish(publication) {
      await lockPublications(db);
      const { portfolios, holdings, transactions, partial } = publication;
      return partial || ![portfolios, holdings, transactions].every(isOneBatch)
        ? publishInParts(db, tenant_id, publication)
        : publishWhole(db, tenant_id, publication);
    },

    async confirm({ connection_id, as_of, stale_at = null, digests, valuations }) {
      const stated = Object.entries(digests);
      if (stated.length === 0) return true;
      await lockPublications(db);
      const [last = null, ...earlier] = valuationBatches(valuations);
      const { rows } = await sql<{ readonly confirmed: boolean }>`
        select confirm_snapshots(
          ${tenant_id}, ${connection_id}, ${as_of}, ${stale_at}, ${JSON.stringify(digests)}, ${last}
        ) as confirmed`.execute(db);
      if (!onlyRow(rows).confirmed) return false;
      await storeValuations(db, tenant_id, connection_id, earlier);
      return true;
    },

    async latest(connection_id, product) {
      const latest = await db
        .selectFrom("snapshots")
        .select(["as_of", "digest"])
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connection_id)
        .where("product", "=", product)
        .where("until_revision", "is", null)
        .executeTakeFirst();
      return latest ?? null;
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
        // An update that changes nothing, so that the existing row is returned.
        .onConflict((conflict) => conflict.columns(["tenant_id", "target_id", "sha256"]).doUpdateSet({ target_id }))
        .returning("arrival")
        .executeTakeFirstOrThrow();
      return Number(arrival);
    },

    async noteFile(file) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("feed_files")
        .values({ tenant_id, ...file, left_out: JSON.stringify(file.left_out ?? []) })
        .onConflict((conflict) => conflict.columns(["tenant_id", "connection_id", "sha256"]).doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async latestFileDays(connection_id, limit) {
      const { rows } = await sql<{ day: string }>`
        with recursive days as (
          select 1 as number, (${latestFileBefore(tenant_id, connection_id, sql`'infinity'`)}) as day
          union all
          select days.number + 1, (${latestFileBefore(tenant_id, connection_id, sql`days.day at time zone 'UTC'`)})
          from days where days.day is not null and days.number < ${limit}
        )
        select day::text from days where day is not null`.execute(db);
      return rows.map(({ day }) => day);
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

/** The day (UTC) of the last file before a moment. */
function latestFileBefore(tenant_id: string, connection_id: string, moment: RawBuilder<unknown>) {
  return sql`
    select (max(f.taken_at) at time zone 'UTC')::date from feed_files f
    where f.tenant_id = ${tenant_id} and f.connection_id = ${connection_id} and f.taken_at < ${moment}`;
}

function isOneBatch(rows: readonly object[] | AsyncIterable<unknown> | undefined): boolean {
  return rows === undefined || (Array.isArray(rows) && rows.length <= BATCH);
}

/** Publishes in one database call: until it commits, nothing else is published for the tenant. */
async function publishWhole(db: Db, tenant_id: string, publication: Publication): Promise<Published> {
  const { connection_id, as_of, stale_at = null, published_at, portfolios, holdings, transactions } = publication;
  const { complete_from = null, digests = {}, valuations } = publication;
  const [last = null, ...earlier] = valuationBatches(valuations);
  const { rows } = await sql<Published>`
    select * from publish_snapshot(
      ${tenant_id}, ${connection_id}, ${as_of}, ${stale_at}, ${published_at}, ${jsonOf(portfolios)}, ${jsonOf(holdings)},
      ${jsonOf(transactions)}, ${complete_from}, ${JSON.stringify(digests)}, ${last}, ${MAX_LISTED_SOURCES}
    )`.execute(db);
  await storeValuations(db, tenant_id, connection_id, earlier);
  return onlyRow(rows);
}

function jsonOf(
  rows: Publication["portfolios"] | Publication["holdings"] | Publication["transactions"],
): string | null {
  return rows === undefined ? null : rowsJson(rows as readonly object[]);
}

/** Publishes with one call per slice. */
async function publishInParts(db: Db, tenant_id: string, publication: Publication): Promise<Published> {
  const {
    connection_id,
    published_at,
    stale_at = null,
    portfolios,
    holdings,
    transactions,
    partial,
    hidden = [],
    complete_from,
    digests = {},
  } = publication;
  const given = portfolios?.map(({ portfolio_id }) => portfolio_id) ?? [];
  const keeping = (sql: string, replaced: readonly string[]) => (partial ? { sql, replaced } : null);
  const products = [portfolios && "portfolio", holdings && "investment", transactions && "transaction"].filter(
    (product) => product !== undefined,
  );
  const { revision, replaced } = onlyRow(
    (
      await sql<{ revision: string; replaced: { readonly [product in Product]?: Ended } }>`
        select * from begin_publication(
          ${tenant_id}, ${connection_id}, ${published_at}, ${products}::text[], ${partial ? stale_at : null}
        )`.execute(db)
    ).rows,
  );
  const at = { tenant_id, connection_id, revision, published_at };
  const begun: { [product in Product]?: Begun } = {};
  const begin = (product: Product, counted: Counted, is_other?: boolean) => {
    const dates = datesOf(publication, replaced[product]);
    begun[product] = { ...counted, ...dates, digest: digests[product], ...(is_other !== undefined && { is_other }) };
  };
  if (portfolios) {
    const staying = keeping(copyPortfolios, [...given, ...hidden]);
    begin("portfolio", await replace(db, at, replaced.portfolio, portfolios, insertPortfolios, staying));
  }
  if (holdings) {
    const staying = keeping(copyHoldings, publication.accounts ?? given);
    begin("investment", await replace(db, at, replaced.investment, holdings, insertHoldings, staying));
  }
  const became = { corrected: 0, withdrawn: 0 };
  if (transactions) {
    const stated = { transactions, complete_from };
    const { isOther, ...counted } = await extendHistory(db, at, replaced.transaction, stated, became);
    begin("transaction", counted, isOther);
  }
  const ended = await sql<Pick<Published, "changed">>`
    select end_publication(
      ${tenant_id}, ${connection_id}, ${revision}, ${JSON.stringify(replaced)}::jsonb, ${JSON.stringify(begun)}::jsonb, ${MAX_LISTED_SOURCES}
    ) as changed`.execute(db);
  await storeValuations(db, tenant_id, connection_id, valuationBatches(publication.valuations));
  return { revision, ...onlyRow(ended.rows), ...became };
}

type Published = Awaited<ReturnType<SnapshotStore["publish"]>>;

/** The connection and revision that rows belong to, and when they are published. */
interface Place {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  readonly revision: string;
  readonly published_at: Date;
}

/** Counts and sums of a snapshot's rows; totals are named as by `totals_of` (SQL). */
interface Counted {
  row_count: number;
  readonly totals: Record<string, string>;
  oldest_day?: string;
  newest_day?: string;
}

/** A snapshot that a publication has ended, and one that it creates. */
interface Ended extends Counted {
  readonly revision: string;
  readonly as_of: string;
  readonly stale_at: string | null;
}
interface Begun extends Counted {
  readonly as_of: Date | string;
  readonly stale_at: Date | string | null;
  readonly is_other?: boolean;
  readonly digest?: string | undefined;
}

/** A partial publication's snapshot has the dates of the remaining or the new rows, whichever are later. */
function datesOf({ as_of, stale_at = null, partial }: Publication, ended: Ended | undefined) {
  return ended && partial && new Date(ended.as_of) > as_of
    ? { as_of: ended.as_of, stale_at: ended.stale_at }
    : { as_of, stale_at };
}

function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new TypeError("the database answered no row");
  return row;
}

async function replace(
  db: Db,
  at: Place,
  before: Ended | undefined,
  rows: readonly object[] | AsyncIterable<readonly object[]>,
  insertRows: InsertRows,
  /** Copies rows of the previous snapshot, except those of some portfolios; null = none stay. */
  kept: { readonly sql: string; readonly replaced: readonly string[] } | null,
): Promise<Counted> {
  const counted: Counted = { row_count: 0, totals: {} };
  let given = 0;
  for await (const slice of Symbol.asyncIterator in rows ? rows : [rows]) {
    for (const { start, json } of batchesOf(slice))
      addCounts(await insertRows(at, given + start, json).execute(db), counted);
    given += slice.length;
  }
  if (before && kept) {
    const parameters = [at.tenant_id, at.connection_id, at.revision, given, before.revision, kept.replaced];
    addCounts(await db.executeQuery<AddedRows>(CompiledQuery.raw(kept.sql, parameters)), counted);
  }
  return counted;
}

/**
 * Adds transactions to a connection's history and withdraws others. Transactions are the product that accumulates. Returns whether the history
 * changed.
 * @param became counts what became of stored transactions
 */
async function extendHistory(
  db: Db,
  at: Place,
  before: Ended | undefined,
  { transactions, complete_from }: { transactions: Stated; complete_from: string | undefined },
  became: { corrected: number; withdrawn: number },
): Promise<Counted & { readonly isOther: boolean }> {
  const counted: Counted = { row_count: before?.row_count ?? 0, totals: { ...before?.totals } };
  let isShorter = false;
  let isCorrected = false;
  const stated = new Set<string>();
  const slices: Iterable<TransactionSlice> | AsyncIterable<TransactionSlice> =
    Symbol.asyncIterator in transactions ? transactions : slicesOf(transactions, before !== undefined);
  for await (const slice of slices) {
    let gone: readonly string[] = [];
    if (slice.withdrawn.length > 0) {
      if (await discardAdded(db, at, slice.withdrawn)) isCorrected = true;
      gone = await withdraw(db, at, slice.withdrawn);
      if (gone.length > 0) isShorter = true;
    }
    const rows = withoutReusedIds(slice.transactions, await knownMovements(db, at, slice.transactions));
    const rowsBefore = counted.row_count;
    let corrected = 0;
    for (const { json } of batchesOf(rows)) {
      if (slice.replaces) corrected += await replaceTransactions(db, at, json);
      addCounts(await insertTransactions(at, 0, json, slice.file).execute(db), counted);
    }
    if (corrected > 0) isShorter = true;
    slice.onStored?.({ added: counted.row_count - rowsBefore - corrected, corrected, withdrawn: gone.length });
    const given = new Set(rows.map(({ transaction_id }) => transaction_id));
    const again = gone.filter((id) => given.has(id)).length;
    became.corrected += corrected + again;
    became.withdrawn += gone.length - again;
    if (complete_from !== undefined) for (const id of given) stated.add(id);
  }
  if (before && complete_from !== undefined) {
    const withdrawn = await withdrawMissing(db, at, stated, complete_from);
    if (withdrawn > 0) isShorter = true;
    became.withdrawn += withdrawn;
  }
  const now = isShorter || isCorrected ? await countAnew(db, at) : counted;
  return { ...now, isOther: isShorter || now.row_count > (before?.row_count ?? 0) };
}

type Stated = NonNullable<Publication["transactions"]>;

function* slicesOf(rows: readonly TransactionRow[], replaces: boolean): Generator<TransactionSlice, void, void> {
  for (let start = 0; start < rows.length; start += BATCH)
    yield { transactions: rows.slice(start, start + BATCH), withdrawn: [], ...(replaces && { replaces }) };
}

/** Withdraws the transactions of a day or later that are not among the stated ones. Returns how many. */
async function withdrawMissing(db: Db, at: Place, stated: ReadonlySet<string>, from: string): Promise<number> {
  const { tenant_id, connection_id } = at;
  let withdrawn = 0;
  for (let after: { day: string; id: string } | undefined, isLast = false; !isLast; ) {
    const { rows } = await sql<{ day: string; id: string }>`
      select operation_date::text as day, transaction_id as id from transactions
      where tenant_id = ${tenant_id} and connection_id = ${connection_id} and operation_date >= ${from}
        and (operation_date, transaction_id) > (${after?.day ?? from}::date, ${after?.id ?? NO_ID}::uuid)
      order by operation_date, transaction_id
      limit ${BATCH}`.execute(db);
    const missing = rows.flatMap(({ id }) => (stated.has(id) ? [] : [id]));
    if (missing.length > 0) withdrawn += (await withdraw(db, at, missing)).length;
    after = rows.at(-1);
    isLast = rows.length < BATCH;
  }
  return withdrawn;
}

/** Before all ids. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Stored facts under both ids of rows that have an `another_id`, to see whether a different transaction has the id. */
async function knownMovements(
  db: Db,
  { tenant_id, connection_id }: Place,
  rows: readonly TransactionRow[],
): Promise<ReadonlyMap<string, MovementFacts>> {
  const ids = rows.flatMap(({ transaction_id, another_id }) =>
    another_id === undefined ? [] : [transaction_id, another_id],
  );
  if (ids.length === 0) return new Map();
  const { rows: known } = await sql<MovementFacts & Pick<TransactionRow, "transaction_id">>`
    select transaction_id, operation_date::text, amount::text, balance::text, currency, holding_id
    from transactions
    where tenant_id = ${tenant_id} and connection_id = ${connection_id} and transaction_id = any (${ids}::uuid[])`.execute(
    db,
  );
  return new Map(known.map((row) => [row.transaction_id, row]));
}

/** Removes stored rows that differ from the given rows with the same ids. Returns how many. */
async function replaceTransactions(
  db: Db,
  { tenant_id, connection_id, revision, published_at }: Place,
  rowsJson: string,
): Promise<number> {
  const { rows } = await sql<{ readonly count: string }>`
    select replace_transactions(${tenant_id}, ${connection_id}, ${revision}, ${published_at}, ${rowsJson}) as count`.execute(
    db,
  );
  return Number(onlyRow(rows).count);
}

/** Removes rows that this publication added and no reader has seen. False if there were none. */
async function discardAdded(db: Db, at: Place, ids: readonly string[]): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("transactions")
    .where("tenant_id", "=", at.tenant_id)
    .where("connection_id", "=", at.connection_id)
    .where("revision", "=", at.revision)
    .where("transaction_id", "=", sql<string>`any (${[...ids]}::uuid[])`)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes transactions from the history but keeps them as former versions. Returns the ids of those that there were. */
async function withdraw(
  db: Db,
  { tenant_id, connection_id, revision, published_at }: Place,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly ids: readonly string[] }>`
    select withdraw_transactions(${tenant_id}, ${connection_id}, ${revision}, ${published_at}, ${[...ids]}::uuid[]) as ids`.execute(
    db,
  );
  return onlyRow(rows).ids;
}

/** Sums cannot be corrected by subtraction: which decimals and currencies they have depends on all rows. */
async function countAnew(db: Db, { tenant_id, connection_id }: Place): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select coalesce(sum(g.row_count), 0)::integer as row_count, totals_of(jsonb_agg(g)) as totals
    from (
      select currency, count(*) as row_count, count(balance) as valued, sum(balance) as balance
      from transactions
      where tenant_id = ${tenant_id} and connection_id = ${connection_id}
      group by currency
    ) g`.execute(db);
  return onlyRow(rows);
}

/** Rows as JSON for one statement each. */
function* batchesOf(rows: readonly object[]): Generator<{ readonly start: number; readonly json: string }, void, void> {
  for (let start = 0; start < rows.length; start += BATCH)
    yield { start, json: rowsJson(rows.slice(start, start + BATCH)) };
}

function addCounts({ rows }: { readonly rows: readonly AddedRows[] }, counted: Counted): void {
  for (const { row_count, totals, oldest_day, newest_day } of rows) {
    counted.row_count += Number(row_count);
    if (oldest_day && (counted.oldest_day ?? oldest_day) >= oldest_day) counted.oldest_day = oldest_day;
    if (newest_day && (counted.newest_day ?? newest_day) <= newest_day) counted.newest_day = newest_day;
    for (const [name, value] of Object.entries(totals))
      counted.totals[name] = addDecimals(counted.totals[name] ?? "0", value);
  }
}
