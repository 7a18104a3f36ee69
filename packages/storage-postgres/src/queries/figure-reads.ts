import {
  accountVersions,
  type FigureReader,
  holdingVersions,
  type StoredFigure,
  type Uuid,
  type ValuationVersion,
  type WhyQuery,
} from "@org/core";
import { type RawBuilder, sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";
import { anyOf } from "./lists.js";

/** {@link FigureReader} by statements of one tenant, each to one shard. */
export function figureReader({ asTenant }: Transactions): FigureReader {
  return {
    versions: (tenantId, query) =>
      asTenant(tenantId, async (db) => {
        const found = (await findNow(db, tenantId, query)) ?? (await findKept(db, tenantId, query));
        if (found === null || query.connection_ids?.includes(found.connection_id) === false) return null;
        return found.what === "transaction"
          ? transactionFigure(db, tenantId, found, query.id)
          : valuedFigure(db, tenantId, found, query);
      }),
  };
}

/** What an id is of. */
interface Found {
  readonly what: StoredFigure["what"];
  readonly connection_id: Uuid;
  readonly portfolio_id: string;
}

/** Portfolios and holdings of snapshots that are kept, and holdings that a transaction names. */
async function findNow(db: Db, tenant_id: string, { id }: WhyQuery): Promise<Found | null> {
  const { rows } = await sql<Found>`
    (select 'portfolio' as what, connection_id, portfolio_id from portfolios where tenant_id = ${tenant_id} and portfolio_id = ${id} limit 1)
    union all
    (select 'holding', connection_id, portfolio_id from holdings where tenant_id = ${tenant_id} and holding_id = ${id} limit 1)
    union all
    (select 'holding', connection_id, portfolio_id from transactions where tenant_id = ${tenant_id} and holding_id = ${id} limit 1)`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * Accounts that were ever valued, and transactions, which are found by their connection; then holdings that a valuation of the very day
 * has, or had.
 */
async function findKept(db: Db, tenant_id: string, { id, connection_ids, date }: WhyQuery): Promise<Found | null> {
  const ids = connection_ids ?? (await connectionsOf(db, tenant_id));
  if (ids.length === 0) return null;
  const connections = sql`unnest(${[...ids]}::uuid[]) c (connection_id)`;
  const { rows } = await sql<Found>`
    (
      select 'portfolio' as what, c.connection_id, f.portfolio_id from ${connections} cross join lateral (
        select a.portfolio_id from valued_accounts a
        where a.tenant_id = ${tenant_id} and a.connection_id = c.connection_id and a.portfolio_id = ${id}
        limit 1
      ) f
    )
    union all
    (
      select 'transaction', c.connection_id, f.portfolio_id from ${connections} cross join lateral (
        select t.portfolio_id from transactions t
        where t.tenant_id = ${tenant_id} and t.connection_id = c.connection_id and t.transaction_id = ${id}
        limit 1
      ) f
    )
    union all
    (
      select 'transaction', c.connection_id, f.portfolio_id from ${connections} cross join lateral (
        select r.portfolio_id from replaced_transactions r
        where r.tenant_id = ${tenant_id} and r.connection_id = c.connection_id and r.transaction_id = ${id}
        limit 1
      ) f
    )`.execute(db);
  if (rows[0]) return rows[0];
  const ofDay = sql`v.tenant_id = ${tenant_id} and v.day = ${date}::date and v.connection_id = any (${[...ids]}::uuid[])`;
  const isSame = (name: string) => sql`
    ${sql.ref(name)}.tenant_id = ${tenant_id} and ${sql.ref(name)}.connection_id = v.connection_id
      and ${sql.ref(name)}.portfolio_id = v.portfolio_id`;
  const text = `"id":"${id}"`;
  const { rows: holdings } = await sql<Found>`
    (
      select 'holding' as what, v.connection_id, v.portfolio_id
      from valuations v join valued_holdings h on ${isSame("h")} and h.content = v.content
      where ${ofDay} and strpos(h.items, ${text}) > 0
      limit 1
    )
    union all
    (
      select 'holding', v.connection_id, v.portfolio_id
      from valuations v join replaced_valuations r on ${isSame("r")} and r.day = v.day
      where ${ofDay} and strpos(r.items, ${text}) > 0
      limit 1
    )`.execute(db);
  return holdings[0] ?? null;
}

async function connectionsOf(db: Db, tenant_id: string): Promise<readonly Uuid[]> {
  const rows = await db.selectFrom("connections").select("connection_id").where("tenant_id", "=", tenant_id).execute();
  return rows.map(({ connection_id }) => connection_id);
}

/** A row of valuations or replaced_valuations. */
interface ValuationRow extends Omit<ValuationVersion, "places"> {
  readonly places: string | null;
}

/** By the last valuation up to the day that has a value, else by the last one. */
async function valuedFigure(
  db: Db,
  tenant_id: string,
  { what, connection_id, portfolio_id }: Found,
  { id, date }: WhyQuery,
): Promise<StoredFigure> {
  const of = sql`tenant_id = ${tenant_id} and connection_id = ${connection_id} and portfolio_id = ${portfolio_id}`;
  const last = async (valued: boolean) => {
    // With its holdings, which go when it is replaced.
    const { rows } = await sql<ValuationRow & { day: string }>`
      select day::text as day, balance::text as balance, currency, value, came_at, stated_at, source, places, (
          select h.items from valued_holdings h
          where h.tenant_id = ${tenant_id} and h.connection_id = ${connection_id} and h.portfolio_id = ${portfolio_id}
            and h.content = v.content
        ) as items
      from valuations v
      where ${of} and day <= ${date}::date and (not ${valued}::boolean or balance is not null or value is not null)
      order by day desc
      limit 1`.execute(db);
    return rows[0] ?? null;
  };
  const parts = what === "portfolio" ? await partsOf(db, tenant_id, connection_id, portfolio_id) : [];
  const name = what === "portfolio" ? await nameOf(db, of) : null;
  const current = (await last(true)) ?? (await last(false));
  if (current === null) return { connection_id, what, name, date: null, parts, versions: [] };
  const { rows: former } = await sql<ValuationRow>`
    select balance::text as balance, currency, value, came_at, stated_at, source, places, items from replaced_valuations
    where ${of} and day = ${current.day}::date
    order by came_at desc
    limit 10`.execute(db);
  const versions = [current, ...former].map((row) => ({
    ...row,
    places: row.places?.split("\n") ?? [],
  }));
  const said = what === "portfolio" ? { name, versions: accountVersions(versions) } : holdingVersions(versions, id);
  return { connection_id, what, date: current.day, parts, ...said };
}

/** What its latest valuation calls an account; null = it was never valued. */
async function nameOf(db: Db, of: RawBuilder<unknown>): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from valued_accounts where ${of}`.execute(db);
  return rows[0]?.name ?? null;
}

/** Accounts that a portfolio shows besides its own. */
async function partsOf(
  db: Db,
  tenant_id: string,
  connection_id: Uuid,
  portfolio_id: string,
): Promise<readonly string[]> {
  const latest = await db
    .selectFrom("snapshots")
    .select("revision")
    .where("tenant_id", "=", tenant_id)
    .where("connection_id", "=", connection_id)
    .where("product", "=", "portfolio")
    .where("until_revision", "is", null)
    .executeTakeFirst();
  if (!latest) return [];
  const { rows } = await sql<{ parts: string[] | null }>`
    select parts from portfolios
    where tenant_id = ${tenant_id} and connection_id = ${connection_id} and revision = ${latest.revision} and portfolio_id = ${portfolio_id}`.execute(
    db,
  );
  return rows[0]?.parts ?? [];
}

interface TransactionVersionRow {
  readonly operation_date: string;
  readonly description: string;
  readonly amount: string | null;
  readonly balance: string | null;
  readonly currency: string;
  readonly read_at: Date;
  readonly sha256: string | null;
  readonly place: string | null;
  readonly is_current: boolean;
}

async function transactionFigure(
  db: Db,
  tenant_id: string,
  { what, connection_id }: Found,
  id: Uuid,
): Promise<StoredFigure | null> {
  const of = sql`tenant_id = ${tenant_id} and connection_id = ${connection_id} and transaction_id = ${id}`;
  const said = sql`
    operation_date::text as operation_date, description, amount::text as amount, balance::text as balance, currency, read_at, encode(file, 'hex') as sha256,
    place`;
  const { rows } = await sql<TransactionVersionRow>`
    select ${said}, true as is_current from transactions where ${of}
    union all
    (select ${said}, false from replaced_transactions where ${of} order by until_revision desc limit 10)`.execute(db);
  const hashes = [...new Set(rows.flatMap(({ sha256 }) => sha256 ?? []))];
  const files = await db
    .selectFrom("feed_files")
    .select(["sha256", "name", "container", "format", "format_version"])
    .where("tenant_id", "=", tenant_id)
    .where("connection_id", "=", connection_id)
    .where("sha256", "=", anyOf(hashes, "text"))
    .execute();
  const connection = await db
    .selectFrom("connections")
    .select("provider")
    .where("tenant_id", "=", tenant_id)
    .where("connection_id", "=", connection_id)
    .executeTakeFirst();
  if (!connection) return null;
  const { provider } = connection;
  const versions = rows.map(({ amount, balance, currency, read_at, sha256, place, is_current }) => {
    const file = files.find((one) => one.sha256 === sha256);
    const came_at = read_at.toISOString();
    return {
      ...{ amount, balance, currency, valuation_date: null, came_at, current: is_current },
      source: file
        ? {
            kind: "file" as const,
            ...{ name: file.container ?? file.name, sha256: file.sha256, part: file.container && file.name },
            ...{ place, format: file.format, format_version: file.format_version },
          }
        : { kind: "provider" as const, provider, version: null, read_at: came_at },
    };
  });
  const { operation_date: date = null, description: name = null } = rows[0] ?? {};
  return { connection_id, what, name, date, parts: [], versions };
}
