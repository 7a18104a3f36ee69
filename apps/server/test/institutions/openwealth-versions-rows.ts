import {
  Exact,
  type Json,
  type JsonObject,
} from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import type { HeldAccount, HeldBooking, HeldPosition, Movement, Product } from "./openwealth-versions-book.js";
import type { Version } from "./openwealth-versions-values.js";

/** In 1.x the IBAN names the account where there is one; in 2.0 it "should NOT be the account identifier". */
export function accountId(version: Version, { id, iban }: HeldAccount): string {
  return version === "2.0" ? id : (iban ?? id);
}

export function accountInformation(version: Version, account: HeldAccount): JsonObject {
  const { iban, type, currency, name, designation, portfolio } = account;
  return {
    accountIdentification: accountId(version, account),
    ...(version === "2.0" ? { iban } : { accountIdentificationType: iban ? "iban" : "other" }),
    accountType: type,
    accountReferenceCurrency: currency,
    accountName: name,
    accountDesignation: designation,
    portfolioInformation: portfolio && {
      portfolioIdentification: portfolio,
      portfolioReferenceCurrency: currency,
    },
  };
}

/** `date` is the day that the statement is of. `isStrict`: with the member that the descriptions require and never describe. */
export function positionRow(version: Version, held: HeldPosition, date: string, isStrict: boolean): JsonObject {
  const { account, product, units, unit_type: type, currency, accrued } = held;
  const prices = [priceRow(version, held, "costPrice", date), priceRow(version, held, "marketPrice", date)].flat();
  return {
    identification: held.id,
    externalReference: held.reference,
    currency,
    amountOrUnits: { ...signed(version, units, held.isUnsigned), type },
    positionName: held.name,
    ...(prices.length > 0 ? { [version === "2.0" ? "priceList" : "prices"]: prices } : {}),
    safekeepingPlace: account.type === "safekeepingAccount" ? "INSECHZZXXX" : undefined,
    accruedInterest:
      accrued === undefined ? undefined : { ...signed(version, accrued), currency, numberOfDaysAccrued: 34 },
    ...(version === "2.0" && held.blocked ? { blockedAmount: signed(version, held.blocked) } : {}),
    positionAdditionalDetails: held.details,
    ...(isStrict ? { instrumentIdentification: product?.identification ?? currency } : {}),
    financialInstrument: product && instrument(version, product),
  };
}

function priceRow(
  version: Version,
  held: HeldPosition,
  type: "costPrice" | "marketPrice",
  date: string,
): readonly JsonObject[] {
  const { account, currency, rate, price_type: amountType } = held;
  const isCost = type === "costPrice";
  const [price, value] = isCost ? [held.cost, held.cost_value] : [held.price, held.value];
  if (price === undefined && value === undefined) return [];
  const rates = rate && [exchangeRate(version, { from: currency, rate, to: account.currency, type: "calculatory" })];
  return [
    {
      ...(price === undefined ? {} : signed(version, price)),
      amountType,
      [version === "2.0" ? "positionPriceType" : "priceType"]: type,
      ...(amountType === "perUnit" ? { currency } : {}),
      date,
      sourceOfPrice: isCost ? undefined : "SIX Swiss Exchange",
      ...(rates ? (version === "2.0" ? { foreignExchangeRateList: rates } : inFirst(version, rates)) : {}),
      valuation: value === undefined ? undefined : { ...signed(version, value), currency: account.currency },
    },
  ];
}

/** A rate is a list in 1.1, and one object in 1.2. */
function inFirst(version: Version, rates: readonly JsonObject[]): JsonObject {
  return { foreignExchangeRate: version === "1.1" ? rates : rates[0] };
}

function instrument(version: Version, product: Product): JsonObject {
  const { interest, option, underlying } = product;
  const isSecond = version === "2.0";
  const dates = Object.entries(product.dates ?? {}).map(([type, date]) => ({ type, date }));
  const prices = product.prices?.map(({ type, amount, currency }) => ({
    ...signed(version, amount),
    ...(isSecond ? { amountType: "perUnit" } : {}),
    currency,
    type,
  }));
  const rate = interest && {
    rate: figure(version, interest.rate),
    currency: interest.currency,
    ...(isSecond ? { type: "fixed" } : {}),
    dayCountBasis: interest.day_count,
    paymentDate: interest.payment_date,
    paymentFrequency: interest.frequency,
  };
  const named = {
    financialInstrumentIdentification: { identification: product.identification, type: product.scheme },
    financialInstrumentName: product.name,
    optionDetails: option && { optionType: option.type, optionStyle: option.style },
    contractSize: product.contract_size && figure(version, product.contract_size),
    minimumDenomination: product.minimum_denomination && figure(version, product.minimum_denomination),
    inactiveIndicator: false,
  };
  if (isSecond) {
    return {
      ...named,
      financialInstrumentType: product.cfi,
      interestList: rate && [rate],
      ...(dates.length > 0 ? { dateList: dates } : {}),
      financialInstrumentPriceList: prices,
      underlyingList: underlying && [instrument(version, underlying)],
    };
  }
  return {
    ...named,
    interests: rate,
    ...(dates.length > 0 ? { dates } : {}),
    financialInstrumentPrices: prices,
    underlyingList: underlying && [
      { underlyingFinancialInstrument: { identification: underlying.identification, type: underlying.scheme } },
    ],
  };
}

export function transactionRow(version: Version, customer: string, booking: HeldBooking): JsonObject {
  const isSecond = version === "2.0";
  const { price, triggering } = booking;
  const rates = booking.rate && [exchangeRate(version, booking.rate)];
  const price_list = price && [
    {
      amount: figure(version, price.amount),
      amountType: price.type,
      [isSecond ? "transactionPriceType" : "priceType"]: "dealPrice",
      ...(price.type === "perUnit" ? { currency: price.currency } : {}),
    },
  ];
  const movements = booking.movements?.map((movement) => movementRow(version, movement));
  const postings = booking.postings?.map(([account, amount]) => ({
    ...signed(version, amount),
    currency: account.currency,
    accountInformation: accountInformation(version, account),
  }));
  const named = triggering && {
    identification: triggering.identification,
    type: triggering.scheme,
    name: triggering.name,
  };
  return {
    customerIdentification: customer,
    transactionIdentification: booking.id,
    placeOfTrade: booking.market && { marketIdentificationCode: booking.market },
    reversalIndicator: booking.reverses !== undefined,
    reversedTransactionIdentification: booking.reverses,
    dateList: Object.entries(booking.dates).map(([dateType, date]) => ({ date, dateType })),
    transactionType: booking.type,
    transactionSubtype: booking.subtype,
    [isSecond ? "triggeringFinancialInstrument" : "underlyingFinancialInstrument"]: named,
    movementList: movements,
    [isSecond ? "postingAmountList" : "postingAmounts"]: postings,
    ...(rates ? { [isSecond ? "foreignExchangeRateList" : "foreignExchangeRates"]: nested(version, rates) } : {}),
    settlementCurrency: booking.settlement_currency,
    [isSecond ? "priceList" : "prices"]: price_list,
    transactionAdditionalDetails: booking.details,
  };
}

/** In 1.1 the schema of one rate is a list itself, so a list of rates is a list of lists. */
function nested(version: Version, rates: readonly JsonObject[]): Json {
  return version === "1.1" ? [rates] : rates;
}

function movementRow(version: Version, movement: Movement): JsonObject {
  const { account, amount, unit_type: type, product } = movement;
  const moved = signed(version, amount);
  const named = product && { identification: product.identification, type: product.scheme, name: product.name };
  return {
    ...(version === "2.0" ? { amountOrUnits: { ...moved, type } } : { ...moved, amountType: type }),
    currency: movement.currency,
    movementType: movement.type,
    financialInstrument: version === "2.0" ? product && instrument(version, product) : named,
    positionIdentification: movement.position,
    accountDetails: {
      accountIdentification: accountId(version, account),
      accountIdentificationType: version !== "2.0" && account.iban ? "iban" : "other",
    },
  };
}

function exchangeRate(
  version: Version,
  {
    from,
    rate,
    to,
    type,
  }: { readonly from: string; readonly rate: string; readonly to: string; readonly type: string },
): JsonObject {
  return { sourceCurrency: from, rate: figure(version, rate), targetCurrency: to, fxType: type };
}

/** Amounts are absolute, with the sign beside them, which 1.x does not require. */
function signed(version: Version, text: string, isUnsigned = false): JsonObject {
  const creditDebitIndicator = text.startsWith("-") ? "debit" : "credit";
  return { amount: figure(version, text), ...(isUnsigned ? {} : { creditDebitIndicator }) };
}

/** A number in 1.1, digits in a string from 1.2 on. */
function figure(version: Version, text: string): Json {
  const absolute = text.replace(/^-/, "");
  return version === "1.1" ? new Exact(absolute) : absolute;
}
