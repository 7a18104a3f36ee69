import type { HoldingData, HoldingSubtype, HoldingType, PortfolioData, SecurityIdentifiers } from "@org/provider-kit";
import type { Account, Instrument, Position } from "./custody-answers.js";
import { productOf, sumOf } from "./decimal.js";

const portfolioTypes = new Map<string, PortfolioData["type"]>(
  Object.entries({ cashAccount: "L", safekeepingAccount: "S" }),
);

/** An account as a portfolio, with the sum of its positions; null = unknown. */
export function portfolioOf(account: Account, positions: readonly Position[] | null): PortfolioData {
  const values = positions?.map((position) => valueIn(position, account.referenceCurrency)) ?? null;
  return {
    key: account.id,
    name: account.name || account.designation || account.number || account.iban || account.id,
    balance: values?.length === 0 ? "0" : values && sumOf(values),
    currency: account.referenceCurrency,
    ref_account: account.iban ?? account.number ?? null,
    type: portfolioTypes.get(account.type) ?? "O",
  };
}

/** A position's value in a currency, if the bank states it. */
function valueIn({ valuation }: Position, currency: string): string | null {
  const stated = [valuation.valueInReferenceCurrency, valuation.valueInPositionCurrency];
  return stated.find((value) => value?.currency === currency)?.amount ?? null;
}

/** A position as a holding, in the position's own currency. */
export function toHolding(position: Position): HoldingData {
  const { financialInstrument: instrument, valuation, price, accruedInterest } = position;
  const { amount: balance = null, currency } = valuation.valueInPositionCurrency;
  const cost = costOf(position, currency);
  const identifiers = toIdentifiers(instrument);
  return {
    key: position.id,
    portfolio_key: position.account.id,
    name: instrument.name,
    isin: identifiers.isin ?? null,
    amount: position.quantity.value,
    balance,
    currency,
    valuation_date: valuation.valuationDate ?? position.positionDate,
    ...kindOf(instrument),
    ...(price?.value != null && {
      price: price.value,
      ...(price.type === "percentage"
        ? { price_unit: "percent" as const }
        : { price_unit: "currency" as const, price_currency: price.currency ?? currency }),
    }),
    ...(cost !== null && { cost }),
    ...(Object.keys(identifiers).length > 0 && { identifiers }),
    ...(accruedInterest?.amount != null &&
      accruedInterest.currency === currency && { accrued_interest: accruedInterest.amount }),
  };
}

/**
 * The purchase cost of all units: units × cost price, in percent of the nominal value, or per unit of a contract's underlying. Only if it is exact
 * and in the holding's currency; with a pool factor it is unclear which amount the price refers to.
 */
function costOf({ costPrice, quantity, financialInstrument }: Position, currency: string): string | null {
  if (costPrice?.value == null || quantity.value === null || financialInstrument.factor !== undefined) return null;
  if (costPrice.type === "percentage") return productOf(quantity.value, costPrice.value, "0.01");
  if ((costPrice.currency ?? currency) !== currency) return null;
  return productOf(quantity.value, costPrice.value, financialInstrument.contractSize ?? "1");
}

interface Kind {
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
}

const derivative: Kind = { type: "DV", subtype: null };

/** The types of the specification; docs/reference/providers/openwealth.md has the same table. */
const kinds = new Map<string, Kind>(
  Object.entries({
    cash: { type: "L", subtype: null },
    bond: { type: "FI", subtype: null },
    equity: { type: "VI", subtype: null },
    fund: { type: "F", subtype: null },
    option: { type: "DV", subtype: "OP" },
    future: { type: "DV", subtype: "FT" },
    fxForward: { type: "DV", subtype: "FF" },
    fxSwap: derivative,
    fxOption: { type: "DV", subtype: "OP" },
    interestRateSwap: derivative,
    totalReturnSwap: derivative,
    derivative,
    creditDefaultSwap: derivative,
    mortgage: { type: "BP", subtype: null },
    credit: { type: "BP", subtype: null },
    fixedLoan: { type: "BP", subtype: null },
    callableLoan: { type: "BP", subtype: null },
    fixedDeposit: { type: "BP", subtype: null },
    callableDeposit: { type: "BP", subtype: null },
    cryptoAsset: { type: "C", subtype: null },
  }),
);

/** CFI codes (ISO 10962) that are more specific than the type. */
const kindsByCfi: readonly (readonly [type: string, letters: string, Kind])[] = [
  ["fund", "CE", { type: "ETF", subtype: null }],
  ["fund", "CB", { type: "AEP", subtype: "RA" }],
  ["fund", "CH", { type: "AEP", subtype: null }],
  ["fund", "CP", { type: "AEP", subtype: "PE" }],
  ["option", "RW", { type: "DV", subtype: "W" }],
  ["future", "FC", { type: "DV", subtype: "COM" }],
];

function kindOf({ type, cfiCode = "", underlyingFinancialInstrument }: Instrument): Kind {
  const finer = kindsByCfi.find(([of, letters]) => of === type && cfiCode.startsWith(letters));
  if (finer) return finer[2];
  if (type === "option" && underlyingFinancialInstrument?.type === "future") return { type: "DV", subtype: "FOP" };
  return kinds.get(type) ?? { type: "O", subtype: null };
}

const schemes = new Map<string, keyof SecurityIdentifiers>(
  Object.entries({
    isin: "isin",
    cusip: "cusip",
    sedol: "sedol",
    wertpapier: "wkn",
    valoren: "valor",
    tickerSymbol: "ticker",
  }),
);

/** Identifiers of an instrument. Bloomberg identifiers are of several kinds; FIGIs are recognised by their form. */
export function toIdentifiers({ identificationList }: Instrument): SecurityIdentifiers {
  return Object.fromEntries(
    identificationList.flatMap(({ type, identifier }) => {
      const scheme = type === "bloomberg" && /^BBG[0-9A-Z]{9}$/.test(identifier) ? "figi" : schemes.get(type);
      return scheme === undefined || identifier === "" ? [] : [[scheme, identifier]];
    }),
  );
}
