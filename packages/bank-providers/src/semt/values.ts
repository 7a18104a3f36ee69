import { isCalendarDate, isDecimalString, normaliseDecimal } from "@org/core";
import type { SecurityIdentifiers } from "@org/provider-kit";
import { currencyIn } from "../currency.js";
import { type FeedWarnings, quotedText } from "../feed-warnings.js";
import { isinAsStated, isinOfStatedCusip } from "../isin.js";
import { Attributes } from "../markup/attributes.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { booleanIn, childOf, childrenOf, requiredChild, textOf } from "../markup/values.js";

/** The first element with one of these names inside another, at any depth: versions of a message nest values differently. */
export function within(element: MarkupElement | null, ...names: readonly string[]): MarkupElement | null {
  for (const child of element?.children ?? []) {
    const found = names.includes(child.name) ? child : within(child, ...names);
    if (found) return found;
  }
  return null;
}

/** All elements with this name that are not nested inside another one of them. */
export function everyOf(element: MarkupElement, name: string): MarkupElement[] {
  if (element.name === name) return [element];
  const found: MarkupElement[] = [];
  for (const child of element.children) for (const one of everyOf(child, name)) found.push(one);
  return found;
}

/** The value of an element, or the first value inside it. */
export function valueIn(element: MarkupElement | null): string | null {
  if (!element) return null;
  if (!element.hasChildren) return isNotGiven(element.text) ? null : element.text || null;
  for (const child of element.children) {
    const value = valueIn(child);
    if (value !== null) return value;
  }
  return null;
}

/** A number as a decimal string with every digit as written. */
export function semtDecimal(element: MarkupElement): string {
  const value = normaliseDecimal(element.text);
  if (value === null || !isDecimalString(value))
    throw refuse(element, `${quotedText(element.text)} is not a decimal number`);
  return value;
}

/** An amount of money, signed by the `Sgn` beside it. */
export interface StatedMoney {
  readonly value: string;
  readonly currency: string;
}

/** A currency code of an amount, in capitals. */
export function currencyOf(amount: MarkupElement, code: string): string {
  const currency = currencyIn(code);
  if (currency === null) throw refuse(amount, `${quotedText(code.toUpperCase())} is not a three-letter currency code`);
  return currency;
}

/** Reads `Amt` with its currency inside an element, or the element itself; null if there is none. */
export function moneyIn(element: MarkupElement | null): StatedMoney | null {
  const amount = element && (element.name === "Amt" ? element : within(element, "Amt"));
  if (!element || !amount || isNotGiven(amount.text)) return null;
  const currency = currencyOf(amount, new Attributes(amount).required("Ccy"));
  const value = semtDecimal(amount);
  const isNegative = booleanIn(within(element, "Sgn")) === false && /[1-9]/.test(value);
  return { value: isNegative ? `-${value}` : value, currency };
}

/** Units or a face amount; a short position is negative. */
export function quantityIn(element: MarkupElement): { readonly value: string; readonly isNominal: boolean } {
  const quantity = within(element, "Unit", "FaceAmt", "AmtsdVal", "DgtlTknUnit");
  if (!quantity) throw refuse(element, "holds no quantity: Unit, FaceAmt or AmtsdVal");
  const value = semtDecimal(quantity);
  const isShort = valueIn(within(element, "ShrtLngInd", "ShrtLngPos")) === "SHOR" && /[1-9]/.test(value);
  return {
    value: isShort && !value.startsWith("-") ? `-${value}` : value,
    isNominal: quantity.name === "FaceAmt" || quantity.name === "AmtsdVal",
  };
}

/** The day of a date or a moment, as the file writes it; null if the element is missing. */
export function dayIn(element: MarkupElement | null): string | null {
  const written = valueIn(element);
  if (element === null || written === null) return null;
  const day = written.slice(0, "YYYY-MM-DD".length);
  if (!/^\d{4}-\d\d-\d\d(?:$|T|Z|[+-]\d\d:)/.test(written) || !isCalendarDate(day))
    throw refuse(element, `${quotedText(written)} is not a date that exists`);
  return day;
}

/** The moment of a date or a date with a time; without a zone it is UTC. */
export function instantIn(element: MarkupElement): Date {
  const written = valueIn(element) ?? "";
  const day = dayIn(element);
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written}Z`;
  const instant = new Date(written.includes("T") ? zoned : `${day}T00:00:00Z`);
  if (Number.isNaN(instant.getTime())) throw refuse(element, `${quotedText(written)} is not a moment that exists`);
  return instant;
}

/** The number of an account or a wallet (`Id`), and its name. */
export function accountIn(element: MarkupElement): { readonly number: string; readonly name: string | null } {
  const account = childOf(element, "SfkpgAcct") ?? childOf(element, "BlckChainAdrOrWllt");
  if (!account) throw refuse(element, "SfkpgAcct is missing");
  const number = valueIn(childOf(account, "Id"));
  if (number === null) throw refuse(account, "Id is missing");
  return { number, name: textOf(account, "Nm") };
}

/** Codes and names of numbering schemes other than the ISIN. */
const schemes: Readonly<Record<string, keyof SecurityIdentifiers>> = {
  CUSP: "cusip",
  CUSIP: "cusip",
  SEDL: "sedol",
  SEDOL: "sedol",
  WKNR: "wkn",
  WKN: "wkn",
  VALO: "valor",
  VALOR: "valor",
  TIKR: "ticker",
  TICKER: "ticker",
  FIGI: "figi",
};

/** Reads `FinInstrmId`. The security has the same key as in other formats. */
export function securityIn(element: MarkupElement, warnings: FeedWarnings) {
  const identification = requiredChild(element, "FinInstrmId");
  const warn = warnings.at(identification);
  const stated = valueIn(childOf(identification, "ISIN"));
  const others = childrenOf(identification, "OthrId").flatMap((other) => {
    const number = textOf(other, "Id");
    const scheme = valueIn(childOf(other, "Tp"))?.toUpperCase() ?? "";
    return number === null ? [] : [{ scheme, number }];
  });
  const identifiers = Object.fromEntries(
    others.flatMap(({ scheme, number }) => (Object.hasOwn(schemes, scheme) ? [[schemes[scheme], number]] : [])),
  ) as SecurityIdentifiers;
  const facts = Object.keys(identifiers).length > 0 ? { identifiers } : {};
  const name = textOf(identification, "Desc");
  if (stated !== null)
    return { key: `ISIN:${stated}`, name: name ?? stated, isin: isinAsStated(stated, warn), ...facts };
  const [first] = others;
  if (first) {
    const { scheme, number } = first;
    const isin = identifiers.cusip === number ? isinOfStatedCusip(number, "US", warn) : null;
    return { key: `${scheme}:${number}`, name: name ?? number, isin, ...facts };
  }
  if (name === null) throw refuse(identification, "identifies no security: neither ISIN nor OthrId nor Desc");
  return { key: `NAME:${name}`, name, isin: null };
}
