import type { LeftOut } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";

/** Two statements of an account in files, between which there is no other. Days are `YYYY-MM-DD`. */
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
  /**
   * The pairs of statements that end or begin on the stated days, or between which a movement of these accounts has come, changed or gone.
   * @param stated `day` null = the movements of the account alone are
   * @param published from which revision on, and when
   */
  pairs(
    connectionId: Uuid,
    stated: readonly { readonly portfolio_id: string; readonly day: string | null }[],
    published: { readonly revision: string; readonly now: Date },
  ): Promise<readonly StatementPair[]>;
  /**
   * Compares the statements of each pair, holding by holding, with the movements between them. Movements are counted by the day they were made
   * and by the day they were settled; if either explains the change, there is no difference. Only securities with units are compared, and the
   * cash of cash accounts. At most `limit`, newest first.
   */
  compare(connectionId: Uuid, pairs: readonly StatementPair[], limit: number): Promise<readonly PositionDifference[]>;
  /** Replaces the stored differences of these pairs by `found`, and keeps at most `limit` of the connection, the newest. */
  keep(
    connectionId: Uuid,
    pairs: readonly StatementPair[],
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
