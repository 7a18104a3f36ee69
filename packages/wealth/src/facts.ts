/**
 * What figures are computed from: the accounts of one tenant that a question is about. Days are `YYYY-MM-DD`, instants RFC 3339 in UTC, amounts
 * decimal strings as the source states them.
 */
export interface WealthFacts {
  /** By connection in order of creation, then as the bank lists them. */
  readonly connections: readonly ConnectionFacts[];
  /** Every rate of the days that the question can use, in any order. */
  readonly rates: readonly Rate[];
}

export interface ConnectionFacts {
  readonly credentials_token: string;
  readonly connector_id: string;
  readonly client_ref: string | null;
  /** The last day of which movements were read; null = none was ever read, or the question has no movements. */
  readonly movements_until: string | null;
  /** Empty: nothing was ever delivered. */
  readonly accounts: readonly AccountFacts[];
  readonly movements: readonly Movement[];
  /** Whether an account that is no cash account has a dividend or coupon, of whatever day: also one that is not among `movements`. */
  readonly has_depot_income: boolean;
  /** What the comparison of statements found. */
  readonly differences: readonly Difference[];
}

export interface AccountFacts {
  /** The account's own id, also where it is shown within another portfolio. */
  readonly portfolio_id: string;
  /** The portfolio that it is shown as: the depot of a linked cash account, otherwise its own. */
  readonly shown_as: string;
  readonly name: string;
  readonly ref_account: string | null;
  readonly currency: string;
  /** A cash account (portfolio type L). */
  readonly is_cash: boolean;
  /** Whether any of its valuations, ever, has a holding that is a security; and one that is cash (holding type L). */
  readonly lists_securities: boolean;
  readonly lists_cash: boolean;
  /** Ascending by day, one a day: those of the time asked for, the last one before it that has a value, and the first one ever. */
  readonly valuations: readonly Valuation[];
}

/** What an account was worth on a day, as the source stated it that day. */
export interface Valuation {
  readonly day: string;
  /** When a provider was read; null for a file, which counts as of its day. */
  readonly read_at: string | null;
  /** The balance that the source states, in the account's currency; null = none. */
  readonly balance: string | null;
  /**
   * Sums of the holdings that are worth something, by currency: not of notionals. Null: a holding has no balance. With no holdings: empty.
   */
  readonly holdings_value: readonly Money[] | null;
  /** Whether the source listed holdings that day, even none; false for a balance alone. */
  readonly has_holdings: boolean;
  /**
   * Only where the question needs them: for `holdings-at`, `summary` by security, `gains`, and for units that were transferred. Each look may parse
   * them anew.
   */
  readonly holdings?: readonly HoldingFacts[];
  /** What `summary` by type or currency needs; where it is left out, it is summed up from `holdings`. Each look may parse it anew. */
  readonly holding_sums?: readonly HoldingSum[];
}

/** What the holdings of one type and currency are worth that have a balance and are no notional: one for each pair that has such. */
export type HoldingSum = readonly [type: string, currency: string, amount: string];

export interface HoldingFacts {
  readonly id: string;
  readonly name: string;
  readonly isin: string | null;
  readonly amount: string | null;
  readonly balance: string | null;
  readonly currency: string;
  readonly type: string;
  readonly is_notional: boolean;
  /** Purchase cost of all units, in `currency`; null = unknown. */
  readonly cost: string | null;
  /** Of one unit, in `price_currency`, or in `currency` where that is left out; in percent of the nominal if `price_unit` says so. */
  readonly price?: string | null;
  readonly price_unit?: string | null;
  readonly price_currency?: string | null;
  /** In `currency`. */
  readonly accrued_interest?: string | null;
}

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** A movement of an account as it is now; what was withdrawn is not among them. */
export interface Movement {
  readonly id: string;
  readonly portfolio_id: string;
  readonly holding_id: string | null;
  readonly isin: string | null;
  readonly operation_date: string;
  /** A code of `transactionKinds`, or null. */
  readonly kind: string | null;
  /** Signed units. */
  readonly amount: string | null;
  /** Signed cash in `currency`. */
  readonly balance: string | null;
  readonly currency: string;
  readonly fees: string | null;
  readonly taxes: string | null;
  readonly gross: string | null;
  /** When a provider first stated it, in whatever version; null for what came by file. */
  readonly first_read_at: string | null;
}

/** Units of a holding that do not follow from the statement before and the movements between. */
export interface Difference {
  readonly portfolio_id: string;
  readonly name: string;
  readonly isin: string | null;
  readonly from: string;
  readonly to: string;
  /** What was stated minus what was expected. */
  readonly difference: string;
}

/** 1 `base` = `rate` `quote` on `date`. */
export interface Rate {
  readonly date: string;
  readonly base: string;
  readonly quote: string;
  readonly rate: string;
  /** The name of the file, or the service. */
  readonly source: string;
}
