import { quotedText } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, requiredChild, requiredText } from "../markup/values.js";

/**
 * The currency of a row's amounts, and the one in which its security is quoted. Amounts are in the statement's default currency unless `CURRENCY`
 * says otherwise; `ORIGCURRENCY` means that they were converted *from* that currency to the default (OFX 2.2 §5.2).
 */
export function rowCurrency(element: MarkupElement, statementCurrency: string): { amounts: string; quotedIn: string } {
  const own = childOf(element, "CURRENCY");
  if (own) {
    const currency = requiredCurrency(own, "CURSYM");
    return { amounts: currency, quotedIn: currency };
  }
  const original = childOf(element, "ORIGCURRENCY");
  return { amounts: statementCurrency, quotedIn: original ? requiredCurrency(original, "CURSYM") : statementCurrency };
}

/** A required ISO 4217 code, in upper case. */
export function requiredCurrency(element: MarkupElement, name: string): string {
  const code = requiredText(element, name).toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) {
    throw refuse(requiredChild(element, name), `${quotedText(code)} is not a three-letter currency code`);
  }
  return code;
}
