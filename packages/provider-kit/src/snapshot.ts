/** Types of portfolio accounts: as those of holdings, and M managed, UM unmanaged, S securities account, MIX mixed. */
export const portfolioTypes = [
  "M",
  "UM",
  "F",
  "S",
  "CFD",
  "PP",
  "FI",
  "C",
  "ETF",
  "L",
  "O",
  "DV",
  "BP",
  "AEP",
  "MIX",
] as const;
/** Holding types: F funds, VI equities, PP pension plans, FI fixed income, C crypto, ETF, CFD, L liquidity, O other, DV derivatives, BP bank products, AEP alternative. */
export const holdingTypes = ["F", "VI", "PP", "FI", "C", "ETF", "CFD", "L", "O", "DV", "BP", "AEP"] as const;
/**
 * Subtypes. DV: OP options, FOP options on funds or futures, FT futures, W warrants, COM commodities, FF forwards. BP: CD certificates of deposit.
 * AEP: PE private equity, RA real assets.
 */
export const holdingSubtypes = ["FOP", "OP", "FT", "W", "COM", "FF", "CD", "PE", "RA"] as const;
/** The type that each subtype belongs to. */
export const typeOfSubtype = {
  ...({ FOP: "DV", OP: "DV", FT: "DV", W: "DV", COM: "DV", FF: "DV" } as const),
  ...({ CD: "BP", PE: "AEP", RA: "AEP" } as const),
} satisfies Record<HoldingSubtype, HoldingType>;
/** Kinds of movements. */
export const transactionKinds = [
  "buy",
  "sell",
  "dividend",
  "interest",
  "coupon",
  "fee",
  "tax",
  "deposit",
  "withdrawal",
  "transfer_in",
  "transfer_out",
  "split",
  "spin_off",
  "merger",
  "redemption",
  "fx",
  "other",
] as const;

export type PortfolioType = (typeof portfolioTypes)[number];
export type HoldingType = (typeof holdingTypes)[number];
export type HoldingSubtype = (typeof holdingSubtypes)[number];
export type TransactionKind = (typeof transactionKinds)[number];

/**
 * What a provider read at the bank at one moment. A list that is `null` could not be read; an empty one is really empty. Every amount is a decimal
 * string with the digits of the source and never passes through a float.
 */
export interface SnapshotData {
  /** If portfolios were stated at several moments, the latest. */
  readonly as_of: Date;
  readonly portfolios: readonly PortfolioData[] | null;
  readonly holdings: readonly HoldingData[] | null;
  /** Transactions known to the bank now; merged into the connection's history by `key`. */
  readonly transactions: readonly TransactionData[] | null;
}

/**
 * What a fetch reads: a snapshot, and what has become of transactions that earlier ones had. A transaction whose key comes again with other content
 * is corrected without being named here. `corrected`, `withdrawn` and `complete_from` need `transactions`.
 */
export interface FetchedSnapshot extends SnapshotData {
  /**
   * Transactions that the bank corrects under another key. Name one for as long as its correction is among `transactions`. A correction of a
   * correction comes after it.
   */
  readonly corrected?: readonly CorrectedTransaction[];
  /** Transactions that the bank has taken back, known or not. */
  readonly withdrawn?: readonly NamedTransaction[];
  /**
   * `YYYY-MM-DD`: `transactions` are all that the bank has from this operation date on, and what is stored of that time but is not among them is
   * withdrawn. Left out: transactions that do not come again stay.
   */
  readonly complete_from?: string;
  /** What the accounts were worth on days before `as_of`, where the bank tells, oldest first. A day that is stored already gets these values. */
  readonly earlier_days?: readonly EarlierDay[];
}

/** All accounts of a customer at the close of a day, as `portfolios` and `holdings` of a snapshot state them. */
export interface EarlierDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly portfolios: readonly PortfolioData[];
  readonly holdings: readonly HoldingData[];
}

/** A transaction by its key. The rows of `transactions` that it names are ignored. */
export interface NamedTransaction {
  readonly portfolio_key: string;
  readonly key: string;
}

/** A transaction that keeps its id and gets the content of another one of `transactions`, which has the key `by` in the same portfolio. */
export interface CorrectedTransaction extends NamedTransaction {
  readonly by: string;
}

/** Where a row stands in a custodian's file. It is no part of the content: what a file states elsewhere is stated as before. */
export interface Placed {
  /** As in {@link FeedRefusal}, such as `line 12`. Left out: not from a file, or not known. */
  readonly place?: string;
}

/** The same content without places, for rows whose file is not kept. */
export function withoutPlaces<Content extends Pick<SnapshotData, "portfolios" | "holdings" | "transactions">>(
  content: Content,
): Content {
  const rowsOf = <Row extends Placed>(rows: readonly Row[] | null) => rows?.map(({ place: _, ...row }) => row) ?? null;
  const { portfolios, holdings, transactions } = content;
  return {
    ...content,
    portfolios: rowsOf(portfolios),
    holdings: rowsOf(holdings),
    transactions: rowsOf(transactions),
  };
}

/** A portfolio account. `key` is the bank's own reference: the same account has the same key in every snapshot. */
export interface PortfolioData extends Placed {
  readonly key: string;
  readonly name: string;
  /** Decimal string in `currency`, exactly as in the source. */
  readonly balance: string | null;
  readonly currency: string;
  readonly ref_account: string | null;
  readonly type: PortfolioType;
  /** When this portfolio was stated, if a custodian's file states several with different days. Left out: the snapshot's `as_of`. */
  readonly as_of?: Date;
  /** True if a file reports only movements; the stored portfolio data and holdings stay. */
  readonly holdings_unknown?: boolean;
  /** True for a cash account, which may be shown as part of a portfolio. */
  readonly cash_account?: true;
  /** BIC of the institution that keeps the account. */
  readonly servicer?: string;
}

/** A holding. `key` identifies the security within its portfolio; holdings that share a key are distinguished by their order. */
export interface HoldingData extends Placed {
  readonly key: string;
  readonly portfolio_key: string;
  readonly name: string;
  readonly isin: string | null;
  /** Units, or contracts of a derivative, decimal string; negative if they are owed. */
  readonly amount: string | null;
  /** Value in `currency`, decimal string. */
  readonly balance: string | null;
  readonly currency: string;
  /** `YYYY-MM-DD`, the day of `balance`; of a live price, the day of the read. */
  readonly valuation_date: string | null;
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
  /** `balance` is the notional of a future or option, not its worth: it is shown, and part of no total. */
  readonly is_notional?: boolean;
  /** Price of one unit, of a derivative as quoted for one unit of its underlying, decimal string: in `price_currency`, or a percentage of the nominal value (`price_unit`). */
  readonly price?: string;
  /** ISO 4217; left out: `currency`. */
  readonly price_currency?: string;
  /** Left out: `currency`. */
  readonly price_unit?: "currency" | "percent";
  /** Purchase cost of all units together, decimal string in `currency`, negative for a short position. */
  readonly cost?: string;
  /** Identifiers of the security other than its ISIN. */
  readonly identifiers?: SecurityIdentifiers;
  /** Accrued interest that is not part of `balance`, decimal string in `currency`. */
  readonly accrued_interest?: string;
}

/** The stages of a movement; a later stage completes an earlier one. */
export const transactionStages = ["traded", "instructed", "settled", "posted"] as const;

export type TransactionStage = (typeof transactionStages)[number];

/** Identifiers of a security, by numbering scheme, as the source gives them. */
export interface SecurityIdentifiers {
  readonly isin?: string;
  readonly cusip?: string;
  readonly sedol?: string;
  readonly wkn?: string;
  readonly valor?: string;
  readonly figi?: string;
  readonly ticker?: string;
  /** The market that `ticker` belongs to (ISO 10383). */
  readonly mic?: string;
}

/**
 * A movement. `key` is the bank's transaction id, or null if it gives none (identical movements in one file are then kept as separate ones). A
 * movement with `references` is identified by them; its key is then null unless it is needed to tell it apart.
 */
export interface TransactionData extends Placed {
  readonly key: string | null;
  readonly portfolio_key: string;
  readonly holding_key: string | null;
  /** `YYYY-MM-DD`, as the source writes it. */
  readonly operation_date: string;
  readonly description: string;
  /** Units, signed decimal string. */
  readonly amount: string | null;
  /** Cash value in `currency`, signed decimal string. */
  readonly balance: string | null;
  readonly currency: string;
  readonly unit_price: string | null;
  readonly kind?: TransactionKind;
  /** `YYYY-MM-DD` */
  readonly settlement_date?: string;
  /** Positive when charged, decimal string in `currency`; the same applies to `taxes`. */
  readonly fees?: string;
  readonly taxes?: string;
  /** Cash value before fees and taxes in `currency`, signed decimal string. */
  readonly gross?: string;
  readonly identifiers?: SecurityIdentifiers;
  /**
   * How other messages refer to the same event: `<scheme>:<value>`, with the scheme in capitals: `SEME:…` for any message's own reference, `TRRF:…`
   * (deal), `COMM:…` (common), `CORP:…` (corporate action), … Include only references that identify the event at the account servicer and are unique
   * within an account, the most specific first. Messages in custodians' files that share one become one transaction.
   */
  readonly references?: readonly string[];
  /** Left out: `posted`. */
  readonly stage?: TransactionStage;
  /**
   * References of what this movement cancels. A message that has not settled is removed; a settlement stays, and this movement is listed beside it.
   */
  readonly cancels?: readonly string[];
}

/**
 * The same type while it is being built. Where there are hundreds of thousands of rows, fields are set one by one: spreading parts takes several
 * times as long.
 */
export type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
