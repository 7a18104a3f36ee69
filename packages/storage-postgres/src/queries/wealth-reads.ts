import { addDecimals, negateDecimal, type Uuid, type WealthQuery, type WealthReader } from "@org/core";
import type { AccountFacts, ConnectionFacts, Difference, HoldingFacts, Money, Movement, Valuation } from "@org/wealth";
import { type RawBuilder, sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";
import { sizesOf } from "./wealth-sizes.js";

/**
 * {@link WealthReader} by statements of one tenant, each to one shard. Valuations are read before movements: a movement that is published in between
 * counts on a later valuation, as if it had come later.
 */
export function wealthReader({ asTenant }: Transactions): WealthReader {
  return {
    facts: (tenantId, query) =>
      asTenant(tenantId, async (db) => {
        const connections = await connectionsOf(db, tenantId, query);
        const found = await valuationsOf(db, tenantId, connections, query);
        const depots = await depotsOf(db, tenantId, connections);
        const movements = query.with_movements ? await movementsOf(db, tenantId, connections, found, query) : [];
        const differences =
          query.with_movements && !query.closes ? await differencesOf(db, tenantId, connections, query) : [];
        const holdings = query.holdings === "none" ? null : await holdingsOf(db, tenantId, found, query);
        const [accountsBy, movementsBy, differencesBy] = [
          byConnection(found),
          byConnection(movements),
          byConnection(differences),
        ];
        return connections.map(
          ({ connection_id, is_file, linked_revision: _, ...row }): ConnectionFacts => ({
            ...{ credentials_token: connection_id, ...row },
            has_depot_income: accountsBy(connection_id).some((account) => account.has_depot_income),
            accounts: accountsBy(connection_id).map((row) => accountFacts(row, depots, holdings)),
            movements: movementsBy(connection_id).map((row) => movementFacts(row, is_file)),
            differences: differencesBy(connection_id).map(differenceFacts),
          }),
        );
      }),
    sizes: (tenantId, query) => asTenant(tenantId, (db) => sizesOf(db, tenantId, query)),
  };
}

interface OfConnection {
  readonly connection_id: Uuid;
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
  readonly movements_until: string | null;
  /** It has no plan of refreshes. */
  readonly is_file: boolean;
  /** The revision of its portfolios, if some of them are shown in others. */
  readonly linked_revision: string | null;
}

async function connectionsOf(
  db: Db,
  tenant_id: string,
  { connection_ids }: WealthQuery,
): Promise<readonly ConnectionRow[]> {
  const { rows } = await sql<ConnectionRow>`
    select
      c.connection_id, c.connector_id, c.client_ref,
      (
        select (s.as_of at time zone 'UTC')::date::text from snapshots s
        where s.tenant_id = c.tenant_id and s.connection_id = c.connection_id and s.product = 'transaction' and s.until_revision is null
      ) as movements_until,
      not exists (
        select from connection_refreshes r where r.tenant_id = c.tenant_id and r.connection_id = c.connection_id
      ) as is_file,
      (
        select s.revision::text from snapshots s
        where s.tenant_id = c.tenant_id and s.connection_id = c.connection_id and s.product = 'portfolio' and s.until_revision is null
          and exists (select from feed_account_links l where l.tenant_id = c.tenant_id and l.connection_id = c.connection_id)
      ) as linked_revision
    from connections c
    where c.tenant_id = ${tenant_id} and (${connection_ids}::uuid[] is null or c.connection_id = any (${connection_ids}::uuid[]))
    order by c.created_at, c.connection_id`.execute(db);
  return rows;
}

/** One account with its valuations as JSON. */
interface AccountRow extends OfConnection {
  readonly portfolio_id: string;
  readonly name: string;
  readonly ref_account: string | null;
  readonly currency: string;
  readonly is_cash: boolean;
  readonly lists_securities: boolean;
  readonly lists_cash: boolean;
  /** Whether it is a depot with dividends or coupons, whatever their day; null also where the question has no movements. */
  readonly has_depot_income: true | null;
  readonly valuations: readonly ValuationRow[];
}

/** An array, which takes PostgreSQL half as long as an object. When it was stated is left out where the question has no movements. */
type ValuationRow = readonly [
  day: string,
  balance: string | null,
  value: Readonly<Record<string, string>> | null,
  content: string | null,
  stated_at?: string,
  is_file?: boolean,
];

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
  const of = sql`v.tenant_id = ${tenant_id} and v.connection_id = a.connection_id and v.portfolio_id = a.portfolio_id`;
  // With `limit` each account is looked up by itself, however many rows the planner expects.
  const income = with_movements
    ? sql`case when not (a.is_cash or a.type = 'L') then (
        select true from transactions t
        where t.tenant_id = ${tenant_id} and t.connection_id = a.connection_id and t.portfolio_id = a.portfolio_id
          and t.kind in ('dividend', 'coupon')
        limit 1
      ) end`
    : sql`null::boolean`;
  const { rows } = await sql<AccountRow>`
    select
      a.connection_id, a.portfolio_id, a.name, a.ref_account, a.currency, a.is_cash or a.type = 'L' as is_cash, a.lists_securities, a.lists_cash,
      ${income} as has_depot_income, d.valuations
    from valued_accounts a
    cross join lateral (
      select json_agg(json_build_array(${fields}) order by o.day) as valuations
      from (${closes ? closesOf(of, closes) : periodOf(of, from, to)}) o
    ) d
    where a.tenant_id = ${tenant_id} and a.connection_id = any (${ids}::uuid[]) and d.valuations is not null
    order by a.ordinal, a.portfolio_id`.execute(db);
  return rows;
}

function lastWithValue(
  valuations: readonly ValuationRow[],
  isAsked: (day: string) => boolean,
): ValuationRow | undefined {
  return valuations.findLast(
    ([day, balance, value, content]) => isAsked(day) && (balance !== null || (value !== null && content !== null)),
  );
}

const hasValue = sql`(v.balance is not null or (v.value is not null and v.content is not null))`;

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

/** Of each day the last valuation since the day before it in the list: what counts of earlier ones is among those of earlier days. */
function closesOf(of: RawBuilder<unknown>, closes: readonly string[]): RawBuilder<unknown> {
  return sql`
    select v.*
    from unnest(${["-infinity", ...closes.slice(0, -1)]}::date[], ${closes}::date[]) c (after, day)
    cross join lateral (
      select v.* from valuations v where ${of} and v.day > c.after and v.day <= c.day and ${hasValue} order by v.day desc limit 1
    ) v
    union all
    (
      select v.* from (select v.* from valuations v where ${of} order by v.day limit 1) v
      where v.day > ${closes.at(-1)}::date or not ${hasValue}
    )`;
}

/** The portfolio that shows an account, of those that are shown within another one. */
async function depotsOf(
  db: Db,
  tenant_id: string,
  connections: readonly ConnectionRow[],
): Promise<ReadonlyMap<string, string>> {
  const linked = connections.filter(({ linked_revision }) => linked_revision !== null);
  if (linked.length === 0) return new Map();
  const { rows } = await sql<{ portfolio_id: string; parts: readonly string[] }>`
    select p.portfolio_id, p.parts
    from unnest(${linked.map(({ connection_id }) => connection_id)}::uuid[], ${linked.map((one) => one.linked_revision)}::bigint[])
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
        and (t.operation_date > s.day or s.day is null and t.operation_date >= ${from}::date)
        and t.operation_date <= ${to}::date
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

/** The holdings of a valuation as JSON, where they are asked for. */
async function holdingsOf(
  db: Db,
  tenant_id: string,
  accounts: readonly AccountRow[],
  { to, holdings }: WealthQuery,
): Promise<(valuation: ValuationRow) => string | undefined> {
  const wanted: (readonly [connection: string, portfolio: string, content: string])[] = [];
  const places = new Map<ValuationRow, number>();
  for (const { connection_id, portfolio_id, valuations } of accounts) {
    const known = new Map<string, number>();
    const latest = lastWithValue(valuations, (day) => day <= to);
    for (const one of holdings === "all" ? valuations : latest ? [latest] : []) {
      const [, , , content] = one;
      if (!content) continue;
      const place = known.get(content) ?? wanted.push([connection_id, portfolio_id, content]) - 1;
      known.set(content, place);
      places.set(one, place);
    }
  }
  const { rows } = await sql<{ place: number; items: string }>`
    select w.place::integer - 1 as place, h.items
    from unnest(${wanted.map(([id]) => id)}::uuid[], ${wanted.map(([, id]) => id)}::uuid[], ${wanted.map(([, , id]) => id)}::uuid[])
      with ordinality w (connection_id, portfolio_id, content, place)
    join valued_holdings h on h.tenant_id = ${tenant_id} and h.connection_id = w.connection_id and h.portfolio_id = w.portfolio_id
      and h.content = w.content`.execute(db);
  const items = new Map(rows.map((row) => [row.place, row.items]));
  return (valuation) => items.get(places.get(valuation) ?? -1);
}

function accountFacts(
  { connection_id: _, has_depot_income: __, valuations, ...account }: AccountRow,
  depots: ReadonlyMap<string, string>,
  holdings: ((valuation: ValuationRow) => string | undefined) | null,
): AccountFacts {
  return {
    ...account,
    shown_as: depots.get(account.portfolio_id) ?? account.portfolio_id,
    valuations: valuations.map((one) => valuationFacts(one, holdings?.(one))),
  };
}

/** Holdings are parsed when they are looked at: a tenant has 100,000 of them, and all at once cost more to keep than to parse. */
function valuationFacts(
  [day, balance, value, content, stated_at, is_file]: ValuationRow,
  items: string | undefined,
): Valuation {
  const read_at = is_file ? null : (stated_at ?? null);
  const holdings_value = value && moneyIn(value);
  const has_holdings = content !== null;
  // Written out: a tenant has 180,000 of them, and a spread copies each.
  if (items === undefined) return { day, read_at, balance, holdings_value, has_holdings };
  return {
    day,
    read_at,
    balance,
    holdings_value,
    has_holdings,
    get holdings() {
      return holdingsIn(items);
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
