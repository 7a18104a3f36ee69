/** What the customer of the stand-in should see. Every figure is a decimal string with the digits of the JSON text. */
export interface OpenWealthTruth {
  readonly portfolios: readonly PortfolioTruth[];
  readonly holdings: readonly HoldingTruth[];
  readonly transactions: readonly TransactionTruth[];
}

export interface PortfolioTruth {
  readonly account: string;
  /** The account's reference currency. */
  readonly currency: string;
  /** The IBAN, otherwise the bank's account number, otherwise null. */
  readonly reference: string | null;
  readonly type: "S" | "L" | "O";
  /** For cash accounts, which hold one currency; otherwise left out. */
  readonly balance?: string;
}

/** A position. Members are left out if the specification leaves them open, or the bank does not state them. */
export interface HoldingTruth {
  readonly position: string;
  readonly account: string;
  readonly name: string;
  readonly isin: string | null;
  readonly amount: string;
  /** `valueInPositionCurrency`, whatever the position's `currency` says. */
  readonly balance: string;
  readonly currency: string;
  readonly type?: "L" | "FI" | "VI" | "F" | "DV" | "C";
  readonly subtype?: "OP" | "FT";
  readonly price?: string;
  readonly price_unit?: "currency" | "percent";
  readonly price_currency?: string;
  readonly accrued_interest?: string;
  readonly identifiers?: Readonly<Record<string, string>>;
}

/** A transaction: what was posted, in however many rows. */
export interface TransactionTruth {
  readonly id: string;
  /** YYYY-MM-DD, `transactionDate`. */
  readonly date: string;
  /** Posted net cash, by account and currency (`account currency`). */
  readonly cash: Readonly<Record<string, string>>;
  /** Units moved, by position. */
  readonly units: Readonly<Record<string, string>>;
  readonly kind?: string;
  /** Sums of the fee and tax movements, positive when charged. */
  readonly fees?: string;
  readonly taxes?: string;
  readonly settlement_date?: string;
}
