/** What the customer of the stand-in should see. Every figure is a decimal string with the digits of the JSON text. */
export interface OpenWealthTruth {
  readonly portfolios: readonly PortfolioTruth[];
  readonly holdings: readonly HoldingTruth[];
  readonly transactions: readonly TransactionTruth[];
}

/** An account. */
export interface PortfolioTruth {
  readonly account: string;
  /** The account's reference currency. */
  readonly currency: string;
  /** IBAN, else the bank's number of the account, else null. */
  readonly reference: string | null;
  readonly type: "S" | "L" | "O";
  /** Of cash accounts, which hold one currency; left out for the others. */
  readonly balance?: string;
}

/** A position. Left out: the specification leaves open what it is, or the bank does not say. */
export interface HoldingTruth {
  readonly position: string;
  readonly account: string;
  readonly name: string;
  readonly isin: string | null;
  readonly amount: string;
  /** `valueInPositionCurrency`, whatever currency `currency` of the position names. */
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

/** A transaction: what was posted, whichever and however many rows show it. */
export interface TransactionTruth {
  readonly id: string;
  /** YYYY-MM-DD, `transactionDate`. */
  readonly date: string;
  /** Net cash that was posted, by account and currency (`account currency`). */
  readonly cash: Readonly<Record<string, string>>;
  /** Units that moved, by position. */
  readonly units: Readonly<Record<string, string>>;
  readonly kind?: string;
  /** Sums of the fee and of the tax movements, positive when charged. */
  readonly fees?: string;
  readonly taxes?: string;
  readonly settlement_date?: string;
}
