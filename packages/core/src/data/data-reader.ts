import type { Uuid } from "../schemas/identifier.js";
import type { CurrencyTotal } from "./rows.js";

/** What every data read takes. */
export interface DataQuery {
  /** Connections to read, null = all of the tenant. */
  readonly connection_ids: readonly Uuid[] | null;
  readonly page: number;
  readonly page_size: number;
  /** Item fields and facts to answer, in the order given; a fact that is not known is null. */
  readonly fields: readonly string[];
  /** Where `fields` are all of the item's: adds the facts that are known. */
  readonly with_facts: boolean;
  /** Adds `credentials_token` to every item. */
  readonly include_source_token: boolean;
  /** Read as of this revision of the tenant; null = the latest. */
  readonly revision: string | null;
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
}
export interface TransactionQuery extends DataQuery {
  readonly holding_id: Uuid | null;
  /** `YYYY-MM-DD`, both ends inclusive. */
  readonly start_date: string | null;
  readonly end_date: string | null;
}

/** How one connection stands for the product that was read. */
export interface SourceState {
  readonly credentials_token: string;
  readonly bank: string;
  /** RFC 3339 (UTC, milliseconds) of the product's snapshot; null when there is none. */
  readonly as_of: string | null;
  readonly pending: boolean;
  readonly blocked: boolean;
  /** The last extraction of this product, or the login itself, failed. */
  readonly errored: boolean;
}

/** A page over all of a tenant's connections lists each of them when they are no more than this. */
export const MAX_LISTED_SOURCES = 100;

/** One page of rows, or why there is none. */
export type DataPage =
  | {
      readonly kind: "page";
      /** JSON array text of the items, fields in the asked order. Decimals are JSON strings, exact. */
      readonly items_json: string;
      readonly total: number;
      /** By currency code, over all matching rows; rows without a balance add nothing. */
      readonly totals: readonly CurrencyTotal[];
      /** One per connection asked for, in the order asked, or oldest first when all are. */
      readonly sources: readonly SourceState[];
      /**
       * Connections that were read, have data and are neither blocked nor errored, and are not in `sources`. 0 unless all of a tenant
       * are read that has more than {@link MAX_LISTED_SOURCES}.
       */
      readonly unlisted: number;
      readonly revision: string;
    }
  | {
      readonly kind: "unknown";
      readonly field: "credentials_token" | "portfolio_id" | "investment_id";
      readonly ids: readonly string[];
    }
  /** The revision asked for was pruned, or never was. */
  | { readonly kind: "revision_gone" };

/**
 * Reads of the data tools. Orders: portfolios and holdings by connection (oldest first) and then as the bank lists them;
 * transactions newest first (`operation_date` descending, then `transaction_id` descending).
 */
export interface DataReader {
  portfolios(tenantId: string, query: PortfolioQuery): Promise<DataPage>;
  holdings(tenantId: string, query: HoldingQuery): Promise<DataPage>;
  transactions(tenantId: string, query: TransactionQuery): Promise<DataPage>;
}
