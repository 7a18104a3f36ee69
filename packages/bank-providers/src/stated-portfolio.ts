import { isDecimalString, sumDecimals } from "@org/core";
import { cashFrom, type HoldingData, memoize, type PortfolioData } from "@org/provider-kit";

/** A portfolio of a file, with the time as of which it is stated. */
export interface StatedPortfolio extends PortfolioData {
  readonly as_of: Date;
}

/** The time as of which a file is stated: that of its latest portfolio. */
export function latestAsOf(portfolios: Iterable<StatedPortfolio>): Date {
  let latest = new Date(0);
  for (const { as_of } of portfolios) if (as_of > latest) latest = as_of;
  return latest;
}

/** Midnight UTC of a day, `YYYY-MM-DD`. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/**
 * The exact sum of the holdings' values without notionals; null if one has no value or another currency, or there is nothing to sum.
 */
export function sumOfHoldings(holdings: readonly HoldingData[], currency: string): string | null {
  const values: string[] = [];
  for (const { balance, currency: own, is_notional } of holdings) {
    if (is_notional) continue;
    if (balance === null || own !== currency) return null;
    values.push(balance);
  }
  if (values.length === 0) return null;
  const sum = sumDecimals(values);
  return isDecimalString(sum) ? sum : null;
}

/** The cash of a portfolio as a holding: both units and value are the amount. `day` is `YYYY-MM-DD`, `place` where the file states it. */
export function cashHolding(
  portfolio_key: string,
  currency: string,
  value: string,
  day: string,
  place: string,
): HoldingData {
  return {
    ...cashFrom({ key: cashKey(currency), portfolio_key, currency, amount: value, valuation_date: day }),
    place,
  };
}

/** The key of a portfolio's cash in a currency. */
export const cashKey = memoize((currency) => `CASH:${currency}`, "EUR".length);
