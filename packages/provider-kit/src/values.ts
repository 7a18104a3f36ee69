import { z } from "zod";

/** A decimal number as text: optional minus, digits, optional fraction; at most 28 digits before the point and 20 after it. Scale is kept as the source gave it. */
export const decimalString = z
  .string()
  .regex(/^-?\d{1,28}(\.\d{1,20})?$/, 'must be a decimal number such as "1523.47"');

/** A calendar date `YYYY-MM-DD` that exists. */
export const calendarDate = z.iso.date("must be a date that exists, as YYYY-MM-DD");

/** ISO 4217 code, three letters. */
export const currencyCode = z.string().regex(/^[A-Za-z]{3}$/, "must be a three-letter currency code (ISO 4217)");
