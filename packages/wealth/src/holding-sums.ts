import { DecimalSum } from "./currency-sums.js";
import type { HoldingFacts, HoldingSum } from "./facts.js";
import { formatDecimal } from "./fraction.js";

/**
 * What holdings are worth by type and currency, in order of their first holding, with the largest scale of their balances. Those without a balance,
 * and notionals, are in none.
 */
export function sumsOfHoldings(
  holdings: readonly (Pick<HoldingFacts, "type" | "currency" | "balance"> & {
    readonly is_notional?: boolean | undefined;
  })[],
): HoldingSum[] {
  const groups = new Map<string, [type: string, currency: string, sum: DecimalSum]>();
  for (const { type, currency, balance, is_notional } of holdings) {
    if (balance === null || is_notional) continue;
    const key = JSON.stringify([type, currency]);
    const group = groups.get(key) ?? [type, currency, new DecimalSum()];
    groups.set(key, group);
    group[2].add(balance);
  }
  return [...groups.values()].map(([type, currency, sum]) => [type, currency, formatDecimal(sum.sum())]);
}
