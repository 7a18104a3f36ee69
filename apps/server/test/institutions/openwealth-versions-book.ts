import type { HoldingTruth, TransactionTruth } from "../../../../packages/provider-openwealth/test/stand-in/truth.js";

/** An account, in the words of no version. */
export interface HeldAccount {
  readonly id: string;
  readonly type: "cashAccount" | "safekeepingAccount" | "other";
  readonly currency: string;
  readonly iban?: string;
  readonly name?: string;
  readonly designation?: string;
  readonly portfolio?: string;
}

/** A financial instrument. Words of enumerations are those of the version that the customer is made for. */
export interface Product {
  readonly name: string;
  /** Type of the identification. */
  readonly scheme: string;
  readonly identification: string;
  /** ISO 10962, at least category and group; 2.0 alone states it. */
  readonly cfi: string;
  readonly dates?: Readonly<Record<string, string>>;
  readonly interest?: {
    readonly rate: string;
    readonly currency: string;
    readonly day_count: string;
    readonly frequency: string;
    readonly payment_date?: string;
  };
  readonly option?: { readonly type: "call" | "put"; readonly style: string };
  readonly contract_size?: string;
  readonly minimum_denomination?: string;
  readonly prices?: readonly { readonly type: string; readonly amount: string; readonly currency: string }[];
  readonly underlying?: Product;
}

/** A position. Figures have their sign here and are decimal strings with the digits of the answer. */
export interface HeldPosition {
  readonly id: string;
  readonly account: HeldAccount;
  /** Cash has none: "no information on the financial instrument is provided". */
  readonly product?: Product;
  readonly name?: string;
  readonly reference?: string;
  readonly details?: string;
  readonly units: string;
  readonly unit_type: "unitsNumber" | "nominal";
  /** Without the sign's member, which 1.x does not require. */
  readonly isUnsigned?: boolean;
  readonly currency: string;
  readonly price_type: "perUnit" | "percentage";
  readonly price?: string;
  /** The valuation, always in the account's currency. */
  readonly value?: string;
  readonly rate?: string;
  readonly cost?: string;
  readonly cost_value?: string;
  readonly accrued?: string;
  readonly blocked?: string;
  /** Where a customer should see other digits than the answer has. */
  readonly shows?: Partial<HoldingTruthOfVersion>;
}

export interface Movement {
  readonly type: string;
  readonly account: HeldAccount;
  readonly position?: string;
  readonly currency: string;
  readonly amount: string;
  readonly unit_type: "unitsNumber" | "nominal";
  readonly product?: Product;
}

export interface HeldBooking {
  readonly id: string;
  /** By the type of the date; what is asked for by a date of another type has no such booking. */
  readonly dates: Readonly<Record<string, string>>;
  readonly type: string;
  readonly subtype: string;
  readonly triggering?: Product;
  readonly market?: string;
  readonly movements?: readonly Movement[];
  /** In the account's currency. Left out: the bank sends no list of postings. */
  readonly postings?: readonly (readonly [HeldAccount, string])[];
  readonly price?: { readonly amount: string; readonly type: "perUnit" | "percentage"; readonly currency: string };
  readonly rate?: { readonly from: string; readonly rate: string; readonly to: string; readonly type: string };
  readonly settlement_currency?: string;
  readonly details?: string;
  readonly reverses?: string;
  /** The expected figures that follow from the movements. */
  readonly shows: Pick<TransactionTruth, "units" | "kind" | "fees" | "taxes"> & {
    /** Net cash by account. */
    readonly cash: readonly (readonly [HeldAccount, string])[];
  };
}

/** A customer of the bank. A test may replace the lists while the server runs. */
export interface HeldCustomer {
  readonly id: string;
  readonly currency: string;
  accounts: readonly HeldAccount[];
  positions: readonly HeldPosition[];
  bookings: readonly HeldBooking[];
}

/** `balance` and `currency` are those of the valuation, which is in the account's currency; null: the bank states none. */
export type HoldingTruthOfVersion = Omit<HoldingTruth, "balance"> & { readonly balance: string | null };
