import type { Steps } from "@org/provider-kit";
import { type Fraction, toNumber } from "./fraction.js";
import { createPower, precisions } from "./powers.js";
import { invalidArgument } from "./wealth-error.js";

/** Money that went in (negative: it is paid) or came out, a number of days after the opening. */
export interface CashFlow {
  readonly day: number;
  readonly amount: Fraction;
}

/** A root of Σ CF·x^(−day / denominator): 1 + return, rounded to six decimals, in millionths. */
type Millionths = bigint;

/** Where the sum changes its sign: between 10^(k/100) and the next one. */
export interface Bracket {
  readonly low: number;
  readonly high: number;
  /** The sign at `low`; at `high` it is the other one. */
  readonly signAtLow: number;
}

const FIRST_POWER = -600;
const LAST_POWER = 600;
const HALVES = 2_000_000n;
/** How much work may go into a return, in powers of 128 bits: about a second. Only flows that cancel each other at most rates need more. */
const MAX_WORK = 500_000;
/** Powers of floats that cost as much as one of 128 bits. */
const FLOATS = 32;

/**
 * Σ CF·x^(−day / denominator) as a function of x, of which only the sign is asked. Floats answer where the sum is larger than a 2^30th of what it is
 * made of, a hundred thousand times what they can be wrong by; otherwise whole numbers with bounds, of 128 bits and more until the sign is certain.
 * What 2,048 bits cannot tell from zero is zero.
 */
export class PresentValue {
  private readonly floats: readonly { days: number; amount: number }[];
  /** Amounts times a common denominator. */
  private readonly whole: readonly { day: number; amount: bigint }[];
  private work = 0;

  constructor(
    flows: readonly CashFlow[],
    private readonly denominator: number,
  ) {
    const common = [...new Set(flows.map(({ amount }) => amount.d))].reduce(leastCommonMultiple, 1n);
    const days = new Map<number, bigint>();
    for (const { day, amount } of flows) days.set(day, (days.get(day) ?? 0n) + amount.n * (common / amount.d));
    this.whole = [...days].map(([day, amount]) => ({ day, amount })).filter(({ amount }) => amount !== 0n);
    this.floats = this.whole.map(({ day, amount }) => ({
      days: day / denominator,
      amount: toNumber({ n: amount, d: common }),
    }));
  }

  /**
   * The brackets of all changes of sign between 10^−6 and 10^6, in steps of 10^(1/100).
   * @throws WealthError VALIDATION_ERROR if it takes too much work, as {@link root}
   */
  *brackets(): Steps<Bracket[]> {
    const found: Bracket[] = [];
    // Nothing, or one amount, never changes its sign.
    if (this.whole.length < 2) return found;
    let signBefore = 0;
    let low = 0;
    // Each term is the one before times a constant; 1,200 steps are wrong by less than a 2^40th.
    const terms = Float64Array.from(this.floats, ({ days, amount }) => amount * 10 ** ((-FIRST_POWER / 100) * days));
    const steps = Float64Array.from(this.floats, ({ days }) => 10 ** (-days / 100));
    for (let k = FIRST_POWER; k <= LAST_POWER; k += 1) {
      yield;
      const x = 10 ** (k / 100);
      const sign = signOfSum(terms) ?? (yield* this.signAtPower(k));
      for (let at = 0; at < terms.length; at += 1) terms[at] = (terms[at] ?? 0) * (steps[at] ?? 0);
      if (sign === 0) continue;
      if (signBefore !== 0 && sign !== signBefore) found.push({ low, high: x, signAtLow: signBefore });
      [signBefore, low] = [sign, x];
    }
    return found;
  }

  /** The root within a bracket, rounded half even. */
  *root({ low, high, signAtLow }: Bracket): Steps<Millionths> {
    // The root is rounded to the first millionth m for which the sign at m + 1/2 is no longer that of `low`.
    let below = BigInt(Math.floor(low * 1e6 - 0.5));
    let above = BigInt(Math.ceil(high * 1e6 + 0.5));
    while (above - below > 1n) {
      yield;
      const middle = (above + below) >> 1n;
      const half = { n: 2n * middle + 1n, d: HALVES };
      const x = toNumber(half);
      const sign = x <= low ? signAtLow : x >= high ? -signAtLow : yield* this.sign(half);
      if (sign === 0) return middle % 2n === 0n ? middle : middle + 1n;
      if (sign === signAtLow) below = middle;
      else above = middle;
    }
    return above;
  }

  private *sign(x: Fraction): Steps<number> {
    return this.floatSign(toNumber(x)) ?? (yield* this.exactSign(x, { n: 1n, d: 1n }));
  }

  /** The sign at 10^(k/100), without floats. */
  private *signAtPower(k: number): Steps<number> {
    if (k !== 0) return yield* this.exactSign({ n: 10n, d: 1n }, { n: BigInt(k), d: 100n });
    const sum = this.whole.reduce((all, { amount }) => all + amount, 0n);
    return sum === 0n ? 0 : sum > 0n ? 1 : -1;
  }

  private floatSign(x: number): number | null {
    this.spend(this.floats.length / FLOATS);
    return signOfSum(Float64Array.from(this.floats, ({ days, amount }) => amount * x ** -days));
  }

  /** The sign at `base` ^ `exponent`. */
  private *exactSign(base: Fraction, exponent: Fraction): Steps<number> {
    for (const bits of precisions) {
      const power = createPower(base, bits);
      let sum = 0n;
      let doubt = 0n;
      for (const { day, amount } of this.whole) {
        yield;
        this.spend((bits / 128) ** 2);
        const { value, error } = power({ n: -BigInt(day) * exponent.n, d: BigInt(this.denominator) * exponent.d });
        sum += amount * value;
        doubt += (amount < 0n ? -amount : amount) * error;
      }
      if (sum > doubt) return 1;
      if (-sum > doubt) return -1;
    }
    return 0;
  }

  private spend(work: number): void {
    this.work += work;
    if (this.work > MAX_WORK)
      throw invalidArgument("method", "must be twr: flows of this period cancel each other at too many rates for mwr");
  }
}

/** The sign of a sum of floats; null where it is in doubt. */
function signOfSum(terms: Float64Array): number | null {
  let sum = 0;
  let size = 0;
  for (const term of terms) {
    sum += term;
    size += Math.abs(term);
  }
  return Math.abs(sum) > size * 2 ** -30 ? Math.sign(sum) : null;
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
