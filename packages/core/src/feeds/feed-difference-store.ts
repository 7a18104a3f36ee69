import type { LeftOut } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";

/** Two consecutive statements of an account. Days are `YYYY-MM-DD`. */
export interface StatementPair {
  readonly portfolio_id: string;
  readonly from_day: string;
  readonly to_day: string;
}

/**
 * A holding whose units in one statement plus the movements since do not make its units in the next statement. Numbers are decimal strings.
 */
export interface PositionDifference extends StatementPair {
  readonly holding_id: string;
  readonly name: string;
  readonly isin: string | null;
  readonly before: string;
  /** Sum of the movements after `from_day` and up to `to_day`, by the day they were made. */
  readonly moved: string;
  readonly stated: string;
}

/** Business days between two statements for which no statement has come. */
export interface FeedGap extends StatementPair {
  readonly days: readonly string[];
}

/** The results of comparing the statements of one tenant's accounts. */
export interface FeedDifferenceStore {
  /** The latest two statements of each account; accounts with fewer are left out. */
  pairs(connectionId: Uuid, portfolioIds: readonly string[]): Promise<readonly StatementPair[]>;
  /**
   * Compares the latest two statements of each account, holding by holding, with the movements between them. Movements are counted by the
   * day they were made and by the day they were settled; if either explains the change, there is no difference. Differences that were
   * stored before are compared again in the same way. Only securities with units are compared, and the cash of cash accounts. At most
   * `limit`, newest first.
   */
  compare(connectionId: Uuid, portfolioIds: readonly string[], limit: number): Promise<readonly PositionDifference[]>;
  /** Replaces the stored differences of these accounts by `found`, and keeps at most `limit` of the connection, the newest. */
  keep(
    connectionId: Uuid,
    portfolioIds: readonly string[],
    found: readonly PositionDifference[],
    at: { readonly now: Date; readonly limit: number },
  ): Promise<void>;
  /** Stores gaps that are not stored yet. */
  storeGaps(connectionId: Uuid, gaps: readonly FeedGap[], now: Date): Promise<void>;
  /** Removes days from the gaps for which a statement came after all. */
  fillGaps(connectionId: Uuid, days: readonly { readonly portfolio_id: string; readonly day: string }[]): Promise<void>;
  /** Newest first. */
  list(
    connectionId: Uuid,
    limit: number,
  ): Promise<{
    readonly differences: readonly (PositionDifference & { readonly found_at: Date })[];
    readonly gaps: readonly (FeedGap & { readonly found_at: Date })[];
    /** Movements that could not be read; `file` is the name of their file. */
    readonly left_out: readonly (LeftOut & { readonly file: string })[];
  }>;
}
