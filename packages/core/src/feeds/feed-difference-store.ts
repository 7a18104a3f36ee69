import type { LeftOut } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";

/** Two statements of an account that follow each other. Days are `YYYY-MM-DD`. */
export interface StatementPair {
  readonly portfolio_id: string;
  readonly from_day: string;
  readonly to_day: string;
}

/** A holding whose units of one day and the movements since are not its units of the next day stated. Numbers are decimal strings. */
export interface PositionDifference extends StatementPair {
  readonly holding_id: string;
  readonly name: string;
  readonly isin: string | null;
  readonly before: string;
  /** Of movements after the one day and up to the other, by the day that they were made. */
  readonly moved: string;
  readonly stated: string;
}

/** Business days between two statements for which none has come. */
export interface FeedGap extends StatementPair {
  readonly days: readonly string[];
}

/** What was found when statements of one tenant's accounts were compared. */
export interface FeedDifferenceStore {
  /** The latest statement of accounts and the one before it; none for an account of which there is no such pair. */
  pairs(connectionId: Uuid, portfolioIds: readonly string[]): Promise<readonly StatementPair[]>;
  /**
   * Compares the latest pair of each account, holding by holding, with the movements between, counted by the day they were made or by
   * the day they were settled: where one of both explains it there is no difference. So are differences that were found before and
   * stand still. Only securities with units, and in a cash account its cash. At most `limit`, newest first.
   */
  compare(connectionId: Uuid, portfolioIds: readonly string[], limit: number): Promise<readonly PositionDifference[]>;
  /** Keeps what was found in these accounts in the place of what was found before, and of the connection no more than `limit`, the newest. */
  keep(
    connectionId: Uuid,
    portfolioIds: readonly string[],
    found: readonly PositionDifference[],
    at: { readonly now: Date; readonly limit: number },
  ): Promise<void>;
  /** Keeps gaps that are not known yet. */
  storeGaps(connectionId: Uuid, gaps: readonly FeedGap[], now: Date): Promise<void>;
  /** Takes days for which a statement came after all out of the gaps. */
  fillGaps(connectionId: Uuid, days: readonly { readonly portfolio_id: string; readonly day: string }[]): Promise<void>;
  /** Newest first. */
  list(
    connectionId: Uuid,
    limit: number,
  ): Promise<{
    readonly differences: readonly (PositionDifference & { readonly found_at: Date })[];
    readonly gaps: readonly (FeedGap & { readonly found_at: Date })[];
    /** Movements of files that could not be read; `file` is the file's name. */
    readonly left_out: readonly (LeftOut & { readonly file: string })[];
  }>;
}
