import type { HoldingData } from "@org/core";

/** Cash of a portfolio as a holding: so many units of the currency, worth as much. `day` is `YYYY-MM-DD`. */
export function cashHolding(portfolio_key: string, currency: string, value: string, day: string): HoldingData {
  return {
    key: cashKey(currency),
    portfolio_key,
    name: `Cash ${currency}`,
    isin: null,
    amount: value,
    balance: value,
    currency,
    valuation_date: day,
    type: "L",
    subtype: null,
  };
}

/** The key of a portfolio's cash in a currency. */
export function cashKey(currency: string): string {
  return `CASH:${currency}`;
}
