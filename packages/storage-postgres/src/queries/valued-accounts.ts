import type { Uuid, WealthQuery } from "@org/core";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../transactions.js";
import { type FoundCloses, hasValue, type ValuationRow } from "./valued-closes.js";

export interface OfConnection {
  readonly connection_id: Uuid;
}

/** One account with its valuations. */
export interface AccountRow extends OfConnection, FoundCloses {
  readonly portfolio_id: string;
  readonly name: string;
  readonly ref_account: string | null;
  readonly currency: string;
  readonly is_cash: boolean;
  readonly lists_securities: boolean;
  readonly lists_cash: boolean;
  /** Whether it is a depot with dividends or coupons, whatever their day; null also where the question has no movements. */
  readonly has_depot_income: true | null;
  /** Of one close, what of its holdings is asked for. */
  readonly held?: string | null;
}

/** Whether a column has a connection that is asked about. */
export function ofConnections(column: RawBuilder<unknown>, ids: WealthQuery["connection_ids"]): RawBuilder<unknown> {
  return ids === null ? sql`true` : sql`${column} = any (${ids}::uuid[])`;
}

/** Of `valued_accounts a`. */
export const accountColumns = sql`
  a.connection_id, a.portfolio_id, a.name, a.ref_account, a.currency, a.is_cash or a.type = 'L' as is_cash, a.lists_securities, a.lists_cash`;

/** The valuations `v` of an account `a`. */
export function ofAccount(tenant_id: string): RawBuilder<unknown> {
  return sql`v.tenant_id = ${tenant_id} and v.connection_id = a.connection_id and v.portfolio_id = a.portfolio_id`;
}

interface CloseRow extends Omit<AccountRow, "valuations"> {
  readonly day: string;
  readonly balance: string | null;
  readonly value: Readonly<Record<string, string>> | null;
  readonly content: string | null;
}

/**
 * Accounts with the one valuation that counts at the close of a day, else their first one ever, in the order of the bank's list; and what is asked of
 * its holdings. It is in columns, since JSON of one valuation costs more than to look it up.
 */
export async function valuationsAtClose(
  db: Db,
  tenant_id: string,
  { connection_ids, closes = [], holdings }: WealthQuery,
): Promise<readonly AccountRow[]> {
  const of = ofAccount(tenant_id);
  const counted = sql`v.day <= ${closes[0]}::date and ${hasValue}`;
  const held = sql`(
    select ${holdings === "sums" ? sql`h.sums` : sql`h.items`} from valued_holdings h
    where h.tenant_id = ${tenant_id} and h.connection_id = o.connection_id and h.portfolio_id = o.portfolio_id and h.content = o.content
  )`;
  // A stated balance is the value: then what the holdings are worth is not read.
  const columns =
    holdings === "none"
      ? sql`
        case when o.balance is null then o.value end as value, case when o.balance is null then o.content end as content,
        null as held`
      : sql`o.value, o.content, ${held} as held`;
  const { rows } = await sql<CloseRow>`
    select ${accountColumns}, null::boolean as has_depot_income, o.day::text as day, o.balance::text as balance, ${columns}
    from valued_accounts a
    cross join lateral (
      (select v.* from valuations v where ${of} and ${counted} order by v.day desc limit 1)
      union all
      (
        select v.* from valuations v
        where ${of} and not exists (select from valuations v where ${of} and ${counted})
        order by v.day limit 1
      )
      limit 1
    ) o
    where a.tenant_id = ${tenant_id} and ${ofConnections(sql`a.connection_id`, connection_ids)}
    order by a.ordinal, a.portfolio_id`.execute(db);
  return rows.map((row) =>
    // The row gets its valuation, where a copy of each of thousands would cost as much as all that is made of them.
    Object.assign(row, { valuations: [[row.day, row.balance, row.value, row.content]] satisfies [ValuationRow] }),
  );
}
