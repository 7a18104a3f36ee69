import type { ConnectionRecord } from "../../connections/connection-store.js";
import type {
  DataPage,
  DataQuery,
  HoldingQuery,
  PortfolioQuery,
  SourceState,
  TransactionQuery,
} from "../../data/data-reader.js";
import {
  type CurrencyTotal,
  holdingFacts,
  holdingFields,
  portfolioFields,
  transactionFacts,
  transactionFields,
} from "../../data/rows.js";
import type { HoldingRow, PortfolioRow, Product, TransactionRow } from "../../data/snapshot-store.js";
import { addDecimals, compareDecimals } from "../../decimal.js";
import { oldestFirst } from "../connections/connections.js";
import { compareText, type DataRow, isIn, type StoredSnapshot, type TenantState } from "../state.js";

/** A page of portfolios, see `DataReader`. */
export function readPortfolios(state: TenantState, query: PortfolioQuery): DataPage {
  return readPage<PortfolioRow>(state, query, {
    product: "portfolio",
    fields: portfolioFields,
    facts: [],
    renamed: { id: (row) => row.portfolio_id, refAccount: (row) => row.ref_account },
    matches: (row) => matchesValue(row, query),
  });
}

/** A page of holdings, see `DataReader`. */
export function readHoldings(state: TenantState, query: HoldingQuery): DataPage {
  return readPage<HoldingRow>(state, query, {
    product: "investment",
    fields: holdingFields,
    facts: holdingFacts,
    renamed: { id: (row) => row.holding_id },
    matches: (row, readable) =>
      matchesValue(row, query) &&
      isIn(query.subtypes, row.subtype) &&
      (query.portfolio_id === null || accountsOf(query.portfolio_id, readable).includes(row.portfolio_id)),
    parent: { field: "portfolio_id", id: query.portfolio_id, products: ["portfolio", "investment"] },
  });
}

/** A page of transactions, see `DataReader`. */
export function readTransactions(state: TenantState, query: TransactionQuery): DataPage {
  return readPage<TransactionRow>(state, query, {
    product: "transaction",
    fields: transactionFields,
    facts: transactionFacts,
    renamed: {
      id: (row) => row.transaction_id,
      operationDate: (row) => row.operation_date,
      unitPrice: (row) => row.unit_price,
    },
    matches: (row) =>
      (query.holding_id === null || row.holding_id === query.holding_id) &&
      (query.start_date === null || row.operation_date >= query.start_date) &&
      (query.end_date === null || row.operation_date <= query.end_date),
    parent: { field: "investment_id", id: query.holding_id, products: ["investment", "transaction"] },
    order: (a, b) => compareText(b.operation_date, a.operation_date) || compareText(b.transaction_id, a.transaction_id),
  });
}

interface Reading<Row> {
  readonly product: Product;
  readonly fields: readonly string[];
  readonly facts: readonly string[];
  /** Item fields that have another name than in the row. */
  readonly renamed: Readonly<Record<string, (row: Row) => unknown>>;
  readonly matches: (row: Row, readable: readonly StoredSnapshot[]) => boolean;
  /** An id that the tenant must know, and the products whose rows may have it. */
  readonly parent?: { field: "portfolio_id" | "investment_id"; id: string | null; products: readonly Product[] };
  readonly order?: (a: Row, b: Row) => number;
}

function readPage<Row extends DataRow>(state: TenantState, query: DataQuery, reading: Reading<Row>): DataPage {
  const known = [...reading.fields, ...reading.facts];
  const strange = query.fields.find((field) => !known.includes(field));
  if (strange !== undefined) throw new Error(`items have no field ${strange}`);
  const revision = query.revision === null ? state.revision : revisionOf(state, query.revision);
  if (revision === null) return { kind: "revision_gone" };

  const unknown = query.connection_ids?.filter((id) => !state.connections.has(id)) ?? [];
  if (unknown.length > 0) return { kind: "unknown", field: "credentials_token", ids: [...new Set(unknown)] };
  const readable = state.snapshots.filter(
    (one) => one.from <= revision && (one.until === null || revision < one.until),
  );
  const { parent } = reading;
  if (parent && parent.id !== null && !isKnown(parent.id, parent, readable)) {
    return { kind: "unknown", field: parent.field, ids: [parent.id] };
  }

  const snapshots = new Map(
    readable.filter((one) => one.product === reading.product).map((one) => [one.connection_id, one]),
  );
  const connections = oldestFirst(state);
  const matching = connections
    .filter((connection) => isIn(query.connection_ids, connection.connection_id))
    .flatMap(({ connection_id }) => {
      const rows = (snapshots.get(connection_id)?.rows ?? []) as readonly Row[];
      return rows.filter((row) => reading.matches(row, readable)).map((row) => ({ row, connection_id }));
    });
  const { order } = reading;
  if (order) matching.sort((a, b) => order(a.row, b.row));
  const page = matching.slice((query.page - 1) * query.page_size, query.page * query.page_size);
  const asked = query.connection_ids
    ? [...new Set(query.connection_ids)].map((id) => state.connections.get(id) as ConnectionRecord)
    : connections;
  return {
    kind: "page",
    items_json: JSON.stringify(page.map(({ row, connection_id }) => itemOf(row, connection_id, query, reading))),
    total: matching.length,
    totals: totalsOf(matching.map(({ row }) => row)),
    sources: asked.map((connection) => sourceOf(connection, reading.product, snapshots.get(connection.connection_id))),
    unlisted: 0,
    revision: String(revision),
  };
}

/** The portfolio's own account, and the accounts that are shown in it. */
function accountsOf(portfolioId: string, readable: readonly StoredSnapshot[]): readonly string[] {
  const rows = readable
    .filter(({ product }) => product === "portfolio")
    .flatMap(({ rows }) => rows as readonly PortfolioRow[]);
  return [portfolioId, ...(rows.find(({ portfolio_id }) => portfolio_id === portfolioId)?.parts ?? [])];
}

function revisionOf(state: TenantState, text: string): number | null {
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) return null;
  const revision = Number(text);
  return revision >= state.pruned && revision <= state.revision ? revision : null;
}

function isKnown(
  id: string,
  { field, products }: { field: string; products: readonly Product[] },
  snapshots: readonly StoredSnapshot[],
): boolean {
  const key = field === "investment_id" ? "holding_id" : field;
  return snapshots.some(
    (snapshot) =>
      products.includes(snapshot.product) &&
      snapshot.rows.some((row) => (row as unknown as Record<string, unknown>)[key] === id),
  );
}

function matchesValue(row: PortfolioRow | HoldingRow, query: PortfolioQuery): boolean {
  return (
    isIn(query.currencies, row.currency) &&
    isIn(query.types, row.type) &&
    (query.min_balance === null || (row.balance !== null && compareDecimals(row.balance, query.min_balance) >= 0))
  );
}

function itemOf<Row extends DataRow>(row: Row, connectionId: string, query: DataQuery, reading: Reading<Row>) {
  const item: Record<string, unknown> = {};
  const facts: Readonly<Record<string, unknown>> = ("facts" in row && row.facts) || {};
  for (const field of query.fields) {
    if (reading.facts.includes(field)) item[field] = facts[field] ?? null;
    else if (reading.renamed[field]) item[field] = reading.renamed[field](row);
    else item[field] = (row as unknown as Record<string, unknown>)[field];
  }
  if (query.with_facts && query.fields.join() === reading.fields.join()) Object.assign(item, facts);
  if (query.include_source_token) item.credentials_token = connectionId;
  return item;
}

function totalsOf(rows: readonly DataRow[]): readonly CurrencyTotal[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort(compareText);
  return currencies.map((currency) =>
    totalOf(
      currency,
      rows.filter((row) => row.currency === currency),
    ),
  );
}

function totalOf(currency: string, rows: readonly DataRow[]): CurrencyTotal {
  const without = rows.filter(({ balance }) => balance === null).length;
  const notional = rows.filter((row) => "is_notional" in row && row.is_notional);
  const balances = rows.flatMap((row) => (notional.includes(row) ? [] : (row.balance ?? [])));
  return {
    currency,
    balance: balances.length === 0 ? null : balances.reduce((sum, balance) => addDecimals(sum, balance), "0"),
    rows: rows.length,
    ...(without > 0 && { rows_without_balance: without }),
    ...(notional.length > 0 && { rows_notional: notional.length }),
  };
}

function sourceOf(connection: ConnectionRecord, product: Product, snapshot: StoredSnapshot | undefined): SourceState {
  const { pending, blocked, errored } = connection.status;
  const failed = product === "transaction" ? errored.transaction.investment : errored.product[product];
  return {
    credentials_token: connection.connection_id,
    bank: connection.bank,
    as_of: snapshot?.as_of.toISOString() ?? null,
    pending,
    blocked,
    errored: failed || errored.product.auth,
  };
}
