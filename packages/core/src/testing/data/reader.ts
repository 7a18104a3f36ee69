import { evaluateRelogin } from "@org/relogin-rule";
import type { ConnectionRecord } from "../../connections/connection-store.js";
import type {
  ClientConnections,
  DataPage,
  DataQuery,
  HoldingQuery,
  PortfolioQuery,
  SourceState,
  TransactionQuery,
} from "../../data/data-reader.js";
import {
  type AsOf,
  type CurrencyTotal,
  type DataGroup,
  extraFields,
  holdingFacts,
  holdingFields,
  ofClient,
  portfolioFields,
  transactionFacts,
  transactionFields,
} from "../../data/rows.js";
import type { HoldingRow, PortfolioRow, Product, TransactionRow } from "../../data/snapshot-store.js";
import { addDecimals, compareDecimals } from "../../decimal.js";
import type { Uuid } from "../../schemas/identifier.js";
import { searchKey } from "../../search-key.js";
import { oldestFirst } from "../connections/connections.js";
import { compareText, type DataRow, isIn, type StoredSnapshot, type TenantState } from "../state.js";
import { countFormerVersions } from "./transaction-versions.js";

/** A page of portfolios, see `DataReader`. */
export function readPortfolios(state: TenantState, query: PortfolioQuery): DataPage {
  return readPage<PortfolioRow>(state, query, {
    product: "portfolio",
    fields: portfolioFields,
    facts: [],
    renamed: { id: (row) => row.portfolio_id, refAccount: (row) => row.ref_account },
    matches: (row) => matchesValue(row, query) && isNamed(row.name, query),
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
      isNamed(row.name, query) &&
      isIn(query.isins, row.isin) &&
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
      investment_id: (row) => row.holding_id,
      former_versions: (row) => countFormerVersions(state, row.transaction_id),
    },
    matches: (row) =>
      isNamed(row.description, query) &&
      isIn(query.isins, row.facts?.identifiers?.isin ?? null) &&
      isIn(query.kinds, row.facts?.kind ?? null) &&
      (query.holding_id === null || row.holding_id === query.holding_id) &&
      (query.start_date === null || row.operation_date >= query.start_date) &&
      (query.end_date === null || row.operation_date <= query.end_date),
    parent: { field: "investment_id", id: query.holding_id, products: ["investment", "transaction"] },
    order: (a, b) => compareText(b.operation_date, a.operation_date) || compareText(b.transaction_id, a.transaction_id),
  });
}

/** The connections of clients, see `DataReader`. */
export function connectionsOfClients(
  state: TenantState,
  {
    client_refs,
    connection_ids,
  }: { readonly client_refs: readonly string[]; readonly connection_ids: readonly Uuid[] | null },
): ClientConnections {
  return {
    unknown_clients: client_refs.filter((client_ref) => !state.clients.has(client_ref)),
    unknown_connections: connection_ids?.filter((id) => !state.connections.has(id)) ?? [],
    connection_ids: oldestFirst(state)
      .filter(({ client_ref, connection_id }) => isIn(client_refs, client_ref) && isIn(connection_ids, connection_id))
      .map(({ connection_id }) => connection_id),
  };
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
  const more = [...extraFields[reading.product], ...ofClient.fields, ...Object.keys(reading.renamed)];
  const known = [...reading.fields, ...more, ...reading.facts];
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
  const matching: Found<Row>[] = connections
    .filter((connection) => isIn(query.connection_ids, connection.connection_id))
    .flatMap((connection) => {
      const rows = (snapshots.get(connection.connection_id)?.rows ?? []) as readonly Row[];
      const client_name = state.clients.get(connection.client_ref ?? "")?.name ?? null;
      const ofConnection = readable.filter(({ connection_id }) => connection_id === connection.connection_id);
      return rows
        .filter((row) => reading.matches(row, readable))
        .map((row) => ({ row, connection, client_name, portfolio: portfolioOf(row, ofConnection) }));
    });
  const { order } = reading;
  if (order) matching.sort((a, b) => order(a.row, b.row));
  sort(matching, query);
  const start = (query.page - 1) * query.page_size;
  const page = query.totals_only ? [] : matching.slice(start, start + query.page_size);
  const asked = query.connection_ids
    ? [...new Set(query.connection_ids)].map((id) => state.connections.get(id) as ConnectionRecord)
    : connections;
  const sources = asked.map((connection) =>
    sourceOf(connection, reading.product, snapshots.get(connection.connection_id), query.now),
  );
  const days = matching.map(({ row }) => ("valuation_date" in row ? row.valuation_date : null));
  return {
    kind: "page",
    items_json: JSON.stringify(page.map((found) => itemOf(found, query, reading))),
    total: matching.length,
    totals: totalsOf(matching, query.totals_by),
    as_of: asOfOf(reading.product === "investment" ? days : sources.map(({ as_of }) => as_of)),
    sources,
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

function isNamed(name: string, { name: part }: DataQuery): boolean {
  return part === null || nameKey(name).includes(part);
}

/** Of a name the first 500 characters count. */
function nameKey(name: string): string {
  return [...searchKey(name)].slice(0, 500).join("");
}

/** A matching row with what it belongs to. */
interface Found<Row> {
  readonly row: Row;
  readonly connection: ConnectionRecord;
  readonly client_name: string | null;
  /** The portfolio that shows it. */
  readonly portfolio: { readonly id: string; readonly name: string | null };
}

function portfolioOf({ portfolio_id: id }: DataRow, readable: readonly StoredSnapshot[]) {
  const rows = readable
    .filter(({ product }) => product === "portfolio")
    .flatMap(({ rows }) => rows as readonly PortfolioRow[]);
  const shown = rows.find((row) => row.portfolio_id === id) ?? rows.find(({ parts }) => parts?.includes(id));
  return { id: shown?.portfolio_id ?? id, name: shown?.name ?? null };
}

function asOfOf(moments: readonly (string | null)[]): AsOf {
  const known = moments.filter((moment) => moment !== null).sort(compareText);
  return { oldest: known[0] ?? null, newest: known.at(-1) ?? null };
}

/** Sorts in place by `query.sort`; see `dataSorts`. */
function sort<Row extends DataRow>(matching: Found<Row>[], { sort: wanted }: DataQuery): void {
  // Rows are in the order of `-operationDate` already.
  if (wanted === null || wanted === "-operationDate") return;
  const direction = wanted.startsWith("-") ? -1 : 1;
  const idOf = ({ row, connection }: Found<Row>) => `${rowId(row)} ${connection.connection_id}`;
  const rankOf = new Map(
    totalsOf(matching, [])
      .toSorted((a, b) => nullsLast(a.balance, b.balance, (one, other) => -compareDecimals(one, other)))
      .map(({ currency }, rank) => [currency, rank]),
  );
  const byBalance = ({ row: a }: Found<Row>, { row: b }: Found<Row>) =>
    Number(isNotional(a)) - Number(isNotional(b)) ||
    Number(rankOf.get(a.currency)) - Number(rankOf.get(b.currency)) ||
    nullsLast(a.balance, b.balance, (one, other) => direction * compareDecimals(one, other));
  const sortedValue = ({ row }: Found<Row>): string | null => {
    if ("operation_date" in row) return row.operation_date;
    if (wanted.endsWith("name")) return nameKey(row.name);
    return "valuation_date" in row ? row.valuation_date : null;
  };
  const byValue = (a: Found<Row>, b: Found<Row>) =>
    nullsLast(sortedValue(a), sortedValue(b), (one, other) => direction * compareText(one, other));
  const by = wanted.endsWith("balance") ? byBalance : byValue;
  const byId = wanted === "-name" || wanted === "valuation_date" ? -1 : 1;
  matching.sort((a, b) => by(a, b) || byId * compareText(idOf(a), idOf(b)));
}

function nullsLast(a: string | null, b: string | null, compare: (a: string, b: string) => number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a, b);
}

function rowId(row: DataRow): string {
  if ("transaction_id" in row) return row.transaction_id;
  return "holding_id" in row ? row.holding_id : row.portfolio_id;
}

function isNotional(row: DataRow): boolean {
  return "is_notional" in row && row.is_notional === true;
}

function itemOf<Row extends DataRow>(
  { row, connection, client_name, portfolio }: Found<Row>,
  query: DataQuery,
  reading: Reading<Row>,
) {
  const extras: Readonly<Record<string, unknown>> = {
    bank: connection.bank,
    client_ref: connection.client_ref,
    client_name,
    portfolio_id: portfolio.id,
  };
  const item: Record<string, unknown> = {};
  const facts: Readonly<Record<string, unknown>> = ("facts" in row && row.facts) || {};
  for (const field of query.fields) {
    if (reading.facts.includes(field)) item[field] = facts[field] ?? null;
    else if (reading.renamed[field]) item[field] = reading.renamed[field](row);
    else if (field in extras) item[field] = extras[field];
    else item[field] = (row as unknown as Record<string, unknown>)[field];
  }
  if (query.with_facts && query.fields.join() === reading.fields.join()) Object.assign(item, facts);
  if (query.include_source_token) item.credentials_token = connection.connection_id;
  return item;
}

/** Totals of the groups of rows, in order of currency and then of the groups' names; what is not known comes last. */
function totalsOf(matching: readonly Found<DataRow>[], groups: readonly DataGroup[]): readonly CurrencyTotal[] {
  const found = new Map<string, { head: Pick<CurrencyTotal, "currency" | DataGroup>; rows: DataRow[] }>();
  for (const one of matching) {
    const head = {
      currency: one.row.currency,
      ...Object.fromEntries(groups.map((group) => [group, groupOf(one, group)])),
    };
    const name = JSON.stringify(head);
    const rows = found.get(name)?.rows ?? [];
    found.set(name, { head, rows: [...rows, one.row] });
  }
  const names = ({ head }: { readonly head: object }) =>
    Object.values(head).map((part) => (typeof part === "object" && part !== null ? part.id : part));
  return [...found.values()]
    .sort((a, b) => compareNames(names(a), names(b)))
    .map(({ head, rows }) => ({ ...head, ...totalOf(rows) }));
}

function compareNames(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [index, name] of a.entries()) {
    const order = nullsLast(name, b[index] ?? null, compareText);
    if (order !== 0) return order;
  }
  return 0;
}

function groupOf({ row, connection, portfolio }: Found<DataRow>, group: DataGroup) {
  if (group === "bank") return connection.bank;
  if (group === "client_ref") return connection.client_ref;
  if (group === "portfolio") return portfolio;
  if (group === "kind") return ("operation_date" in row && row.facts?.kind) || null;
  return ((row as unknown as Record<string, unknown>)[group] as string | null | undefined) ?? null;
}

function totalOf(rows: readonly DataRow[]): Omit<CurrencyTotal, "currency" | DataGroup> {
  const without = rows.filter(({ balance }) => balance === null).length;
  const notional = rows.filter((row) => isNotional(row));
  const balances = rows.flatMap((row) => (isNotional(row) ? [] : (row.balance ?? [])));
  return {
    balance: balances.length === 0 ? null : balances.reduce((sum, balance) => addDecimals(sum, balance), "0"),
    rows: rows.length,
    ...(without > 0 && { rows_without_balance: without }),
    ...(notional.length > 0 && { rows_notional: notional.length }),
  };
}

function sourceOf(
  connection: ConnectionRecord,
  product: Product,
  snapshot: StoredSnapshot | undefined,
  now: Date,
): SourceState {
  const { pending, errored } = connection.status;
  const failed = product === "transaction" ? errored.transaction.investment : errored.product[product];
  return {
    credentials_token: connection.connection_id,
    bank: connection.bank,
    as_of: snapshot?.as_of.toISOString() ?? null,
    pending,
    blocked: evaluateRelogin(connection.status).needs_relogin,
    errored: failed || errored.product.auth,
    is_overdue: (snapshot?.stale_at ?? now) < now,
  };
}
