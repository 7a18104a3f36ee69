import type { PortfolioRow } from "../data/snapshot-store.js";
import type { Uuid } from "../schemas/identifier.js";

/** An account as its custodian states it. Its id is that of the portfolio that shows it when no other portfolio does. */
export interface FeedAccount extends Omit<PortfolioRow, "parts"> {
  /** As the custodian writes it. */
  readonly number: string;
  /** A cash account: it may be shown within the portfolio of another account. */
  readonly is_cash: boolean;
  /** The date of its latest statement; the epoch if files have had only movements of it. */
  readonly as_of: Date;
}

/** Who decides which portfolio shows an account; the first has precedence. */
export const linkOrigins = ["operator", "letter", "rule"] as const;

/** The portfolio that shows the accounts with a number. Numbers are stored and compared as letters and digits only. */
export interface AccountLink {
  readonly account: string;
  /** Number of the account whose portfolio that is; null = an operator decided that the account is a portfolio of its own. */
  readonly portfolio: string | null;
  readonly origin: (typeof linkOrigins)[number];
}

/**
 * Accounts in custodians' files, of one tenant. A transaction that claims or lists accounts keeps others of this tenant from doing so, and
 * from publishing, until it ends.
 */
export interface FeedAccountStore {
  /**
   * Stores what a file states about accounts, and returns the ids of the accounts whose latest statement this is. An account stays as it is
   * if another file stated it as of a later time, or as of the same time with a larger number of {@link SnapshotStore.noteArrival}.
   */
  claim(connectionId: Uuid, stated: readonly FeedAccount[], arrival: number): Promise<ReadonlySet<string>>;
  /** Every account that a file has stated, ordered by number and currency. */
  list(connectionId: Uuid): Promise<readonly FeedAccount[]>;
  /** Ordered by account number. */
  links(connectionId: Uuid): Promise<readonly AccountLink[]>;
  /** Replaces all links of a connection by these. */
  storeLinks(connectionId: Uuid, links: readonly AccountLink[]): Promise<void>;
}
