import type { HoldingSubtype, HoldingType, LeftOut, PortfolioType } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import type { HoldingFacts, TransactionFacts } from "./rows.js";

/** The three products of a snapshot; each is swapped by itself, so that a failed one keeps its last good data. */
export const products = ["portfolio", "investment", "transaction"] as const;
export type Product = (typeof products)[number];

/** Rows as stored. Ids are stable from snapshot to snapshot; the order of the lists is the bank's own. */
export interface PortfolioRow {
  readonly portfolio_id: string;
  readonly name: string;
  readonly balance: string | null;
  readonly currency: string;
  readonly ref_account: string | null;
  readonly type: PortfolioType;
  /** Ids of accounts whose holdings are shown in it beside its own; never empty. */
  readonly parts?: readonly string[];
}
export interface HoldingRow {
  readonly holding_id: string;
  /** The account that holds it: the portfolio that shows it has this id, or names it among its `parts`. */
  readonly portfolio_id: string;
  readonly name: string;
  readonly isin: string | null;
  readonly amount: string | null;
  readonly balance: string | null;
  readonly currency: string;
  readonly valuation_date: string | null;
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
  /** The balance is the notional of a contract, and part of no total. */
  readonly is_notional?: boolean;
  /** Only those that are known; left out: none is. */
  readonly facts?: HoldingFacts;
}
export interface TransactionRow {
  readonly transaction_id: string;
  readonly portfolio_id: string;
  readonly holding_id: string | null;
  readonly operation_date: string;
  readonly description: string;
  readonly amount: string | null;
  readonly balance: string | null;
  readonly currency: string;
  readonly unit_price: string | null;
  readonly facts?: TransactionFacts;
  /** Not stored: the id that it gets where another transaction has `transaction_id`. */
  readonly another_id?: string;
}

/** One delivery of data for a connection. A product left out keeps what it has. Many rows come in slices, made while they are stored. */
export interface Publication {
  readonly connection_id: Uuid;
  /** When the bank's data was read or stated. */
  readonly as_of: Date;
  /** Now: from when an old snapshot counts as replaced. */
  readonly published_at: Date;
  readonly portfolios?: readonly PortfolioRow[];
  readonly holdings?: readonly HoldingRow[] | AsyncIterable<readonly HoldingRow[]>;
  /**
   * Only the portfolios given here were stated: portfolios and holdings of others stay as they are, and the snapshot is as of the
   * latest of both. Left out: what is given is everything.
   */
  readonly partial?: true;
  /** Of a partial publication: the accounts whose holdings are given; left out: those of the portfolios. */
  readonly accounts?: readonly string[];
  /** Of a partial publication: portfolios that are not shown any more; their holdings stay. */
  readonly hidden?: readonly string[];
  /**
   * Added to the history. A list is what a provider says now: a row whose `transaction_id` is there is replaced where it says anything
   * else. Of slices, each says what becomes of such rows, and may depend on what became of the ones before.
   */
  readonly transactions?: readonly TransactionRow[] | AsyncIterable<TransactionSlice>;
  /**
   * Digest of `transactions`, which only equal lists share; kept with the snapshot. A connection whose latest snapshot has it has all of
   * them, and no row needs to be looked at.
   */
  readonly digest?: string;
  /** The digest of the latest snapshot when the bank was asked; left out or null: none is known. */
  readonly known_digest?: string | null;
}

/** The latest snapshot of a product. */
export interface LatestSnapshot {
  /** As of when it was stated. */
  readonly as_of: Date;
  /** As it was published; null where it was published without one. */
  readonly digest: string | null;
}

/** Some of the transactions of a publication. */
export interface TransactionSlice {
  readonly transactions: readonly TransactionRow[];
  /**
   * Ids of transactions that go before `transactions` are added, among which they may be again, as they are now. Readers of earlier
   * revisions see them as they were; what an earlier slice of the same publication added just goes.
   */
  readonly withdrawn: readonly string[];
  /** Rows whose `transaction_id` is there are replaced where they say anything else; left out: they stay as they are. */
  readonly replaces?: true;
  /** Called once the slice is stored, with what became of its rows; those that are left were there. */
  readonly onStored?: (counts: StoredCounts) => void;
}

/** What became of the rows of a slice. */
export interface StoredCounts {
  readonly added: number;
  /** Rows that replaced one with the same id. */
  readonly corrected: number;
  /** Rows that were there and went. */
  readonly withdrawn: number;
}

/** What a publication came to. */
export interface Published {
  /** The tenant's new revision. */
  readonly revision: string;
  /** Products whose rows are others than before, whatever their order, in the order of {@link products}. */
  readonly changed: readonly Product[];
}

/** A custodian file that was taken. */
export interface FeedFile {
  readonly connection_id: Uuid;
  /** SHA-256 of the bytes, hex */
  readonly sha256: string;
  readonly name: string;
  readonly format: string;
  readonly taken_at: Date;
  /** Movements that could not be read; left out: none. */
  readonly left_out?: readonly LeftOut[];
}

/** Snapshots of one tenant. Each publication gets the tenant's next revision; readers can stay on an earlier one for a while. */
export interface SnapshotStore {
  /** Replaces portfolios and holdings, extends transactions, keeps counts and sums per currency. */
  publish(publication: Publication): Promise<Published>;
  /**
   * Notes that a file came for a connection or letter, before anything else is done with it. Returns its place in the order of
   * arrival: files that came later have larger numbers, over all replicas. Bytes that came before, within a week, keep their number.
   * @param sha256 of the bytes, hex
   */
  noteArrival(targetId: Uuid, sha256: string): Promise<number>;
  /** Null when there is none. */
  latest(connectionId: Uuid, product: Product): Promise<LatestSnapshot | null>;
  /** Notes a file as taken. False, changing nothing, when these bytes were taken for this connection before. */
  noteFile(file: FeedFile): Promise<boolean>;
  /** When the latest file was taken for this connection; null when none was. */
  latestFile(connectionId: Uuid): Promise<Date | null>;
}
