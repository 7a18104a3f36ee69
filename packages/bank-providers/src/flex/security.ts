import { compareDecimals, multiplyDecimals } from "@org/core";
import type { HoldingSubtype, HoldingType } from "@org/provider-kit";
import type { Warn } from "../feed-warnings.js";
import { isinAsStated, isinOfStatedCusip } from "../isin.js";
import type { FlexRow } from "./values.js";

interface Kind {
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
}

const kinds: Readonly<Record<string, Kind>> = {
  STK: { type: "VI", subtype: null },
  FUND: { type: "F", subtype: null },
  BOND: { type: "FI", subtype: null },
  BILL: { type: "FI", subtype: null },
  OPT: { type: "DV", subtype: "OP" },
  FSOPT: { type: "DV", subtype: "OP" },
  FOP: { type: "DV", subtype: "FOP" },
  FSFOP: { type: "DV", subtype: "FOP" },
  FUT: { type: "DV", subtype: "FT" },
  WAR: { type: "DV", subtype: "W" },
  IOPT: { type: "DV", subtype: "W" },
  CFD: { type: "CFD", subtype: null },
  CRYPTO: { type: "C", subtype: null },
  CASH: { type: "L", subtype: null },
};

/** Maps IBKR's asset category to a type of contract §4. The sub-category tells exchange-traded funds apart. */
export function kindOf(row: FlexRow): Kind {
  const category = row.get("assetCategory")?.toUpperCase() ?? "";
  if (category === "STK" && /^ET[FNC]$/i.test(row.get("subCategory") ?? "")) return { type: "ETF", subtype: null };
  return (Object.hasOwn(kinds, category) ? kinds[category] : undefined) ?? { type: "O", subtype: null };
}

/** Contracts settled by daily price changes: their value is in the cash already. */
const settledDaily: ReadonlySet<string> = new Set(["FUT", "FSOPT", "FSFOP", "CFD"]);

/**
 * Whether the value of a position is its notional, which is not part of the account's value. This holds for futures, and for options whose value
 * is strike times units.
 */
export function isNotional(row: FlexRow): boolean {
  const category = row.get("assetCategory")?.toUpperCase() ?? "";
  if (settledDaily.has(category)) return true;
  const [strike, value] = [row.decimal("strike"), row.decimal("positionValue")];
  if (kindOf(row).type !== "DV" || strike === null || value === null || !/[1-9]/.test(value)) return false;
  const units = multiplyDecimals(row.requiredDecimal("position"), row.decimal("multiplier") ?? "1");
  return compareDecimals(multiplyDecimals(units, strike), value) === 0;
}

const keyFields = [
  ["conid", "CONID"],
  ["isin", "ISIN"],
  ["symbol", "SYMBOL"],
] as const;

/** The key of a row's security, the same in every file: IBKR's contract id, or else the ISIN or the symbol. */
export function securityKey(row: FlexRow): string | null {
  for (const [name, scheme] of keyFields) {
    const number = row.given(name);
    if (number !== null) return `${scheme}:${number}`;
  }
  return null;
}

/** The rows of `SecuritiesInfo`, for securities that other rows name by contract id only. */
export class SecurityInfos {
  readonly #rows = new Map<string, FlexRow>();

  add(row: FlexRow): void {
    const key = securityKey(row);
    if (key !== null) this.#rows.set(key, row);
  }

  /** The list's row about the security of a row. */
  of(row: FlexRow): FlexRow | undefined {
    return this.#rows.get(securityKey(row) ?? "");
  }

  /** The ISIN from the row or the list, or else derived from the CUSIP (CA if quoted in Canadian dollars, otherwise US). */
  isinOf(row: FlexRow, warn: Warn): string | null {
    const info = this.of(row);
    const isin = row.given("isin") ?? info?.given("isin");
    if (isin) return isinAsStated(isin, warn);
    const cusip = row.given("cusip") ?? info?.given("cusip");
    return cusip ? isinOfStatedCusip(cusip, row.get("currency") === "CAD" ? "CA" : "US", warn) : null;
  }
}
