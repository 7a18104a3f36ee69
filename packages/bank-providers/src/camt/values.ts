import { isCalendarDate, isDecimalString, normaliseDecimal } from "@org/core";
import { memoize } from "@org/provider-kit";
import { currencyIn } from "../currency.js";
import { quotedText } from "../feed-warnings.js";
import { Attributes } from "../markup/attributes.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { requiredChild, requiredText, requiredValue, valueChild } from "../markup/values.js";

/** Money with its sign: positive for amounts that the account has or receives, negative for those it owes or pays. */
export interface SignedAmount {
  /** Decimal string with every digit as written. */
  readonly value: string;
  readonly currency: string;
}

/** Reads `Amt` with its currency, signed by the `CdtDbtInd` beside it. The amount itself has no sign (ISO 20022). */
export function signedAmount(element: MarkupElement): SignedAmount {
  const amount = requiredValue(element, "Amt");
  const written = amount.text;
  const value = normaliseDecimal(written);
  if (value === null || !isDecimalString(value)) {
    throw refuse(amount, `${quotedText(written)} is not a decimal number`);
  }
  if (value.startsWith("-")) throw refuse(amount, `${quotedText(written)} is negative; the sign is in CdtDbtInd`);
  const code = new Attributes(amount).required("Ccy");
  const currency = currencyIn(code);
  if (currency === null) throw refuse(amount, `${quotedText(code.toUpperCase())} is not a three-letter currency code`);
  return { value: isCredit(element) || !/[1-9]/.test(value) ? value : `-${value}`, currency };
}

/** Whether `CdtDbtInd` says that the account has or receives the amount. */
export function isCredit(element: MarkupElement): boolean {
  const indicator = requiredText(element, "CdtDbtInd");
  if (indicator !== "CRDT" && indicator !== "DBIT") {
    throw refuse(requiredChild(element, "CdtDbtInd"), `${quotedText(indicator)} is neither CRDT nor DBIT`);
  }
  return indicator === "CRDT";
}

/** Reads `Dt` or `DtTm` of a date element as `YYYY-MM-DD`: the day that the file writes, whatever its time zone. */
export function dayOf(element: MarkupElement): string {
  const day = valueChild(element, "Dt");
  return dayIn(day?.text ? day : requiredValue(element, "DtTm"));
}

/** The day of a date, or of a date with a time. */
export function dayIn(element: MarkupElement): string {
  const written = element.text;
  const day = dayOfText(written);
  if (day === null) throw refuse(element, `${quotedText(written)} is not a date, such as 2024-03-31`);
  if (!isCalendarDate(day)) throw refuse(element, `${quotedText(written)} is a date that does not exist`);
  return day;
}

/** `2024-03-31`, or with a time and a zone. Banks also write the basic form of ISO 8601, and a space for the `T`. */
const dayOfText = memoize((written) => {
  const form = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ][\d:.]+)?(?:Z|[+-]\d\d:?\d\d)?$/;
  const [, year, , month, day] = form.exec(written) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}, "yyyy-MM-dd".length);
