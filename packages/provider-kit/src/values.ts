import { z } from "zod";

const decimalPattern = /^-?\d{1,28}(\.\d{1,20})?$/;

/** A decimal number as text: optional minus, digits, optional fraction; at most 28 digits before the point and 20 after it. Scale is kept as the source gave it. */
export const decimalString = z.string().regex(decimalPattern, 'must be a decimal number such as "1523.47"');

/** Whether a text is a {@link decimalString}: for readers of large files, which ask millions of times. */
export function isDecimalString(text: string): boolean {
  return decimalPattern.test(text);
}

/** A calendar date `YYYY-MM-DD` that exists. */
export const calendarDate = z.iso.date("must be a date that exists, as YYYY-MM-DD");

/** Whether a text is a {@link calendarDate}: for readers of large files. */
export function isCalendarDate(text: string): boolean {
  return z.core.regexes.date.test(text);
}

/** ISO 4217 code, three letters. */
export const currencyCode = z.string().regex(/^[A-Za-z]{3}$/, "must be a three-letter currency code (ISO 4217)");
