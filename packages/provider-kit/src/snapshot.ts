/** Portfolio account types (contract §4). */
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
/** Subtypes: FOP, OP, FT, W, COM, FF of DV; CD of BP; PE, RA of AEP. */
export const holdingSubtypes = ["FOP", "OP", "FT", "W", "COM", "FF", "CD", "PE", "RA"] as const;
/** What a movement is. */
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
 * What a provider read at the bank at one moment. A product that is `null` could not be read; an empty list is really empty.
 * Every amount is a decimal string with the digits of the source, never a number that went through a float.
 */
export interface SnapshotData {
  /** Of portfolios stated as of several moments, the latest. */
  readonly as_of: Date;
  readonly portfolios: readonly PortfolioData[] | null;
  readonly holdings: readonly HoldingData[] | null;
  /** Transactions known to the bank now; they are merged into the connection's history by `key`. */
  readonly transactions: readonly TransactionData[] | null;
}

/** A portfolio account. `key` is the bank's own reference: the same account has the same key in every snapshot. */
export interface PortfolioData {
  readonly key: string;
  readonly name: string;
  /** Decimal string in `currency`, exactly as the source gave it. */
  readonly balance: string | null;
  readonly currency: string;
  readonly ref_account: string | null;
  readonly type: PortfolioType;
  /** When this portfolio was stated, in a custodian's file that states several, each as of its own day; left out: the snapshot's. */
  readonly as_of?: Date;
  /** True where a file tells movements only: what is known of the portfolio and its holdings stays. */
  readonly holdings_unknown?: boolean;
  /** True for a cash account, which may be shown within a portfolio. */
  readonly cash_account?: true;
  /** BIC of whoever keeps the account. */
  readonly servicer?: string;
}

/** A holding. `key` names the security within its portfolio; holdings that share one are told apart by their order. */
export interface HoldingData {
  readonly key: string;
  readonly portfolio_key: string;
  readonly name: string;
  readonly isin: string | null;
  /** Units, decimal string. */
  readonly amount: string | null;
  /** Value in `currency`, decimal string. */
  readonly balance: string | null;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly valuation_date: string | null;
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
  /** `balance` is the notional of a future or option, not its worth: it is shown, and part of no total. */
  readonly is_notional?: boolean;
  /** Of one unit, decimal string: in `price_currency`, or a percentage of the nominal value (`price_unit`). */
  readonly price?: string;
  /** ISO 4217; left out: `currency`. */
  readonly price_currency?: string;
  /** Left out: `currency`. */
  readonly price_unit?: "currency" | "percent";
  /** What all units together were bought for, decimal string in `currency`. */
  readonly cost?: string;
  /** Numbers of the security beside its ISIN. */
  readonly identifiers?: SecurityIdentifiers;
  /** Interest that has accrued and is not part of `balance`, decimal string in `currency`. */
  readonly accrued_interest?: string;
}

/** How far a movement has come; a later stage completes an earlier one. */
export const transactionStages = ["traded", "instructed", "settled", "posted"] as const;

export type TransactionStage = (typeof transactionStages)[number];

/** What a security is called, by numbering scheme, as the source gives it. */
export interface SecurityIdentifiers {
  readonly isin?: string;
  readonly cusip?: string;
  readonly sedol?: string;
  readonly wkn?: string;
  readonly valor?: string;
  readonly figi?: string;
  readonly ticker?: string;
  /** Of the market that `ticker` is used at (ISO 10383). */
  readonly mic?: string;
}

/**
 * A movement. `key` is the bank's transaction id, or null when it gives none (equal twins in one file then stay twins). One that has
 * `references` is known by them, and its key is null only where nothing else tells it from others.
 */
export interface TransactionData {
  readonly key: string | null;
  readonly portfolio_key: string;
  readonly holding_key: string | null;
  /** `YYYY-MM-DD` as the source writes it */
  readonly operation_date: string;
  readonly description: string;
  /** Signed units, decimal string. */
  readonly amount: string | null;
  /** Signed cash value in `currency`, decimal string. */
  readonly balance: string | null;
  readonly currency: string;
  readonly unit_price: string | null;
  readonly kind?: TransactionKind;
  /** `YYYY-MM-DD` */
  readonly settlement_date?: string;
  /** Positive when charged, decimal string in `currency`; so are `taxes`. */
  readonly fees?: string;
  readonly taxes?: string;
  /** Signed cash value before fees and taxes, decimal string in `currency`. */
  readonly gross?: string;
  readonly identifiers?: SecurityIdentifiers;
  /**
   * How other messages know the same event: `<scheme>:<value>`, the scheme in capitals: `SEME:…` for any message's own reference,
   * `TRRF:…` (deal), `COMM:…` (common), `CORP:…` (corporate action), … Only those that tell the event at the account servicer, each unique
   * within an account, the most telling first. Of custodians' files, messages that share one become one transaction.
   */
  readonly references?: readonly string[];
  /** Left out: `posted`. */
  readonly stage?: TransactionStage;
  /** References of what this takes back: a message that has not settled goes; a settlement stays, and this is listed beside it. */
  readonly cancels?: readonly string[];
}

/** The same, while it is made. Fields are set one by one where rows come in hundreds of thousands: spreading parts takes several times as long. */
export type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
