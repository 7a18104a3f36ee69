import { addDecimals } from "@org/core";
import { type EarlierDay, type HoldingData, utcDay } from "@org/provider-kit";

/** Months of a year, as in `YYYY-MM-DD`. */
const MISSING_MONTH = "03";
const UNVALUED_MONTH = "09";

/** Longer than the longest time between two days that are told. */
const CORRECTED_MS = 45 * 86_400_000;

/**
 * Earlier days as a bank tells them whose books have faults: it tells no days of March, in September the first holding has no value, and at the first
 * fetch the latest day has that holding at twice its price, which the next fetch corrects.
 */
export function withFaults(days: readonly EarlierDay[], isFirstFetch: boolean): readonly EarlierDay[] {
  const told = days.filter(({ date }) => monthIn(date) !== MISSING_MONTH);
  const latest = isFirstFetch ? told.at(-1) : undefined;
  return told.map((day) => {
    if (monthIn(day.date) === UNVALUED_MONTH)
      return changeFirstHolding(day, (holding) => ({ ...holding, balance: null }));
    return day === latest ? changeFirstHolding(day, doublePrice) : day;
  });
}

/** The first day that a fetch tells after another one, the latest day of that one at least. */
export function firstCorrectedDay(lastRead: Date): string {
  return utcDay(new Date(lastRead.getTime() - CORRECTED_MS));
}

function monthIn(date: string): string {
  return date.slice(5, 7);
}

function doublePrice(holding: HoldingData): HoldingData {
  const twice = (decimal: string) => addDecimals(decimal, decimal);
  return {
    ...holding,
    balance: holding.balance && twice(holding.balance),
    ...(holding.price !== undefined && { price: twice(holding.price) }),
  };
}

/** Changes a holding and the balance of its account, which is null where a holding has none. */
function changeFirstHolding(day: EarlierDay, change: (holding: HoldingData) => HoldingData): EarlierDay {
  const [first, ...others] = day.holdings;
  if (first === undefined) return day;
  const holdings = [change(first), ...others];
  const balances = holdings
    .filter(({ portfolio_key }) => portfolio_key === first.portfolio_key)
    .map(({ balance }) => balance);
  const balance = balances.includes(null)
    ? null
    : balances.reduce<string>((sum, one) => addDecimals(sum, one ?? "0"), "0.00");
  const portfolios = day.portfolios.map((portfolio) =>
    portfolio.key === first.portfolio_key ? { ...portfolio, balance } : portfolio,
  );
  return { ...day, portfolios, holdings };
}
