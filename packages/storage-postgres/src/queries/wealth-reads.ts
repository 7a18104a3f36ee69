import { addDecimals, negateDecimal, type Uuid, type WealthQuery, type WealthReader } from "@org/core";
import type {
  AccountFacts,
  ConnectionFacts,
  Difference,
  HoldingFacts,
  HoldingSum,
  Money,
  Movement,
  Valuation,
} from "@org/wealth";
import { type RawBuilder, sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";
import {
  type AccountRow,
  accountColumns,
  type OfConnection,
  ofAccount,
  ofConnections,
  valuationsAtClose,
} from "./valued-accounts.js";
import { closesOf, countingAt, hasValue, type ValuationRow } from "./valued-closes.js";
import { holdingsKey, readWithHoldings } from "./wealth-holdings.js";
import { sizesOf } from "./wealth-sizes.js";

/**
 * {@link WealthReader} by statements of one tenant, each to one shard. Valuations are read before movements: a movement that is published in between
 * counts on a later valuation, as if it had come later.
 */
export function wealthReader({ asTenant }: Transactions): WealthReader {
  return {
    facts: (tenantId, query) =>
      asTenant(tenantId, async (db) => {
        const asked = await connectionsOf(db, tenantId, query);
        const { found, holdings } = await valuedOf(db, tenantId, asked, query);
        const connections = await stillThere(db, tenantId, asked, found);
        const depots = await depotsOf(db, tenantId, query);
        const movements = query.with_movements ? await movementsOf(db, tenantId, connections, found, query) : [];
        const differences =
          query.with_movements && !query.closes ? await differencesOf(db, tenantId, connections, query) : [];
        const [accountsBy, movementsBy, differencesBy] = [
          byConnection(found),
          byConnection(movements),
          byConnection(differences),
        ];
        // Written out, as accounts and valuations are: a tenant has thousands, and a spread costs more than all that its answer is reckoned from.
        return connections.map(
          ({ connection_id, connector_id, client_ref, movements_until, is_file }): ConnectionFacts => ({
            credentials_token: connection_id,
            connector_id,
            client_ref,
            movements_until,
            has_depot_income: accountsBy(connection_id).some((account) => account.has_depot_income),
            accounts: accountsBy(connection_id).map((row) => accountFacts(row, depots, query, holdings?.(row))),
            movements: movementsBy(connection_id).map((row) => movementFacts(row, is_file)),
            differences: differencesBy(connection_id).map(differenceFacts),
          }),
        );
      }),
    sizes: (tenantId, query) => asTenant(tenantId, (db) => sizesOf(db, tenantId, query)),
  };
}

/** Without connections that were removed after they were read: each has no account, as one that never delivered. */
async function stillThere(
  db: Db,
  tenant_id: string,
  connections: readonly ConnectionRow[],
  found: readonly AccountRow[],
): Promise<readonly ConnectionRow[]> {
  const of = byConnection(found);
  const empty = connections.flatMap(({ connection_id }) => (of(connection_id).length === 0 ? connection_id : []));
  if (empty.length === 0) return connections;
  const { rows } = await sql<OfConnection>`
    select connection_id from connections where tenant_id = ${tenant_id} and connection_id = any (${empty}::uuid[])`.execute(
    db,
  );
  const there = new Set(rows.map(({ connection_id }) => connection_id));
  return connections.filter(({ connection_id }) => of(connection_id).length > 0 || there.has(connection_id));
}

function byConnection<Row extends OfConnection>(rows: readonly Row[]): (id: Uuid) => readonly Row[] {
  const groups = new Map<Uuid, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.connection_id);
    if (group) group.push(row);
    else groups.set(row.connection_id, [row]);
  }
  return (id) => groups.get(id) ?? [];
}

interface ConnectionRow extends OfConnection {
  readonly connector_id: string;
  readonly client_ref: string | null;
  /** Null also where the question has no movements, as {@link is_file} is false. */
  readonly movements_until: string | null;
  /** It has no plan of refreshes. */
  readonly is_file: boolean;
}

async function connectionsOf(
  db: Db,
  tenant_id: string,
  { connection_ids, with_movements }: WealthQuery,
): Promise<readonly ConnectionRow[]> {
  const ofMovements = with_movements
    ? sql`
      (
        select (s.as_of at time zone 'UTC')::date::text from snapshots s
        where s.tenant_id = c.tenant_id and s.connection_id = c.connection_id and s.product = 'transaction' and s.until_revision is null
      ) as movements_until,
      not exists (
        select from connection_refreshes r where r.tenant_id = c.tenant_id and r.connection_id = c.connection_id
      ) as is_file`
    : sql`null as movements_until, false as is_file`;
  const { rows } = await sql<ConnectionRow>`
    select c.connection_id, c.connector_id, c.client_ref, ${ofMovements}
    from connections c
    where c.tenant_id = ${tenant_id} and ${ofConnections(sql`c.connection_id`, connection_ids)}
    order by c.created_at, c.connection_id`.execute(db);
  return rows;
}

/** In the order of the bank's list. */
async function valuationsOf(
  db: Db,
  tenant_id: string,
  connections: readonly ConnectionRow[],
  { from, to, closes, with_movements, holdings }: WealthQuery,
): Promise<readonly AccountRow[]> {
  const ids = connections.map(({ connection_id }) => connection_id);
  if (ids.length === 0) return [];
  // A stated balance is the value: a tenant's many closes are read without what its holdings are worth.
  const worth =
    closes && holdings === "none"
      ? sql`case when o.balance is null then o.value end, case when o.balance is null then o.content end`
      : sql`o.value, o.content`;
  const stated = with_movements
    ? sql`, to_char(o.stated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), o.arrival > 0`
    : sql``;
  const fields = sql`o.day, o.balance::text, ${worth}${stated}`;
  const of = ofAccount(tenant_id);
  // With `limit` each account is looked up by itself, however many rows the planner expects.
  const income = with_movements
    ? sql`case when not (a.is_cash or a.type = 'L') then (
        select true from transactions t
        where t.tenant_id = ${tenant_id} and t.connection_id = a.connection_id and t.portfolio_id = a.portfolio_id
          and t.kind in ('dividend', 'coupon')
        limit 1
      ) end`
    : sql`null::boolean`;
  const asked = closes && closesOf(of, closes, holdings === "none");
  const { rows } = await sql<AccountRow>`
    select ${accountColumns}, ${income} as has_depot_income, d.valuations${asked ? sql`, ${asked.kept} as kept, ${asked.first(fields)} as first` : sql``}
    from valued_accounts a
    ${asked?.join ?? sql``}
    cross join lateral (
      select json_agg(json_build_array(${fields}) order by o.day) as valuations, min(o.day) as first_day
      from (${asked?.lookedUp ?? periodOf(of, from, to)}) o
    ) d
    where a.tenant_id = ${tenant_id} and a.connection_id = any (${ids}::uuid[])
    order by a.ordinal, a.portfolio_id`.execute(db);
  return rows.filter(({ valuations, kept, first }) => valuations ?? kept ?? first);
}

/** The accounts, and what tells the holdings of an account's valuations; null = none were asked for. */
async function valuedOf(db: Db, tenant_id: string, connections: readonly ConnectionRow[], query: WealthQuery) {
  const isOneClose = query.closes?.length === 1 && !query.with_movements;
  if (isOneClose) return { found: await valuationsAtClose(db, tenant_id, query), holdings: null };
  const read = (some: ReadonlySet<Uuid> | null) => {
    const asked = some === null ? connections : connections.filter(({ connection_id }) => some.has(connection_id));
    return valuationsOf(db, tenant_id, asked, query);
  };
  if (query.holdings !== "all") return { found: await read(null), holdings: null };
  const contentsOf = ({ valuations }: AccountRow) => valuations?.flatMap(([, , , content]) => content ?? []) ?? [];
  const { found, holdings } = await readWithHoldings(db, tenant_id, read, contentsOf);
  const itemsOf =
    ({ portfolio_id }: AccountRow) =>
    ([, , , content]: ValuationRow) =>
      holdings.get(holdingsKey(portfolio_id, content));
  return { found, holdings: itemsOf };
}

function lastWithValue(
  valuations: readonly ValuationRow[] | null,
  isAsked: (day: string) => boolean,
): ValuationRow | undefined {
  return valuations?.findLast(
    ([day, balance, value, content]) => isAsked(day) && (balance !== null || (value !== null && content !== null)),
  );
}

function periodOf(of: RawBuilder<unknown>, from: string, to: string): RawBuilder<unknown> {
  return sql`
    (select v.* from valuations v where ${of} and v.day < ${from}::date order by v.day limit 1)
    union
    (select v.* from valuations v where ${of} and v.day < ${from}::date and ${hasValue} order by v.day desc limit 1)
    union all
    select v.* from valuations v where ${of} and v.day between ${from}::date and ${to}::date
    union all
    (
      select f.* from (select v.* from valuations v where ${of} order by v.day limit 1) f
      where f.day > ${to}::date
    )`;
}

/** The portfolio that shows an account, of those that are shown within another one. */
async function depotsOf(
  db: Db,
  tenant_id: string,
  { connection_ids }: WealthQuery,
): Promise<ReadonlyMap<string, string>> {
  // On a cluster portfolios are on nodes, and joined with nothing that is not.
  const { rows: linked } = await sql<{ connection_id: Uuid; revision: string }>`
    select l.connection_id, s.revision::text as revision
    from (
      select distinct l.connection_id from feed_account_links l
      where l.tenant_id = ${tenant_id} and ${ofConnections(sql`l.connection_id`, connection_ids)}
    ) l
    cross join lateral (
      select s.revision from snapshots s
      where s.tenant_id = ${tenant_id} and s.connection_id = l.connection_id and s.product = 'portfolio' and s.until_revision is null
      limit 1
    ) s`.execute(db);
  if (linked.length === 0) return new Map();
  const { rows } = await sql<{ portfolio_id: string; parts: readonly string[] }>`
    select p.portfolio_id, p.parts
    from unnest(${linked.map(({ connection_id }) => connection_id)}::uuid[], ${linked.map(({ revision }) => revision)}::bigint[])
      c (connection_id, revision)
    join portfolios p on p.tenant_id = ${tenant_id} and p.connection_id = c.connection_id and p.revision = c.revision
    where p.parts is not null`.execute(db);
  return new Map(rows.flatMap(({ portfolio_id, parts }) => parts.map((part) => [part, portfolio_id] as const)));
}

interface MovementRow extends OfConnection {
  readonly id: string;
  readonly portfolio_id: string;
  readonly holding_id: string | null;
  readonly isin: string | null;
  readonly operation_date: string;
  readonly kind: string | null;
  readonly amount: string | null;
  readonly balance: string | null;
  readonly currency: string;
  readonly facts: string | null;
  readonly first_read_at: Date;
}

async function movementsOf(
  db: Db,
  tenant_id: string,
  connections: readonly ConnectionRow[],
  accounts: readonly AccountRow[],
  { from, to, closes }: WealthQuery,
): Promise<readonly MovementRow[]> {
  if (connections.length === 0) return [];
  const of = byConnection(accounts);
  const since = connections.map(({ connection_id, is_file }) => {
    if (closes) return { connection_id, day: null, read: "infinity" };
    const before = of(connection_id).map(({ valuations }) => lastWithValue(valuations, (day) => day < from));
    const isNew = before.length === 0 || before.includes(undefined);
    const day = isNew ? "-infinity" : before.map((one) => one?.[0] ?? "").sort()[0];
    const read = isNew || is_file ? "infinity" : before.map((one) => one?.[4] ?? "").sort()[0];
    return { connection_id, day, read };
  });
  const whose = sql`
    unnest(
      ${since.map(({ connection_id }) => connection_id)}::uuid[], ${since.map(({ day }) => day)}::date[],
      ${since.map(({ read }) => read)}::timestamptz[]
    ) s (connection_id, day, read)`;
  const { rows } = await sql<MovementRow>`
    select
      t.connection_id, t.transaction_id as id, t.portfolio_id, t.holding_id, t.isin, t.operation_date::text as operation_date, t.kind,
      t.amount::text as amount, t.balance::text as balance, t.currency, t.facts,
      least(t.read_at, (
        select min(r.read_at) from replaced_transactions r
        where r.tenant_id = ${tenant_id} and r.connection_id = t.connection_id and r.transaction_id = t.transaction_id
      )) as first_read_at
    from (
      select t.* from ${whose}
      join transactions t on t.tenant_id = ${tenant_id} and t.connection_id = s.connection_id
        and t.operation_date > coalesce(s.day, ${from}::date - 1) and t.operation_date <= ${to}::date
      union all
      select t.* from ${whose}
      join transactions t on t.tenant_id = ${tenant_id} and t.connection_id = s.connection_id and t.read_at > s.read
      where t.operation_date <= s.day and t.operation_date <= ${to}::date
    ) t
    order by t.operation_date, t.transaction_id`.execute(db);
  return rows;
}

interface DifferenceRow extends OfConnection, Omit<Difference, "difference"> {
  readonly before: string;
  readonly moved: string;
  readonly stated: string;
}

async function differencesOf(
  db: Db,
  tenant_id: string,
  connections: readonly ConnectionRow[],
  { from, to }: WealthQuery,
): Promise<readonly DifferenceRow[]> {
  const { rows } = await sql<DifferenceRow>`
    select
      connection_id, portfolio_id, name, isin, from_day::text as from, to_day::text as to,
      before::text as before, moved::text as moved, stated::text as stated
    from feed_differences
    where tenant_id = ${tenant_id} and connection_id = any (${connections.map(({ connection_id }) => connection_id)}::uuid[])
      and to_day between ${from}::date and ${to}::date
    order by to_day, portfolio_id, name collate "C", holding_id`.execute(db);
  return rows;
}

/** What its valuations are is worked out when it is looked at: all of a tenant's at once cost more to keep than to work out. */
function accountFacts(
  row: AccountRow,
  depots: ReadonlyMap<string, string>,
  query: WealthQuery,
  holdings: ((valuation: ValuationRow) => string | undefined) | undefined,
): AccountFacts {
  const { portfolio_id, name, ref_account, currency, is_cash, lists_securities, lists_cash, held } = row;
  const isSummed = query.holdings === "sums";
  return {
    portfolio_id,
    shown_as: depots.get(portfolio_id) ?? portfolio_id,
    name,
    ref_account,
    currency,
    is_cash,
    lists_securities,
    lists_cash,
    get valuations() {
      const rows = query.closes ? countingAt(query.closes, row) : (row.valuations ?? []);
      return rows.map((one) => valuationFacts(one, holdings ? holdings(one) : held, isSummed));
    },
  };
}

/** Holdings are parsed when they are looked at: a tenant has 100,000 of them, and all at once cost more to keep than to parse. */
function valuationFacts(
  [day, balance, value, content, stated_at, is_file]: ValuationRow,
  held: string | null | undefined,
  isSummed: boolean,
): Valuation {
  const read_at = is_file ? null : (stated_at ?? null);
  const holdings_value = value && moneyIn(value);
  const has_holdings = content !== null;
  if (!held) return { day, read_at, balance, holdings_value, has_holdings };
  if (isSummed)
    return {
      day,
      read_at,
      balance,
      holdings_value,
      has_holdings,
      get holding_sums() {
        return JSON.parse(held) as HoldingSum[];
      },
    };
  return {
    day,
    read_at,
    balance,
    holdings_value,
    has_holdings,
    get holdings() {
      return holdingsIn(held);
    },
  };
}

function moneyIn(value: Readonly<Record<string, string>>): Money[] {
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ amount, currency }));
}

function holdingsIn(items: string): HoldingFacts[] {
  // Changed in place: nobody else has them yet, and a copy of each costs as much as parsing it.
  const holdings = JSON.parse(items) as { -readonly [Key in keyof HoldingFacts]: HoldingFacts[Key] }[];
  for (const one of holdings) {
    one.is_notional ??= false;
    one.cost ??= null;
  }
  return holdings;
}

function movementFacts({ connection_id: _, facts, first_read_at, ...row }: MovementRow, isFile: boolean): Movement {
  const {
    fees = null,
    taxes = null,
    gross = null,
  } = facts === null ? {} : (JSON.parse(facts) as Record<string, string>);
  return { ...row, fees, taxes, gross, first_read_at: isFile ? null : first_read_at.toISOString() };
}

function differenceFacts({ connection_id: _, before, moved, stated, ...row }: DifferenceRow): Difference {
  return { ...row, difference: addDecimals(stated, negateDecimal(addDecimals(before, moved))) };
}
