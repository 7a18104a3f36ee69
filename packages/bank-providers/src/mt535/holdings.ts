import { isDecimalString, multiplyDecimals } from "@org/core";
import type { HoldingData, Writable } from "@org/provider-kit";
import { type HoldingKind, kindOfCfi } from "../cfi.js";
import type { FeedWarnings, Warn } from "../feed-warnings.js";
import type { SwiftBlock } from "../swift/field-table.js";
import { securityOf } from "../swift/security.js";
import {
  fieldOf,
  isGiven,
  momentOf,
  moneyOf,
  placeOfField,
  placeOfLine,
  quantityOf,
  rateOf,
  requiredField,
  swiftDecimal,
  swiftFields,
  valueOfField,
} from "../swift/values.js";

/** What the holdings of a statement have in common. */
export interface HoldingContext {
  readonly portfolio_key: string;
  readonly day: string;
  /** The currency in which the statement adds up, if it states one. */
  readonly reporting: string | null;
  readonly warnings: FeedWarnings;
}

/** Reads one `FIN` block: a position in a security. */
export function readHolding(block: SwiftBlock, context: HoldingContext): HoldingData {
  const identification = requiredField(block, "35B");
  const warn: Warn = (message) => context.warnings.add(() => placeOfField(identification), message);
  const attributes = block.blocks.find(({ name }) => name === "FIA") ?? null;
  const quantity = aggregate(block);
  const value =
    statedValue(block, context) ?? context.warnings.optional(() => computedValue(block, attributes, quantity, warn));
  const currency = value?.currency ?? denomination(attributes);
  if (currency === null) warn("no currency is stated for this security; XXX stands for none");
  const priced = swiftFields(block, "98", "PRIC").find(isGiven);
  const security = securityOf(identification, warn);
  const { type, subtype } = kindOf(attributes, quantity.kind);
  const holding: Writable<HoldingData> = {
    key: security.key,
    portfolio_key: context.portfolio_key,
    name: security.name,
    isin: security.isin,
    amount: quantity.value,
    balance: value?.value ?? null,
    currency: currency ?? "XXX",
    valuation_date: (priced && context.warnings.optional(() => momentOf(priced).day)) ?? context.day,
    type,
    subtype,
    place: placeOfLine(block),
  };
  if (security.identifiers !== undefined) holding.identifiers = security.identifiers;
  const accrued = currency === null ? null : context.warnings.optional(() => accruedInterest(block, currency));
  if (accrued !== null) holding.accrued_interest = accrued;
  return holding;
}

/** Reads `19A::ACRU`: accrued interest that is not part of the value, only in the currency of the holding. */
function accruedInterest(block: SwiftBlock, currency: string): string | null {
  const stated = swiftFields(block, "19", "ACRU").map(moneyOf);
  return stated.find((money) => money.currency === currency)?.value ?? null;
}

/** The whole position. Of several kinds of quantity, units come first, then the face amount, then the amortised one. */
function aggregate(block: SwiftBlock): { kind: string; value: string } {
  const stated = swiftFields(block, "93", "AGGR").map(quantityOf);
  const quantities = stated.length > 0 ? stated : swiftFields(block, "93", "AVAI").map(quantityOf);
  for (const kind of ["UNIT", "FAMT", "AMOR"]) {
    const found = quantities.find((quantity) => quantity.kind === kind);
    if (found) return found;
  }
  return quantities[0] ?? quantityOf(requiredField(block, "93", "AGGR"));
}

/** Reads `19A::HOLD`, the value that the custodian states. Of several currencies, the one in which the statement adds up counts. */
function statedValue(block: SwiftBlock, { reporting }: HoldingContext): { currency: string; value: string } | null {
  const values = swiftFields(block, "19", "HOLD").map(moneyOf);
  return values.find(({ currency }) => currency === reporting) ?? values[0] ?? null;
}

/**
 * Computes quantity × price if no value is stated. A price in percent refers to the face amount, which for a pool counts by its current factor
 * unless the quantity is the amortised amount already. Prices of other kinds (yield, discount) give no value.
 */
function computedValue(
  block: SwiftBlock,
  attributes: SwiftBlock | null,
  quantity: { kind: string; value: string },
  warn: Warn,
): { currency: string; value: string } | null {
  const price = fieldOf(block, "90", "MRKT") ?? fieldOf(block, "90", "INDC");
  if (!price) return null;
  const [, kind = "", money = "", sign = "", digits = ""] =
    /^([A-Z]{4})\/([A-Z]{3})?(N?)([\d,]+)$/.exec(valueOfField(price)) ?? [];
  const isPercent = kind === "PRCT";
  const currency = isPercent ? denomination(attributes) : money;
  if ((!isPercent && kind !== "ACTU") || !currency) return null;
  const factor = attributes && fieldOf(attributes, "92", "CUFC");
  const perUnit = swiftDecimal(price, sign === "N", digits);
  let value = multiplyDecimals(quantity.value, isPercent ? multiplyDecimals(perUnit, "0.01") : perUnit);
  if (factor && quantity.kind === "FAMT") value = multiplyDecimals(value, rateOf(factor));
  if (isDecimalString(value)) return { currency, value };
  warn("the value has too many digits; the holding is kept without it");
  return null;
}

function denomination(attributes: SwiftBlock | null): string | null {
  const field = attributes && fieldOf(attributes, "11", "DENO");
  const currency = field ? valueOfField(field) : "";
  return /^[A-Z]{3}$/.test(currency) ? currency : null;
}

/** The kind by the CFI code, if there is one. Otherwise a face amount means a debt instrument, and any other quantity an unknown kind. */
function kindOf(attributes: SwiftBlock | null, quantityKind: string): HoldingKind {
  const field = attributes?.fieldOf("12C", "CLAS");
  return kindOfCfi(field ? valueOfField(field) : null, quantityKind === "FAMT" || quantityKind === "AMOR");
}
