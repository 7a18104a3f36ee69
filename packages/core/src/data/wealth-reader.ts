import type { ConnectionFacts } from "@org/wealth";
import type { Uuid } from "../schemas/identifier.js";

/** Which facts a question needs. A valuation has a value if it states a balance or all of its holdings are worth something. Days are `YYYY-MM-DD`, both ends inclusive. */
export interface WealthQuery {
  /** Null = all of the tenant. */
  readonly connection_ids: readonly Uuid[] | null;
  /** Valuations of these days, the last one before them that has a value, and the first one ever. */
  readonly from: string;
  readonly to: string;
  /**
   * Instead of all valuations of the period the ones that count at the close of these days alone, ascending, the last one `to`; where none counts at
   * the first of them, also the first one ever, if it has no value or is later. Without holdings, what they are worth is told only where no balance is
   * stated. Movements are those of the days from `from` to `to`, and no differences.
   */
  readonly closes?: readonly string[];
  /**
   * Movements that may count in the period and until when they were read, whether depots ever had income, when each valuation was read, and
   * differences found in the period.
   */
  readonly with_movements: boolean;
  /** Of no valuation, or of all that are read the holdings, or at the close of one day what they are worth by type and currency. */
  readonly holdings: "none" | "sums" | "all";
}

/** Which facts are counted. */
export interface SizeQuery extends WealthQuery {
  /** Only connections that may have one of these portfolios; null = all. */
  readonly portfolio_ids: readonly Uuid[] | null;
}

/** A connection with how many valuations and movements of it a question reads, about. */
export interface ConnectionSize {
  readonly connection_id: Uuid;
  readonly rows: number;
}

/** Reads what figures are computed from. */
export interface WealthReader {
  /**
   * Connections in the order of their creation; ids that do not exist are left out. Movements are those up to `to` that were made or first read
   * after the last valuations before `from`: what was made or read earlier is in those valuations.
   */
  facts(tenantId: string, query: WealthQuery): Promise<readonly ConnectionFacts[]>;
  /** How large the facts of a query are, in the same order. */
  sizes(tenantId: string, query: SizeQuery): Promise<readonly ConnectionSize[]>;
}
