/** What the customer of a stand-in should see, stated next to each row of the statements. Every figure is a decimal string. */
export interface FlexTruth {
  readonly as_of: string;
  readonly portfolios: readonly PortfolioTruth[];
  readonly holdings: readonly HoldingTruth[];
  readonly transactions: readonly TransactionTruth[];
}

export interface PortfolioTruth {
  readonly account: string;
  /** The account's base currency. */
  readonly currency: string;
  /** Net asset value in `currency`; null if the statement does not state it. */
  readonly balance: string | null;
}

/** Members are left out if the documentation leaves them open, or the row does not state them. */
export interface HoldingTruth {
  readonly account: string;
  /** The contract number of Interactive Brokers; null for cash. */
  readonly conid: string | null;
  readonly isin: string | null;
  /** Units: "The amount held for the position", negative when short. For cash the amount itself. */
  readonly amount: string;
  /** "Position Value", in `currency`. For a future or a CFD it is the notional. */
  readonly balance: string;
  readonly currency: string;
  /** YYYY-MM-DD */
  readonly valuation_date: string;
  readonly type: "VI" | "ETF" | "F" | "FI" | "DV" | "CFD" | "C" | "L";
  readonly subtype?: "OP" | "FT" | "W";
  /** "The closing price of the position as of the report date"; for bonds in percent. */
  readonly price?: string;
  readonly price_unit?: "currency" | "percent";
  /** "Cost Basis Money", in `currency`. */
  readonly cost?: string;
  readonly accrued_interest?: string;
  readonly identifiers?: { readonly cusip?: string; readonly figi?: string; readonly ticker?: string };
}

export interface TransactionTruth {
  readonly account: string;
  /** `transactionID` of the row. */
  readonly id: string;
  readonly trade_id?: string;
  readonly conid: string | null;
  /** YYYY-MM-DD: the trade date of a trade, or the day of the `dateTime` of a cash transaction. */
  readonly operation_date: string;
  /** Signed units; null if only cash moves. For a currency deal, the units of the first currency of the pair. */
  readonly amount: string | null;
  /** Signed cash in `currency`, including commission and taxes; "0" or null if none moves. */
  readonly balance: string | null;
  readonly currency: string;
  readonly unit_price?: string;
  readonly kind?: string;
  readonly settlement_date?: string;
  /** Positive when charged. */
  readonly fees?: string;
  /** Positive when charged. */
  readonly taxes?: string;
}
