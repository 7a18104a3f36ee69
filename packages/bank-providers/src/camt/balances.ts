import type { MarkupElement } from "../markup/element.js";
import { childrenOf, requiredChild } from "../markup/values.js";
import { dayOf, type SignedAmount, signedAmount, textAt } from "./values.js";

/** A balance that an account ends with. */
export interface ClosingBalance extends SignedAmount {
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/** Balances that say what was in the account at the end, best first: closing booked, else the interim one of an unfinished day. */
const closingCodes = ["CLBD", "ITBD"];

/**
 * The closing booked balances of a statement, one for each currency, in file order; every other balance (opening, available,
 * expected) is checked and left out. Of several in one currency the latest counts, of one day the last.
 */
export function readClosingBalances(statement: MarkupElement): readonly ClosingBalance[] {
  const balances = childrenOf(statement, "Bal").map((balance) => ({
    code: codeOf(balance),
    day: dayOf(requiredChild(balance, "Dt")),
    ...signedAmount(balance),
  }));
  const best = closingCodes.find((code) => balances.some((balance) => balance.code === code));
  const latest = new Map<string, ClosingBalance>();
  for (const { code, ...balance } of balances) {
    if (code !== best) continue;
    const earlier = latest.get(balance.currency);
    if (!earlier || earlier.day <= balance.day) latest.set(balance.currency, balance);
  }
  return [...latest.values()];
}

function codeOf(balance: MarkupElement): string | null {
  return textAt(requiredChild(balance, "Tp"), "CdOrPrtry", "Cd");
}
