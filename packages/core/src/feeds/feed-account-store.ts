import type { PortfolioRow } from "../data/snapshot-store.js";
import type { Uuid } from "../schemas/identifier.js";

/** An account as its custodian states it, by itself. Its id is that of the portfolio that it is where it is shown by itself. */
export interface FeedAccount extends Omit<PortfolioRow, "parts"> {
  /** As the custodian writes it. */
  readonly number: string;
  /** May be shown within the portfolio of another account. */
  readonly is_cash: boolean;
  /** As of when it was stated last; the epoch where files have told movements only. */
  readonly as_of: Date;
}

/** Who says within which portfolio an account is shown; the first has the last word. */
export const linkOrigins = ["operator", "letter", "rule"] as const;

/** Within which portfolio accounts of a number are shown. Numbers are compared by letters and digits only, and kept so. */
export interface AccountLink {
  readonly account: string;
  /** Number of the account whose portfolio it is; null = an operator says that the account is a portfolio of its own. */
  readonly portfolio: string | null;
  readonly origin: (typeof linkOrigins)[number];
}

/**
 * Accounts of custodians' files, of one tenant. Until the end of a transaction that claims or lists some, nobody else does so for this
 * tenant, nor publishes.
 */
export interface FeedAccountStore {
  /**
   * Notes what a file states of accounts. Returns the ids of those of which nothing later is known: nothing as of a later moment, nor as
   * of the same one by a file with a larger number of {@link SnapshotStore.noteArrival}. The others stay as they are.
   */
  claim(connectionId: Uuid, stated: readonly FeedAccount[], arrival: number): Promise<ReadonlySet<string>>;
  /** Every account that a file has told of, by number and currency. */
  list(connectionId: Uuid): Promise<readonly FeedAccount[]>;
  /** By number. */
  links(connectionId: Uuid): Promise<readonly AccountLink[]>;
  /** Keeps these links of a connection, and no others. */
  storeLinks(connectionId: Uuid, links: readonly AccountLink[]): Promise<void>;
}
