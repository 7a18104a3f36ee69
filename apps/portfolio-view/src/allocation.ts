import { addDecimals, compareDecimals } from "@org/core/decimal";

/** An amount and what it belongs to. */
export interface Part {
  readonly label: string;
  /** Exact decimal, like all money. */
  readonly amount: string;
}

/** A {@link Part} of a whole. */
export interface DrawnPart extends Part {
  /** 0 to 1, of the sum of all sizes regardless of sign: for drawing only. */
  readonly share: number;
}

/** Exact sums by label, the largest first, those below zero last; `parts` are of one currency. */
export function allocation(parts: readonly Part[]): readonly DrawnPart[] {
  const sums = new Map<string, string>();
  for (const { label, amount } of parts) sums.set(label, addDecimals(sums.get(label) ?? "0", amount));
  const sizes = [...sums.values()].reduce((all, sum) => all + Math.abs(Number(sum)), 0);
  return [...sums]
    .map(([label, amount]) => ({ label, amount, share: sizes === 0 ? 0 : Math.abs(Number(amount)) / sizes }))
    .sort((a, b) => compareDecimals(b.amount, a.amount) || (a.label < b.label ? -1 : 1));
}
