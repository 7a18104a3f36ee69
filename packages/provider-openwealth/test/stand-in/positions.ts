import { Exact, type JsonObject } from "./exact-json.js";
import type { HoldingTruth, PortfolioTruth } from "./truth.js";

/** An account, and what a customer should see of it. */
export interface BankAccount {
  readonly json: JsonObject & { readonly id: string; readonly referenceCurrency: string };
  readonly truth: PortfolioTruth;
}

/** A position, and what a customer should see of it. `json` lacks the dates, which depend on the request. */
export interface BankPosition {
  readonly id: string;
  readonly account: string;
  readonly json: JsonObject;
  readonly truth: HoldingTruth;
}

/** Figures of a position, digit by digit. */
export interface PositionFigures {
  readonly units: string;
  readonly unit_type?: "unit" | "faceAmount" | "amortisedValue" | "digitalTokenUnit";
  readonly value: string;
  readonly currency: string;
  readonly reference_value?: string;
  readonly price?: string;
  readonly price_type?: "actual" | "percentage";
  readonly cost_price?: string;
  readonly accrued?: string;
  /** If it differs from the currency of the value. */
  readonly position_currency?: string;
  readonly rate?: string;
  readonly blocked?: string;
}

const types: Readonly<Record<string, Pick<HoldingTruth, "type" | "subtype">>> = {
  cash: { type: "L" },
  bond: { type: "FI" },
  equity: { type: "VI" },
  fund: { type: "F" },
  option: { type: "DV", subtype: "OP" },
  future: { type: "DV", subtype: "FT" },
  cryptoAsset: { type: "C" },
};

/** Identification types that have a name among the product's facts. */
const schemes: Readonly<Record<string, string>> = {
  sedol: "sedol",
  cusip: "cusip",
  valoren: "valor",
  wertpapier: "wkn",
  tickerSymbol: "ticker",
};

export function account(
  id: string,
  type: "cashAccount" | "safekeepingAccount" | "other",
  currency: string,
  more: { readonly iban?: string; readonly number?: string; readonly name?: string; readonly balance?: string } = {},
): BankAccount {
  const { iban, number, name, balance } = more;
  return {
    json: { id, type, name, iban, number, referenceCurrency: currency },
    truth: {
      account: id,
      currency,
      reference: iban ?? number ?? null,
      type: type === "cashAccount" ? "L" : type === "safekeepingAccount" ? "S" : "O",
      ...(balance === undefined ? {} : { balance }),
    },
  };
}

/** A financial instrument: its type, name, identifiers by scheme, and members specific to its type. */
export function instrument(
  type: string,
  name: string,
  identifications: Readonly<Record<string, string>> = {},
  more: JsonObject = {},
): JsonObject {
  const list = Object.entries(identifications).map(([scheme, identifier]) => ({ identifier, type: scheme }));
  return { type, name, ...(list.length > 0 ? { identificationList: list } : {}), ...more };
}

export function cash(currency: string): JsonObject {
  return instrument("cash", `Cash ${currency}`, { iso3: currency }, { currencyOfDenomination: currency });
}

export function amount(value: string, currency: string): JsonObject {
  return { amount: new Exact(value), currency };
}

export function position(id: string, held: BankAccount, of: JsonObject, figures: PositionFigures): BankPosition {
  const { units, value, currency, price, price_type: priceType, accrued } = figures;
  const reference = held.json.referenceCurrency;
  return {
    id,
    account: held.json.id,
    json: {
      id,
      financialInstrument: of,
      account: held.json,
      name: of.name,
      currency: figures.position_currency ?? currency,
      safekeepingPlace: "INSECHZZXXX",
      quantity: { type: figures.unit_type ?? "unit", value: new Exact(units) },
      valuation: {
        valueInPositionCurrency: amount(value, currency),
        ...(figures.reference_value ? { valueInReferenceCurrency: amount(figures.reference_value, reference) } : {}),
      },
      ...(price
        ? {
            price: {
              type: priceType ?? "actual",
              value: new Exact(price),
              ...(priceType === "percentage" ? {} : { currency }),
              sourceOfPrice: "SIX Swiss Exchange",
            },
          }
        : {}),
      ...(figures.cost_price
        ? { costPrice: { type: priceType ?? "actual", value: new Exact(figures.cost_price) } }
        : {}),
      ...(figures.rate
        ? {
            foreignExchangeRate: {
              value: new Exact(figures.rate),
              sourceCurrency: currency,
              targetCurrency: reference,
            },
          }
        : {}),
      ...(accrued ? { accruedInterest: amount(accrued, currency) } : {}),
      ...(figures.blocked
        ? { blockedQuantity: { type: figures.unit_type ?? "unit", value: new Exact(figures.blocked) } }
        : {}),
    },
    truth: {
      position: id,
      account: held.json.id,
      name: String(of.name),
      isin: identification(of, "isin"),
      amount: units,
      balance: value,
      currency,
      ...types[String(of.type)],
      ...(price ? { price, price_unit: priceType === "percentage" ? "percent" : "currency" } : {}),
      ...(price && priceType !== "percentage" ? { price_currency: currency } : {}),
      ...(accrued ? { accrued_interest: accrued } : {}),
      identifiers: Object.fromEntries(
        Object.entries(schemes).flatMap(([scheme, fact]) => {
          const found = identification(of, scheme);
          return found === null ? [] : [[fact, found]];
        }),
      ),
    },
  };
}

function identification(of: JsonObject, scheme: string): string | null {
  const list = (of.identificationList ?? []) as readonly { readonly identifier: string; readonly type: string }[];
  return list.find(({ type }) => type === scheme)?.identifier ?? null;
}
