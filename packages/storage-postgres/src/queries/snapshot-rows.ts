import { searchKey } from "@org/core";
import { type RawBuilder, sql } from "kysely";

/** How many rows a statement has added, and their totals as `totals_of` (SQL) names them. */
export interface AddedRows {
  readonly row_count: string;
  readonly totals: Readonly<Record<string, string>>;
  /** The first and the last valuation day of holdings; null if none states one, absent for other rows. */
  readonly oldest_day?: string | null;
  readonly newest_day?: string | null;
}

/** A statement that inserts rows of a product, `PortfolioRow`, `HoldingRow` or `TransactionRow`, given by {@link rowsJson}. */
export type InsertRows = (
  at: {
    readonly tenant_id: string;
    readonly connection_id: string;
    readonly revision: string;
    readonly published_at: Date;
  },
  firstOrdinal: number,
  json: string,
  /** For transactions: SHA-256 of the file that states them, in hex. */
  file?: string,
) => RawBuilder<AddedRows>;

/** Counts and totals of rows that are grouped by currency as `g`. */
const COUNTED = "coalesce(sum(g.row_count), 0) as row_count, totals_of(jsonb_agg(g)) as totals";
const DAYS = "min(g.oldest_day)::text as oldest_day, max(g.newest_day)::text as newest_day";
const [counted, days] = [sql.raw(COUNTED), sql.raw(DAYS)];

export const insertPortfolios: InsertRows = ({ tenant_id, connection_id, revision }, firstOrdinal, json) =>
  sql`select ${counted} from insert_portfolios(${tenant_id}, ${connection_id}, ${revision}, ${firstOrdinal}, ${json}) g`;

export const insertHoldings: InsertRows = ({ tenant_id, connection_id, revision }, firstOrdinal, json) =>
  sql`select ${counted}, ${days} from insert_holdings(${tenant_id}, ${connection_id}, ${revision}, ${firstOrdinal}, ${json}) g`;

export const insertTransactions: InsertRows = (
  { tenant_id, connection_id, revision, published_at },
  _,
  json,
  file = undefined,
) =>
  sql`
    select ${counted}
    from insert_transactions(${tenant_id}, ${connection_id}, ${revision}, ${published_at}, ${json}, ${file ?? null}) g`;

/** Rows as the functions of sql/0005_snapshots.sql take them, with the search key of a name or description that is not plain ASCII. */
export function rowsJson(rows: readonly object[]): string {
  return JSON.stringify(rows.map(withKey));
}

function withKey(row: { readonly name?: string; readonly description?: string }): object {
  const { name, description } = row;
  if (name !== undefined && !PLAIN.test(name)) return { ...row, name_key: searchKey(name) };
  if (description !== undefined && !PLAIN.test(description)) return { ...row, description_key: searchKey(description) };
  return row;
}

/** The search key of such a text is its lower case without spaces around it, which the database makes. */
const PLAIN = /^[\x20-\x7e]*$/;

export const copyPortfolios = copyRowsSql(
  "portfolios",
  "portfolio_id, name, balance, currency, ref_account, type, item, parts, name_key",
  "false as is_notional, null::date as valuation_date",
);
export const copyHoldings = copyRowsSql(
  "holdings",
  "holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type, subtype, is_notional, item, facts, name_key",
  "is_notional, valuation_date",
);

/**
 * Copies the rows of one revision into another, except those of some portfolios. Parameters: tenant, connection, revision, ordinal of the first
 * row, revision to copy from, portfolios to leave out. Returns the same as the inserts.
 */
function copyRowsSql(table: string, columns: string, returned: string): string {
  return `
    with kept as (
      insert into ${table} (tenant_id, connection_id, revision, ordinal, ${columns})
      select tenant_id, connection_id, $3, $4 + row_number() over (order by ordinal) - 1, ${columns}
      from ${table}
      where tenant_id = $1 and connection_id = $2 and revision = $5 and portfolio_id <> all ($6::uuid[])
      returning currency, balance, ${returned}
    )
    select ${COUNTED}, ${DAYS}
    from (
      select currency, count(*) as row_count, count(balance) as valued, count(*) filter (where is_notional) as notional,
        sum(balance) filter (where not is_notional) as balance, min(valuation_date) as oldest_day, max(valuation_date) as newest_day
      from kept group by currency
    ) g`;
}
