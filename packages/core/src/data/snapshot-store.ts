import type { HoldingSubtype, HoldingType, LeftOut, Placed, PortfolioType } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import type { KnownHoldingFacts, TransactionFacts } from "./rows.js";

/** The three products of a snapshot. Each is replaced separately, so that a product that failed keeps its last good data. */
export const products = ["portfolio", "investment", "transaction"] as const;
export type Product = (typeof products)[number];

/**
 * Rows as stored, but for their place in the file. Ids are stable from snapshot to snapshot; the order of the lists is the bank's own.
 */
export interface PortfolioRow extends Placed {
  readonly portfolio_id: string;
  readonly name: string;
  readonly balance: string | null;
  readonly currency: string;
  readonly ref_account: string | null;
  readonly type: PortfolioType;
  /** Ids of the accounts whose holdings this portfolio shows besides its own; never empty. */
  readonly parts?: readonly string[];
}
export interface HoldingRow extends Placed {
  readonly holding_id: string;
  /** The account that holds it. The portfolio that shows it has this id or lists it in `parts`. */
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
  /** Only known facts; absent if none is known. */
  readonly facts?: KnownHoldingFacts;
}
export interface TransactionRow extends Placed {
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
  /** The id to store instead if another transaction already has `transaction_id`; not stored itself. */
  readonly another_id?: string;
}

/** Where a valuation comes from. */
export type ValuationSource =
  | {
      readonly kind: "provider";
      readonly provider: string;
      /** The version of this software that read it. */
      readonly version?: string;
    }
  | {
      readonly kind: "file";
      /** SHA-256 of the file, or of its part, in hex. */
      readonly sha256: string;
      readonly name: string;
      /** The path of the part in the file; null = the file is no container. */
      readonly part: string | null;
      readonly format: string;
      /** Of a mapping a digest of its text, otherwise the version of this software that read it. */
      readonly format_version?: string;
    };

/** What an account is worth on a day, as its source states it. */
export interface StatedValuation extends Omit<PortfolioRow, "parts"> {
  readonly is_cash: boolean;
  /** `YYYY-MM-DD`, the day that it is of. */
  readonly day: string;
  /** The moment that the source states. Of one day, what was stated as of a later moment counts, then what came later. */
  readonly as_of: Date;
  /** `shown` = those that this account has in the connection's current snapshot; null = the source lists none, not even that there are none. */
  readonly holdings: "shown" | readonly HoldingRow[] | null;
  readonly source: ValuationSource;
  /** Where the account stands in its file, and after it its holdings in their order, "" where that is not known; absent if none is. */
  readonly places?: readonly string[];
}

/** What one delivery states accounts to be worth. */
export interface StatedValuations {
  /** When a provider read them; null = they come from files. */
  readonly read_at: Date | null;
  /** The number of the file in the order of arrival; 0 = a provider. */
  readonly arrival: number;
  /**
   * The day of a snapshot that has every account; null = others may exist. An account that it lacks is worth nothing from then on if a withdrawal or
   * a transfer out came since its last valuation, otherwise nothing is known of it.
   */
  readonly complete_on: string | null;
  readonly accounts: readonly StatedValuation[];
}

/**
 * One delivery of data for a connection. A product that is absent keeps its rows. Large products come in slices that are produced while
 * they are stored.
 */
export interface Publication {
  readonly connection_id: Uuid;
  /** When the bank's data was read or stated. */
  readonly as_of: Date;
  /** From then on the data are overdue; null or absent = never. */
  readonly stale_at?: Date | null;
  /** The current time; the previous snapshot counts as replaced from then on. */
  readonly published_at: Date;
  readonly portfolios?: readonly PortfolioRow[];
  readonly holdings?: readonly HoldingRow[] | AsyncIterable<readonly HoldingRow[]>;
  /**
   * If set, only the given portfolios were stated: portfolios and holdings of others stay as they are, and the snapshot's `as_of` is the
   * later of the old and the new one, with the `stale_at` that belongs to it. Products that are not given go stale at `stale_at` or later. If
   * absent, what is given replaces everything.
   */
  readonly partial?: true;
  /** For a partial publication: the accounts whose holdings are given. Defaults to those of the given portfolios. */
  readonly accounts?: readonly string[];
  /** For a partial publication: portfolios that are no longer shown; their holdings stay. */
  readonly hidden?: readonly string[];
  /**
   * Added to the history. With a plain list, a stored row with the same `transaction_id` is replaced if its content differs. With slices,
   * each slice says what happens to such rows, and may depend on the results of the slices before it.
   */
  readonly transactions?: readonly TransactionRow[] | AsyncIterable<TransactionSlice>;
  /** `YYYY-MM-DD`: stored transactions of this operation date or later that `transactions` does not contain are withdrawn. */
  readonly complete_from?: string;
  /** Stored with the snapshots of the given products, for {@link SnapshotStore.confirm}. */
  readonly digests?: Digests;
  /** What accounts are stated to be worth: one valuation a day of each, which an older one does not replace. */
  readonly valuations?: StatedValuations;
}

/** Digests of what a bank states of each product, see `digestsOf`: the same only where it makes the same rows. */
export type Digests = { readonly [product in Product]?: string };

/** The latest snapshot of a product. */
export interface LatestSnapshot {
  /** The time that its data refers to. */
  readonly as_of: Date;
  /** The digest that it was published with; null if there was none. */
  readonly digest: string | null;
}

/** The latest snapshot of each product that there is. */
export type LatestSnapshots = { readonly [product in Product]?: LatestSnapshot };

/** A part of a publication's transactions. */
export interface TransactionSlice {
  readonly transactions: readonly TransactionRow[];
  /**
   * Ids of transactions to remove before `transactions` are added, which may contain them again in their new form. Readers of earlier
   * revisions still see the old ones, except for those that an earlier slice of this publication added.
   */
  readonly withdrawn: readonly string[];
  /** SHA-256 (hex) of the file, or of its part, that states `transactions`; absent for a provider's. */
  readonly file?: string;
  /** If set, stored rows with the same `transaction_id` are replaced if their content differs; if absent, they stay as they are. */
  readonly replaces?: true;
  /** Called once the slice is stored. Rows that are in none of the counts were already there. */
  readonly onStored?: (counts: StoredCounts) => void;
}

/** How the rows of a slice were stored. */
export interface StoredCounts {
  readonly added: number;
  /** Rows that replaced one with the same id. */
  readonly corrected: number;
  /** Stored rows that were removed. */
  readonly withdrawn: number;
}

/** The result of a publication. */
export interface Published {
  /** The tenant's new revision. */
  readonly revision: string;
  /** Products whose rows have changed, apart from their order; listed in the order of {@link products}. */
  readonly changed: readonly Product[];
  /** Stored transactions that have other content now. */
  readonly corrected: number;
  /** Stored transactions that are not shown any more. */
  readonly withdrawn: number;
}

/** A custodian's file that was ingested. */
export interface FeedFile {
  readonly connection_id: Uuid;
  /** SHA-256 of the bytes, hex */
  readonly sha256: string;
  readonly name: string;
  /** The name of the file that this one was a part of; absent if it was none. */
  readonly container?: string;
  readonly format: string;
  /** As in {@link ValuationSource}. */
  readonly format_version?: string;
  readonly taken_at: Date;
  /** Movements that could not be read; absent if there are none. */
  readonly left_out?: readonly LeftOut[];
}

/** Snapshots of one tenant. Each publication gets the tenant's next revision; readers can stay on an earlier one for a while. */
export interface SnapshotStore {
  /** Replaces portfolios and holdings, adds to the transactions, and updates counts and sums per currency. */
  publish(publication: Publication): Promise<Published>;
  /**
   * The bank states some products as before: their latest snapshots, with these digests, get the new `as_of` and `stale_at`, and nothing else is
   * written but `valuations`. Returns false if one of them has another digest; all of them must then be published.
   */
  confirm(
    stated: Pick<Publication, "connection_id" | "as_of" | "stale_at" | "valuations"> & { readonly digests: Digests },
  ): Promise<boolean>;
  /**
   * Records that a file arrived for a connection or letter, before anything else is done with it. Returns its number in the order of
   * arrival: later files have larger numbers, over all replicas. If the same bytes arrived within the last week, they keep their number.
   * @param sha256 of the bytes, hex
   */
  noteArrival(targetId: Uuid, sha256: string): Promise<number>;
  /** Null when there is none. */
  latest(connectionId: Uuid, product: Product): Promise<LatestSnapshot | null>;
  /** Records a file as ingested. Returns false and changes nothing if these bytes were already ingested for this connection. */
  noteFile(file: FeedFile): Promise<boolean>;
  /** The latest days (UTC, `YYYY-MM-DD`) on which files were ingested for this connection, the last one first. */
  latestFileDays(connectionId: Uuid, limit: number): Promise<readonly string[]>;
  /** When the latest file was ingested for this connection; null if none was. */
  latestFile(connectionId: Uuid): Promise<Date | null>;
}
