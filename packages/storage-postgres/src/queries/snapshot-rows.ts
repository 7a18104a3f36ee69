/**
 * Inserts of the rows of a product. Parameters: tenant, connection, revision, ordinal of the first row, rows as a JSON array
 * of `PortfolioRow`, `HoldingRow` or `TransactionRow`. They answer count and sum of what they inserted by currency. `item` is
 * built from the same columns, so that it cannot say anything else; numbers are strings in JSON, with their scale. `facts` are kept as
 * they come: nothing is counted, filtered or sorted by them.
 */
export const insertPortfolios = insertOf({
  table: "portfolios",
  columns: {
    portfolio_id: "uuid",
    name: "text",
    balance: "numeric",
    currency: "text",
    ref_account: "text",
    type: "text",
    parts: "uuid[]",
  },
  isNumbered: true,
  item: {
    id: "portfolio_id",
    name: "name",
    balance: "balance",
    currency: "currency",
    refAccount: "ref_account",
    type: "type",
  },
});

export const insertHoldings = insertOf({
  table: "holdings",
  columns: {
    holding_id: "uuid",
    portfolio_id: "uuid",
    name: "text",
    isin: "text",
    amount: "numeric",
    balance: "numeric",
    currency: "text",
    valuation_date: "date",
    type: "text",
    subtype: "text",
    facts: "json",
  },
  isNumbered: true,
  item: {
    id: "holding_id",
    name: "name",
    isin: "isin",
    amount: "amount",
    balance: "balance",
    currency: "currency",
    valuation_date: "valuation_date",
    type: "type",
    subtype: "subtype",
  },
});

export const keepPortfolios = keepOf(
  "portfolios",
  "portfolio_id, name, balance, currency, ref_account, type, item, parts",
);
export const keepHoldings = keepOf(
  "holdings",
  "holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type, subtype, item, facts",
);

/** Whether a revision has rows that another with as many has not. Parameters: tenant, connection, the revision, the other one. */
export const otherPortfolios = otherOf("portfolios", "item, parts");
export const otherHoldings = otherOf("holdings", "portfolio_id, item, facts");

/** A transaction that is there already stays as it is and counts once. */
export const insertTransactions = insertOf({
  table: "transactions",
  columns: {
    transaction_id: "uuid",
    portfolio_id: "uuid",
    holding_id: "uuid",
    operation_date: "date",
    description: "text",
    amount: "numeric",
    balance: "numeric",
    currency: "text",
    unit_price: "numeric",
    facts: "json",
  },
  isNumbered: false,
  item: {
    id: "transaction_id",
    operationDate: "operation_date",
    description: "description",
    amount: "amount",
    balance: "balance",
    currency: "currency",
    unitPrice: "unit_price",
  },
});

type ColumnTypes = Readonly<Record<string, "uuid" | "uuid[]" | "text" | "numeric" | "date" | "json">>;

interface RowInsert<Columns extends ColumnTypes> {
  readonly table: string;
  /** Columns of the row and their types, named as in the JSON. */
  readonly columns: Columns;
  /** Whether rows are numbered; the others are kept once each. */
  readonly isNumbered: boolean;
  /** Fields of the answered item, in order, and the columns they come from. */
  readonly item: Readonly<Record<string, keyof Columns & string>>;
}

function insertOf<Columns extends ColumnTypes>({ table, columns, isNumbered, item }: RowInsert<Columns>): string {
  const names = Object.keys(columns);
  const fields = Object.entries(item).map(([field, column]) => `'"${field}":' || ${jsonOf(column, columns[column])}`);
  return `
    with added as (
      insert into ${table} (tenant_id, connection_id, revision, ${isNumbered ? "ordinal, " : ""}${names.join(", ")}, item)
      select $1, $2, $3, ${isNumbered ? "$4 + r.number - 1, " : ""}${names.map((name) => (columns[name] === "json" ? `r.${name}::text` : `r.${name}`)).join(", ")},
        '{' || ${fields.join(" || ',' || ")} || '}'
      from rows from (json_to_recordset($5) as (${names.map((name) => `${name} ${columns[name]}`).join(", ")}))
        with ordinality as r (${names.join(", ")}, number)
      ${isNumbered ? "" : "where $4::integer is not null on conflict do nothing"}
      returning currency, balance
    )
    select currency, count(*) as row_count, sum(balance)::text as balance from added group by currency`;
}

/**
 * Copies the rows of one revision into another, except those of some portfolios. Parameters: tenant, connection, revision, ordinal
 * of the first row, revision to copy from, portfolios that do not stay. Returns as the inserts do.
 */
function keepOf(table: string, columns: string): string {
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

/** @param columns that are compared; `item` has the id */
function otherOf(table: string, columns: string): string {
  const rowsOf = (revision: string) =>
    `select ${columns} from ${table} where tenant_id = $1 and connection_id = $2 and revision = ${revision}`;
  return `select exists (${rowsOf("$3")} except all ${rowsOf("$4")}) as is_other`;
}

/** SQL of a column's value as JSON text. Ids, numbers and dates need no escaping. */
function jsonOf(column: string, type: ColumnTypes[string] | undefined): string {
  if (type === "text") return `coalesce(to_json(r.${column})::text, 'null')`;
  const text = type === "date" ? `to_char(r.${column}, 'YYYY-MM-DD')` : `r.${column}::text`;
  return `coalesce('"' || ${text} || '"', 'null')`;
}
