import { isIsin, isinOf } from "@org/provider-kit";
import { quotedText, type Warn } from "./feed-warnings.js";

/**
 * The ISIN of a US or Canadian security with a CUSIP: country, CUSIP, check digit. Null for a wrong check digit, for numbers reserved for private
 * use (issuers 990 to 999 of each thousand and from 990000 on), and for CINS numbers, which start with a letter for a region that is not an ISIN
 * country (`G` stands for Britain, Bermuda and the Caymans).
 */
export function isinOfCusip(text: string, country: "US" | "CA"): string | null {
  const cusip = text.toUpperCase();
  if (!/^\d[A-Z0-9*@#]{7}\d$/.test(cusip) || cusipCheckDigit(cusip) !== cusip[8]) return null;
  if (/^99|^...99|[*@#]/.test(cusip)) return null;
  return isinOf(country, cusip);
}

/** A stated ISIN; null, with a warning, if it is not one or its check digit is wrong. The file is not refused for that. */
export function isinAsStated(text: string, warn: Warn): string | null {
  const isin = text.toUpperCase();
  if (isIsin(isin)) return isin;
  const fault = /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(isin) ? "has a wrong check digit" : "is no ISIN";
  warn(`${quotedText(text)} ${fault}; the security is kept without an ISIN`);
  return null;
}

/** {@link isinOfCusip}, with a warning if the check digit is wrong or the text is not a CUSIP. */
export function isinOfStatedCusip(text: string, country: "US" | "CA", warn: Warn): string | null {
  const cusip = text.toUpperCase();
  if (!/^[A-Z0-9]{3}[A-Z0-9*@#]{5}\d$/.test(cusip))
    warn(`${quotedText(text)} is no CUSIP; the security is kept without an ISIN`);
  else if (cusipCheckDigit(cusip) !== cusip[8])
    warn(`CUSIP ${quotedText(text)} has a wrong check digit; the security is kept without an ISIN`);
  return isinOfCusip(text, country);
}

function cusipCheckDigit(cusip: string): string {
  let sum = 0;
  for (let index = 0; index < 8; index += 1) {
    const value = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#".indexOf(cusip[index] ?? "") * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return String((10 - (sum % 10)) % 10);
}
