import type { ConnectionFacts } from "@org/wealth";
import type { Uuid } from "../schemas/identifier.js";

/** Which facts a question needs. Days are `YYYY-MM-DD`, both ends inclusive. */
export interface WealthQuery {
  /** Null = all of the tenant. */
  readonly connection_ids: readonly Uuid[] | null;
  /** Valuations of these days, the last one before them that has a value, and the first one ever. */
  readonly from: string;
  readonly to: string;
  /** Movements that may count in the period, and differences found in it. */
  readonly with_movements: boolean;
  /** Holdings of no valuation, of the last one of each account up to `to` that has a value, or of all. */
  readonly holdings: "none" | "last" | "all";
}

/** Reads what figures are computed from. */
export interface WealthReader {
  /**
   * Connections in the order of their creation; ids that do not exist are left out. Movements are those up to `to` that were made or first read
   * after the last valuations before `from`: what was made or read earlier is in those valuations.
   */
  facts(tenantId: string, query: WealthQuery): Promise<readonly ConnectionFacts[]>;
}
