import type { Uuid } from "../schemas/identifier.js";
import type { AsOf, CurrencyTotal, DataGroup, DataSort } from "./rows.js";

/** Arguments of every data read. */
export interface DataQuery {
  /** Connections to read; null = all of the tenant. */
  readonly connection_ids: readonly Uuid[] | null;
  readonly page: number;
  readonly page_size: number;
  /** Item fields, extras and facts to return, in this order; what is not known is null. */
  readonly fields: readonly string[];
  /** Adds the known facts to every item. Applies only if `fields` names exactly the item's own fields. */
  readonly with_facts: boolean;
  /** Adds `credentials_token` to every item. */
  readonly include_source_token: boolean;
  /** Read as of this revision of the tenant; null = the latest. */
  readonly revision: string | null;
  /** Part of the name, or of the description of a transaction, as `searchKey` makes it; null = any. */
  readonly name: string | null;
  /** Null = the order described at {@link DataReader}. */
  readonly sort: DataSort | null;
  /** At most two; empty = totals by currency alone. */
  readonly totals_by: readonly DataGroup[];
  /** Answers no items. */
  readonly totals_only: boolean;
  /** The current time: connections whose data are older than they usually are, are stale. */
  readonly now: Date;
}
export interface PortfolioQuery extends DataQuery {
  /** Upper-case codes; null = any. The same holds for all lists below. */
  readonly currencies: readonly string[] | null;
  readonly types: readonly string[] | null;
  /** Inclusive decimal. Rows without a balance do not match. */
  readonly min_balance: string | null;
}
export interface HoldingQuery extends PortfolioQuery {
  readonly portfolio_id: Uuid | null;
  readonly subtypes: readonly string[] | null;
  /** Upper case. */
  readonly isins: readonly string[] | null;
}
export interface TransactionQuery extends DataQuery {
  readonly holding_id: Uuid | null;
  /** Upper case; compared with the identifiers of the transaction. */
  readonly isins: readonly string[] | null;
  /** Codes of `transactionKinds`, as they are there. */
  readonly kinds: readonly string[] | null;
  /** `YYYY-MM-DD`, both ends inclusive. */
  readonly start_date: string | null;
  readonly end_date: string | null;
}

/** State of one connection for the product that was read. */
export interface SourceState {
  readonly credentials_token: string;
  readonly bank: string;
  /** Time of the product's snapshot (RFC 3339, UTC, milliseconds); null when there is none. */
  readonly as_of: string | null;
  readonly pending: boolean;
  /** No data come until somebody acts: `evaluateRelogin` answers true. */
  readonly blocked: boolean;
  /** The last extraction of this product, or the login itself, failed. */
  readonly errored: boolean;
  /** The product's snapshot is older than it usually gets: the `stale_at` of its publication has passed. */
  readonly is_overdue: boolean;
}

/** A read over all of a tenant's connections lists each of them only if the tenant has at most this many. */
export const MAX_LISTED_SOURCES = 100;

/** One page of rows, or why there is none. */
export type DataPage =
  | {
      readonly kind: "page";
      /** The items as JSON array text, with their fields in the requested order. Decimals are exact JSON strings. */
      readonly items_json: string;
      readonly total: number;
      /** By currency code, over all matching rows; rows without a balance add nothing. */
      readonly totals: readonly CurrencyTotal[];
      readonly as_of: AsOf;
      /** One per requested connection, in the order of the request; oldest first if all connections are read. */
      readonly sources: readonly SourceState[];
      /**
       * Number of connections that were read but are not in `sources`; they have data and are neither blocked, errored nor overdue. 0 unless the
       * read covers all connections of a tenant that has more than {@link MAX_LISTED_SOURCES}.
       */
      readonly unlisted: number;
      readonly revision: string;
    }
  | {
      readonly kind: "unknown";
      readonly field: "credentials_token" | "portfolio_id" | "investment_id";
      readonly ids: readonly string[];
    }
  /** The requested revision was pruned or never existed. */
  | { readonly kind: "revision_gone" };

/** The connections of clients. */
export interface ClientConnections {
  /** References that no client has. */
  readonly unknown_clients: readonly string[];
  /** Ids that no connection of the tenant has. */
  readonly unknown_connections: readonly string[];
  /** Oldest first. */
  readonly connection_ids: readonly Uuid[];
}

/**
 * Reads behind the data tools. Portfolios and holdings are ordered by connection (oldest first) and then as the bank lists them;
 * transactions come newest first (`operation_date` descending, then `transaction_id` descending).
 */
export interface DataReader {
  portfolios(tenantId: string, query: PortfolioQuery): Promise<DataPage>;
  holdings(tenantId: string, query: HoldingQuery): Promise<DataPage>;
  transactions(tenantId: string, query: TransactionQuery): Promise<DataPage>;
  /**
   * One transaction as it is now, if it is, and its former versions, the latest first: a JSON array of rows with `ofVersions.shown`, of
   * which `ended_at` and `ended_by` are null for what is there now, and empty where no version is kept. Null if there is no such connection.
   */
  transactionVersions(tenantId: string, connectionId: Uuid, transactionId: Uuid): Promise<string | null>;
  /** Finds the connections of clients. @param connectionIds only those among these; null = all */
  connectionsOf(
    tenantId: string,
    clientRefs: readonly string[],
    connectionIds: readonly Uuid[] | null,
  ): Promise<ClientConnections>;
}
