import {
  compareDecimals,
  decimalString,
  isIsin,
  money,
  multiplyDecimals,
  type StatedHolding,
  statedCurrency,
} from "@org/provider-kit";
import { z } from "zod";

/** What cannot be read is as if it were left out: one odd row is no reason to have none. */
export const optionalText = z.string().nullish().catch(null);
export const statedFigure = decimalString.nullish().catch(null);

/** What amounts are stated in: an ISO code, or one that ISO 4217 does not have, such as that of a cryptocurrency. */
export const currencyCodes = { iso_currency_code: optionalText, unofficial_currency_code: optionalText };
type Codes = z.output<z.ZodObject<typeof currencyCodes>>;

/** The currency of rows for which Plaid states none that is one (ISO 4217: no currency). Their amounts are left out. */
export const NO_CURRENCY = "XXX";

/** Reads amounts that are stated in a currency: minor units are converted, and amounts in what is no currency are null. */
export function amountsIn({ iso_currency_code, unofficial_currency_code }: Codes) {
  const code = iso_currency_code ?? unofficial_currency_code ?? "";
  const { currency } = money(code, null);
  const isOne = statedCurrency.safeParse(currency).success;
  return {
    currency: isOne ? currency : null,
    amount: (stated: string | null | undefined) => (isOne && stated != null ? money(code, stated).amount : null),
  };
}

const securitySchema = z.object({
  security_id: z.string(),
  name: optionalText,
  ticker_symbol: optionalText,
  isin: optionalText,
  cusip: optionalText,
  sedol: optionalText,
  market_identifier_code: optionalText,
  type: optionalText,
  subtype: optionalText,
  is_cash_equivalent: z.boolean().nullish().catch(null),
  option_contract: z.unknown().optional(),
});
export type PlaidSecurity = z.output<typeof securitySchema>;

/** A list of rows; null for one that cannot be read. */
export const readableRows = <Row extends z.ZodType>(row: Row) => z.array(row.nullable().catch(null));
export const securities = readableRows(securitySchema).transform(
  (all) => new Map(all.flatMap((security) => (security === null ? [] : [[security.security_id, security] as const]))),
);

const bySubtype = new Map<string, StatedHolding["type"]>([
  ["option", "OP"],
  ["warrant", "W"],
  ["hedge fund", "AEP"],
  ["limited partnership unit", "AEP"],
  ["private equity fund", "PE"],
]);
const byType = new Map<string, StatedHolding["type"]>([
  ["cash", "L"],
  ["cryptocurrency", "C"],
  ["derivative", "DV"],
  ["equity", "VI"],
  ["etf", "ETF"],
  ["fixed income", "FI"],
  ["mutual fund", "F"],
]);

/** The type of a security; `O` for loans, for `other`, and for what Plaid cannot tell. */
export function securityType(security: PlaidSecurity | undefined): StatedHolding["type"] {
  const { type, subtype, is_cash_equivalent } = security ?? {};
  if (isOption(security)) return "OP";
  return bySubtype.get(subtype ?? "") ?? byType.get(type ?? "") ?? (is_cash_equivalent ? "L" : "O");
}

/** Names and identifiers of a security. Cash itself has none but its name; a money market fund, which Plaid counts as cash, has its own. */
export function securityFacts(security: PlaidSecurity | undefined, security_id: string) {
  const { name, ticker_symbol: ticker, isin, cusip, sedol, market_identifier_code: mic } = security ?? {};
  const isCurrency = security?.type === "cash" && ticker?.startsWith("CUR:") !== false;
  return {
    name: name ?? ticker ?? security_id,
    isin: isin && isIsin(isin) ? isin : null,
    identifiers: isCurrency ? null : { cusip, sedol, ticker, mic },
  };
}

/** Contracts of 100 are usual; Plaid states no size. */
const OF_CONTRACT = "0.01";
/** A value that is 50 times as much as units by price, or as little, is in other units. */
const FAR = "50";

/**
 * Units and price as rows have them. Plaid counts the underlying units of an option, “typically” 100 a contract, and prices bonds in percent or in
 * currency without saying so: what the value says decides.
 */
export function securityUnits(
  security: PlaidSecurity | undefined,
  { quantity, price, value }: Readonly<Record<"quantity" | "price" | "value", string | null>>,
): { readonly amount: string | null; readonly isPercent: boolean } {
  if (quantity === null) return { amount: null, isPercent: false };
  const product = price === null ? "0" : unsigned(multiplyDecimals(quantity, price));
  const [worth, known] = [unsigned(value ?? "0"), compareDecimals(product, "0") > 0 && value !== null];
  if (isOption(security)) {
    const isContracts = known && compareDecimals(worth, multiplyDecimals(product, FAR)) > 0;
    return { amount: isContracts ? quantity : multiplyDecimals(quantity, OF_CONTRACT), isPercent: false };
  }
  const isPercent =
    security?.type === "fixed income" &&
    known &&
    compareDecimals(worth, "0") > 0 &&
    compareDecimals(multiplyDecimals(worth, FAR), product) < 0;
  return { amount: quantity, isPercent };
}

function isOption(security: PlaidSecurity | undefined): boolean {
  return security?.subtype === "option" || security?.option_contract != null;
}

function unsigned(decimal: string): string {
  return decimal.replace(/^-/, "");
}
