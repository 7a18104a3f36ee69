import { negateDecimal } from "@org/core";
import type { HoldingData, HoldingSubtype, HoldingType } from "@org/provider-kit";
import { type FeedWarnings, quotedText } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { childrenOf, requiredChild, textOf } from "../markup/values.js";
import { rowCurrency } from "./currency.js";
import { ofxIdentifiers, priceOfPosition } from "./facts.js";
import { isinOfSecurity, readSecurityId, type SecurityId, type SecurityNames } from "./securities.js";
import { optionalDate, requiredDate, requiredDecimal } from "./values.js";

/** The account to which a statement's rows belong. */
export interface OfxAccount {
  readonly key: string;
  readonly currency: string;
}

/** OFX has no exchange-traded funds: banks list them as funds or as equities. */
const kinds: Readonly<Record<string, { type: HoldingType; subtype: HoldingSubtype | null }>> = {
  POSMF: { type: "F", subtype: null },
  POSSTOCK: { type: "VI", subtype: null },
  POSDEBT: { type: "FI", subtype: null },
  POSOPT: { type: "DV", subtype: "OP" },
  POSOTHER: { type: "O", subtype: null },
};

/**
 * The positions of a statement, including those with zero units. Positions in the same security stay separate. A statement without a position
 * list has none.
 */
export function readHoldings(
  statement: MarkupElement,
  account: OfxAccount,
  names: SecurityNames,
  warnings: FeedWarnings,
): HoldingData[] {
  const rows = childrenOf(statement, "INVPOSLIST").flatMap(({ children }) => children);
  const securities = rows.map((row) => readSecurityId(requiredChild(row, "INVPOS")));
  const nameAt = namesInOrder(securities, names);
  return rows.map((row, index) => {
    const kind = kinds[row.name];
    const security = securities[index];
    if (!kind || !security) throw refuse(row, `${quotedText(row.name)} is no kind of position`);
    const position = requiredChild(row, "INVPOS");
    const currency = rowCurrency(position, account.currency);
    return {
      key: security.key,
      portfolio_key: account.key,
      name: nameAt(index),
      isin: isinOfSecurity(security, currency.quotedIn, warnings.at(position)),
      amount: shortIsNegative(position, "UNITS", warnings),
      balance: shortIsNegative(position, "MKTVAL", warnings),
      currency: currency.amounts,
      valuation_date:
        warnings.optional(() => optionalDate(position, "DTPRICEASOF")) ?? requiredDate(statement, "DTASOF"),
      ...kind,
      place: placeOfRow(row),
      // The price of a converted amount is in another currency.
      ...(currency.quotedIn === currency.amounts && priceOfPosition(row, position, warnings)),
      ...ofxIdentifiers(security),
    };
  });
}

/** A short position owes its units. */
function shortIsNegative(position: MarkupElement, name: "UNITS" | "MKTVAL", warnings: FeedWarnings): string {
  const value = requiredDecimal(position, name);
  const isShort = textOf(position, "POSTYPE")?.toUpperCase() === "SHORT";
  if (!isShort || value.startsWith("-") || !/[1-9]/.test(value)) return value;
  warnings.at(position)(`${name} ${value} contradicts POSTYPE SHORT; its sign is turned`);
  return negateDecimal(value);
}

function namesInOrder(securities: readonly SecurityId[], names: SecurityNames): (index: number) => string {
  const counts = new Map<string, number>();
  const ordinals = securities.map(({ key }) => {
    const ordinal = counts.get(key) ?? 0;
    counts.set(key, ordinal + 1);
    return ordinal;
  });
  return (index) => {
    const security = securities[index] as SecurityId;
    return names.ofPosition(security, ordinals[index] ?? 0, counts.get(security.key) ?? 0);
  };
}
