import { addDecimals, decimalString, type HoldingData } from "@org/core";

/** The exact sum of holdings' values; null when one has no value or another currency, or there is nothing to sum. */
export function sumOfHoldings(holdings: readonly HoldingData[], currency: string): string | null {
  if (holdings.length === 0) return null;
  let sum = "0";
  for (const { balance, currency: own } of holdings) {
    if (balance === null || own !== currency) return null;
    sum = addDecimals(sum, balance);
  }
  return decimalString.safeParse(sum).success ? sum : null;
}
