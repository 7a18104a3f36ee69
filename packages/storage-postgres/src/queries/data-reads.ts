import {
  type DataPage,
  type DataQuery,
  type DataReader,
  extraFields,
  holdingFacts,
  holdingFields,
  MAX_LISTED_SOURCES,
  ofClient,
  ofVersions,
  portfolioFields,
  transactionFacts,
  transactionFields,
  type Uuid,
} from "@org/core";
import type { Transactions } from "../transactions.js";
import { type DataPart, type Parent, pageOfParts } from "./data-page.js";

/** {@link DataReader}: each read is one prepared statement that calls a function of sql/0006_data_reads.sql. */
export function dataReader(transactions: Transactions): DataReader {
  /**
   * Tenants that had more connections than are listed: counts may be stored for them. For smaller tenants, checking would cost more than it
   * saves.
   */
  const large = new Set<string>();
  const read = (tenantId: string, query: DataQuery, reading: Reading): Promise<DataPage> => {
    if (query.revision !== null && !revisionNumber.test(query.revision))
      return Promise.resolve({ kind: "revision_gone" });
    const asked = query.connection_ids && [...new Set(query.connection_ids)];
    return transactions
      .read<DataPart>(tenantId, statementOf(tenantId, query, reading, asked, large.has(tenantId)))
      .then((parts) => {
        const page = pageOfParts(parts, asked, query.revision, reading.parent, query.totals_by);
        if (asked === null && page.kind === "page" && page.sources.length > MAX_LISTED_SOURCES) large.add(tenantId);
        return page;
      });
  };
  return {
    portfolios: (tenantId, query) =>
      read(tenantId, query, {
        product: "portfolios",
        fields: portfolioFields,
        others: [...extraFields.portfolio, ...ofClient.fields],
        filters: [query.currencies, query.types, query.min_balance, query.name],
        parent: null,
      }),
    holdings: (tenantId, query) =>
      read(tenantId, query, {
        product: "holdings",
        fields: holdingFields,
        others: [...extraFields.investment, ...ofClient.fields, ...holdingFacts],
        filters: [
          query.portfolio_id,
          query.currencies,
          query.types,
          query.subtypes,
          query.min_balance,
          query.name,
          query.isins,
        ],
        parent: query.portfolio_id === null ? null : { field: "portfolio_id", id: query.portfolio_id },
      }),
    transactions: (tenantId, query) =>
      read(tenantId, query, {
        product: "transactions",
        fields: transactionFields,
        others: [...extraFields.transaction, ...ofClient.fields, ...ofVersions.fields, ...transactionFacts],
        filters: [query.holding_id, query.start_date, query.end_date, query.name, query.isins, query.kinds],
        parent: query.holding_id === null ? null : { field: "investment_id", id: query.holding_id },
      }),
    transactionVersions: (tenantId, connectionId, transactionId) =>
      transactions
        .read<[versions: string | null]>(tenantId, {
          name: "read_transaction_versions",
          text: "select read_transaction_versions($1, $2, $3, $4)",
          values: [tenantId, connectionId, transactionId, ofVersions.shown],
          rowMode: "array",
        })
        .then(([found]) => found?.[0] ?? null),
    connectionsOf: (tenantId, clientRefs, connectionIds) =>
      transactions
        .read<[unknownClients: string[], unknownConnections: string[], connectionIds: Uuid[]]>(tenantId, {
          name: "connections_of_clients",
          text: "select * from connections_of_clients($1, $2, $3)",
          values: [tenantId, clientRefs, connectionIds],
          rowMode: "array",
        })
        .then(([found]) => {
          const [unknown_clients = [], unknown_connections = [], connection_ids = []] = found ?? [];
          return { unknown_clients, unknown_connections, connection_ids };
        }),
  };
}

interface Reading {
  /** The last part of the names of the functions. */
  readonly product: "portfolios" | "holdings" | "transactions";
  /** All fields of a stored item. */
  readonly fields: readonly string[];
  /** Extra fields, and facts that may be known. */
  readonly others: readonly string[];
  /** The last parameters of `search_…`; null = lets everything pass. */
  readonly filters: readonly unknown[];
  readonly parent: Parent | null;
}

/** @param asked the requested connections, null = all of the tenant */
function statementOf(
  tenantId: string,
  query: DataQuery,
  reading: Reading,
  asked: readonly string[] | null,
  isLarge: boolean,
) {
  // The default order of transactions.
  const sort = query.sort === "-operationDate" ? null : query.sort;
  const isWhole = query.totals_by.length === 0 && reading.filters.every((filter) => filter === null);
  const isAll = isWhole && asked === null && (sort !== null || isLarge);
  const isSearch = !isAll && (sort !== null || !isWhole);
  const { page, page_size, totals_only } = query;
  const values = [
    tenantId,
    ...(isAll ? [] : [asked]),
    query.revision,
    ...(totals_only ? [0, 0] : [(page - 1) * page_size, page_size]),
    pickedFields(query, reading),
    query.include_source_token,
    query.now.toISOString(),
    ...(isSearch || sort !== null ? [sort] : []),
    ...(isSearch ? [query.totals_by, ...reading.filters] : []),
  ];
  const read = isAll ? `read_${sort === null ? "all" : "sorted"}` : "read";
  const name = `${isSearch ? "search" : read}_${reading.product}`;
  const text = `select * from ${name}(${values.map((_, i) => `$${i + 1}`).join(", ")})`;
  return { name, text, values, rowMode: "array" as const };
}

/** Matches revisions as the reader writes them, within a bigint; anything else is not a revision. */
const revisionNumber = /^(0|[1-9]\d{0,17})$/;

/** Null if items are requested as stored, empty if requested with all their facts. */
function pickedFields({ fields, with_facts }: DataQuery, known: Reading): readonly string[] | null {
  const strange = fields.find((field) => !known.fields.includes(field) && !known.others.includes(field));
  if (strange !== undefined) throw new Error(`items have no field ${strange}`);
  const isWhole = fields === known.fields || fields.join() === known.fields.join();
  if (isWhole && with_facts) return [];
  return isWhole ? null : fields;
}
