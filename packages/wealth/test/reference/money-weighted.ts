import { daysBetween } from "./days.js";
import type { Fraction } from "./fraction.js";
import { exponential, fixed, logarithmOfTen, sixDecimals, times, unit } from "./high-precision.js";
import { Refusal } from "./refusal.js";
import type { Outcome, Series } from "./series.js";

/** Cash of a day: what the owner pays is negative. */
interface Cash {
  readonly days: number;
  readonly value: bigint;
}

/** The x with Σ CF·x^(−days/of) = 0. @throws Refusal where there is none, or more than one */
export function moneyWeighted(series: Series): Outcome {
  const cash: Cash[] = [
    paid(0, series.valueAt(series.opening)),
    // What came late was paid at the opening.
    ...series.flows.map((flow) => paid(Math.max(0, daysBetween(series.opening, flow.date)), flow.value)),
    ...series.entries.map((entry) => paid(daysBetween(series.opening, entry.date), entry.value)),
    paid(daysBetween(series.opening, series.to), series.valueAt(series.to).negated()),
  ];
  const roots = rootsOf(cash, daysBetween(series.opening, series.to));
  const [root, ...others] = roots;
  if (root === undefined) throw new Refusal("INSUFFICIENT_DATA", [{ reason: "no_root" }]);
  const returns = roots.map((each) => sixDecimals(each - unit));
  if (others.length > 0) throw new Refusal("INSUFFICIENT_DATA", [{ reason: "several_roots", returns }]);
  return {
    factor: { shown: sixDecimals(root - unit), fixed: root },
    gross: null,
    grossOfTaxes: null,
    estimated: [],
  };
}

function paid(days: number, value: Fraction): Cash {
  return { days, value: -fixed(value) };
}

/** Sign changes between 10^(k/100), k = −600 … 600, bisected; a step on which the sum is zero is a root itself. */
function rootsOf(cash: readonly Cash[], of: number): bigint[] {
  const size = cash.reduce((sum, { value }) => sum + (value < 0n ? -value : value), 0n);
  if (size === 0n || of === 0) return [];
  const powerOf = (logarithm: bigint, days: number) => exponential((-logarithm * BigInt(days)) / BigInt(of));
  // What is less than a 10^40th of the largest term is the error of the last digits.
  const signOf = (terms: readonly bigint[]) => {
    const sum = terms.reduce((total, term) => total + term, 0n);
    const largest = terms.reduce(
      (most, term) => ((term < 0n ? -term : term) > most ? (term < 0n ? -term : term) : most),
      0n,
    );
    if ((sum < 0n ? -sum : sum) * 10n ** 40n <= largest) return 0;
    return sum > 0n ? 1 : -1;
  };
  const signAt = (logarithm: bigint) => signOf(cash.map(({ days, value }) => times(value, powerOf(logarithm, days))));
  // From step to step each term is multiplied by the same number.
  const step = logarithmOfTen / 100n;
  const ratios = cash.map(({ days }) => powerOf(step, days));
  let terms = cash.map(({ days, value }) => times(value, powerOf(-600n * step, days)));
  const signs: number[] = [];
  for (let k = -600; k <= 600; k += 1) {
    signs.push(signOf(terms));
    terms = terms.map((term, index) => times(term, ratios[index] ?? unit));
  }
  return signs.flatMap((sign, index) => {
    const low = BigInt(index - 600) * step;
    const next = signs[index + 1];
    if (sign === 0) return [exponential(low)];
    return next !== undefined && sign * next < 0 ? [exponential(bisect(signAt, low, low + step, sign))] : [];
  });
}

/** To 60 decimals of the logarithm. */
function bisect(signAt: (logarithm: bigint) => number, low: bigint, high: bigint, sign: number): bigint {
  let [left, right] = [low, high];
  while ((right - left) * 10n ** 60n > unit) {
    const middle = (left + right) / 2n;
    const there = signAt(middle);
    if (there === 0) return middle;
    if (there === sign) left = middle;
    else right = middle;
  }
  return (left + right) / 2n;
}
