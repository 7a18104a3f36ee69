import { type RawBuilder, sql } from "kysely";

/** How many rows of a currency a statement added, how many of them have a balance or a notional, and the sum of their balances. */
export interface CountOf {
  readonly currency: string;
  readonly row_count: string;
  readonly valued: string;
  readonly notional: string;
  readonly balance: string | null;
}

/** A statement that inserts rows of a product, given as `PortfolioRow`, `HoldingRow` or `TransactionRow`. */
export type InsertRows = (
  at: { readonly tenant_id: string; readonly connection_id: string; readonly revision: string },
  firstOrdinal: number,
  rows: readonly object[],
) => RawBuilder<CountOf>;

export const insertPortfolios: InsertRows = ({ tenant_id, connection_id, revision }, firstOrdinal, rows) =>
  sql`select * from insert_portfolios(${tenant_id}, ${connection_id}, ${revision}, ${firstOrdinal}, ${JSON.stringify(rows)})`;

export const insertHoldings: InsertRows = ({ tenant_id, connection_id, revision }, firstOrdinal, rows) =>
  sql`select * from insert_holdings(${tenant_id}, ${connection_id}, ${revision}, ${firstOrdinal}, ${JSON.stringify(rows)})`;

export const insertTransactions: InsertRows = ({ tenant_id, connection_id, revision }, _, rows) =>
  sql`select * from insert_transactions(${tenant_id}, ${connection_id}, ${revision}, ${JSON.stringify(rows)})`;

export const copyPortfolios = copyRowsSql(
  "portfolios",
  "portfolio_id, name, balance, currency, ref_account, type, item, parts",
  "false",
);
export const copyHoldings = copyRowsSql(
  "holdings",
  "holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type, subtype, is_notional, item, facts",
  "is_notional",
);

/**
 * Copies the rows of one revision into another, except those of some portfolios. Parameters: tenant, connection, revision, ordinal of the first
 * row, revision to copy from, portfolios to leave out. Returns the same as the inserts.
 */
function copyRowsSql(table: string, columns: string, isNotional: string): string {
  return `
    with kept as (
      insert into ${table} (tenant_id, connection_id, revision, ordinal, ${columns})
      select tenant_id, connection_id, $3, $4 + row_number() over (order by ordinal) - 1, ${columns}
      from ${table}
      where tenant_id = $1 and connection_id = $2 and revision = $5 and portfolio_id <> all ($6::uuid[])
      returning currency, balance, ${isNotional} as is_notional
    )
    select currency, count(*) as row_count, count(balance) as valued, count(*) filter (where is_notional) as notional,
      (sum(balance) filter (where not is_notional))::text as balance
    from kept group by currency`;
}
