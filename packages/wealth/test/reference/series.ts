import type { Fraction } from "./fraction.js";

/** Flows of one date that count on one day. `atStart` and `atEnd` are the parts of it whose place is given by the price of their units. */
export interface NettedFlow {
  readonly date: string;
  readonly counts: string;
  readonly value: Fraction;
  readonly atStart: Fraction;
  readonly atEnd: Fraction;
}

export interface EstimatedPart {
  readonly from: string;
  readonly to: string;
  readonly flows: Fraction;
  readonly large: boolean;
}

/** A portfolio that is first valued in the period. */
export interface Entry {
  readonly portfolioId: string;
  readonly date: string;
  readonly value: Fraction;
}

/** What both methods reckon with, in one currency. */
export interface Series {
  /** The day whose close the period opens with. */
  readonly opening: string;
  readonly to: string;
  /** Days on which any account is valued, and the last. */
  readonly linkDays: readonly string[];
  readonly flows: readonly NettedFlow[];
  readonly entries: readonly Entry[];
  readonly fees: readonly { readonly counts: string; readonly value: Fraction }[];
  readonly taxes: readonly { readonly counts: string; readonly value: Fraction }[];
  valueAt(day: string): Fraction;
}

export interface Outcome {
  /** 1 + return. */
  readonly factor: { readonly shown: string; readonly fixed: bigint };
  readonly gross: string | null;
  readonly grossOfTaxes: string | null;
  readonly estimated: readonly EstimatedPart[];
}
