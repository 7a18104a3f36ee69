import { z } from "zod";
import { isPrivateTransport, parseUrl } from "./hosts.js";
import { isMinorUnit } from "./money.js";

const decimalPattern = /^-?\d{1,28}(\.\d{1,20})?$/;

/**
 * A decimal number as text: optional minus, digits, optional fraction; at most 28 digits before the point and 20 after it. The scale of the source is
 * kept.
 */
export const decimalString = z.string().regex(decimalPattern, {
  error: ({ input }) =>
    /^-?\d+(\.\d+)?$/.test(String(input))
      ? "must have at most 28 digits before the point and 20 after it"
      : 'must be a decimal number such as "1523.47"',
});

/** Whether a text is a {@link decimalString}. For readers of large files, which check millions of values. */
export function isDecimalString(text: string): boolean {
  return decimalPattern.test(text);
}

/** An existing calendar date, `YYYY-MM-DD`. There is no year 0. */
export const calendarDate = z.iso
  .date("must be a date that exists, as YYYY-MM-DD")
  .refine((date) => !isOfYearZero(date), "must be a date that exists, as YYYY-MM-DD");

/** Whether a text is a {@link calendarDate}. For readers of large files. */
export function isCalendarDate(text: string): boolean {
  return z.core.regexes.date.test(text) && !isOfYearZero(text);
}

function isOfYearZero(date: string): boolean {
  return date.startsWith("0000");
}

/** The calendar date of a moment in UTC, as {@link calendarDate}. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, "YYYY-MM-DD".length);
}

/** The currency of a row: three capitals, and no minor unit. Codes that ISO 4217 does not have pass, since banks keep accounts in CNH and BTC. */
export const statedCurrency = z
  .string()
  .refine(
    (code) => /^[A-Z]{3}$/.test(code) && !isMinorUnit(code),
    "must be a currency in capitals (ISO 4217); money() of the kit converts minor units such as GBX",
  );

/** ISO 4217 code, three letters of either case, for questions. */
export const currencyCode = z.string().regex(/^[A-Za-z]{3}$/, "must be a three-letter currency code (ISO 4217)");

/** The address of an institution in settings: https, or http on this machine. The output has no slash at its end. */
export const baseUrl = z
  .url()
  .refine((text) => {
    const url = parseUrl(text);
    return url !== null && isPrivateTransport(url);
  }, "must begin with https:// (http:// is for this machine only)")
  .transform((url) => url.replace(/(?<!\/)\/+$/, ""));
