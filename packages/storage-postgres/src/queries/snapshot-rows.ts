import { type RawBuilder, sql } from "kysely";

/** How many rows of a currency a statement has added, and their sum. */
export interface CountOf {
  readonly currency: string;
  readonly row_count: string;
  readonly balance: string | null;
}

/** A statement that inserts rows of a product, as `PortfolioRow`, `HoldingRow` and `TransactionRow` have them. */
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
);
export const copyHoldings = copyRowsSql(
  "holdings",
  "holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type, subtype, item, facts",
);

/**
 * Copies the rows of one revision into another, except those of some portfolios. Parameters: tenant, connection, revision, ordinal
 * of the first row, revision to copy from, portfolios that do not stay. Returns as the inserts do.
 */
function copyRowsSql(table: string, columns: string): string {
  return `
    with kept as (
      insert into ${table} (tenant_id, connection_id, revision, ordinal, ${columns})
      select tenant_id, connection_id, $3, $4 + row_number() over (order by ordinal) - 1, ${columns}
      from ${table}
      where tenant_id = $1 and connection_id = $2 and revision = $5 and portfolio_id <> all ($6::uuid[])
      returning currency, balance
    )
    select currency, count(*) as row_count, sum(balance)::text as balance from kept group by currency`;
}
