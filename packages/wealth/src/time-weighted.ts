import { weekdaysBetween } from "./days.js";
import type { NetFlow } from "./flows.js";
import { absolute, add, compare, type Fraction, multiply, ONE, product, subtract, ZERO } from "./fraction.js";

/** The accounts' value at the close of a day on which any of them is valued, or of the last day. */
export interface ValuePoint {
  readonly day: number;
  /** The same object as the point's before where nothing changed. */
  readonly value: Fraction;
  /** What accounts that enter this day are worth at its end, which is part of `value`. */
  readonly entered: Fraction;
}

/** A part of the period whose flows are weighted by days, since nobody valued the accounts when they came. */
export interface EstimatedPart {
  readonly from: number;
  readonly to: number;
  /** The sum of these flows' absolute values. */
  readonly flows: Fraction;
  /** They exceed 10 % of the value that the part begins with. */
  readonly large: boolean;
}

export interface TimeWeighted {
  /** 1 + return. */
  readonly growth: Fraction;
  /** The same with the costs added back; null where a part has nothing that could have earned them. */
  readonly gross: readonly (Fraction | null)[];
  readonly estimated: readonly EstimatedPart[];
}

/** Of parts: a gain on a base that is not above zero, and the days on which they end. */
export interface UndefinedReturn {
  readonly undefinedOn: readonly number[];
}

/**
 * The time-weighted return, linked over the points: 1 + (V1 − V0 − ΣF) / (V0 + ΣwF) of each part (§4).
 *
 * @param costs by valuation day, to be added back: one map for each gross return
 */
export function timeWeighted(
  points: readonly ValuePoint[],
  flows: readonly NetFlow[],
  costs: readonly ReadonlyMap<number, Fraction>[],
): TimeWeighted | UndefinedReturn {
  const flowsByDay = new Map<number, NetFlow[]>();
  for (const flow of flows) {
    const ofDay = flowsByDay.get(flow.countsOn);
    if (ofDay) ofDay.push(flow);
    else flowsByDay.set(flow.countsOn, [flow]);
  }
  const net = new Chain();
  const gross: (Chain | null)[] = costs.map(() => new Chain());
  const estimated: EstimatedPart[] = [];
  const undefinedOn: number[] = [];
  for (let index = 1; index < points.length; index += 1) {
    const [before, after] = [points[index - 1], points[index]];
    if (!before || !after) continue;
    const part = partOf(before, after, flowsByDay.get(after.day) ?? []);
    if (part.estimated) estimated.push(part.estimated);
    if (!net.link(part.base, part.outcome)) undefinedOn.push(after.day);
    for (const [at, ofDay] of costs.entries()) {
      const cost = ofDay.get(after.day);
      const outcome = cost ? add(part.outcome, cost) : part.outcome;
      if (gross[at] && !gross[at].link(part.base, outcome)) gross[at] = null;
    }
  }
  if (undefinedOn.length > 0) return { undefinedOn };
  return { growth: net.growth(), gross: gross.map((chain) => chain?.growth() ?? null), estimated };
}

/**
 * Factors outcome / base, linked. Where a base is the outcome before, the two cancel: days without flows leave nothing behind, and the product has as
 * many factors as there are days with flows.
 */
class Chain {
  private readonly outcomes: Fraction[] = [];
  private readonly bases: Fraction[] = [];

  /** False: there is a gain on a base that is not above zero. */
  link(base: Fraction, outcome: Fraction): boolean {
    if (base === outcome || compare(base, outcome) === 0) return true;
    if (base.n <= 0n) return false;
    if (this.outcomes.at(-1) === base) this.outcomes.pop();
    else this.bases.push(base);
    this.outcomes.push(outcome);
    return true;
  }

  growth(): Fraction {
    const [over, under] = [product(this.outcomes), product(this.bases)];
    return { n: over.n * under.d, d: over.d * under.n };
  }
}

interface Part {
  /** V0 + ΣwF. */
  readonly base: Fraction;
  /** The base and the gain: V1 − Σ(1 − w)F. */
  readonly outcome: Fraction;
  readonly estimated: EstimatedPart | null;
}

function partOf(before: ValuePoint, after: ValuePoint, flows: readonly NetFlow[]): Part {
  let from = before.day + 1;
  const firstFlow = flows[0];
  // Without a value there is nothing to earn until the first money comes.
  if (firstFlow && before.value.n === 0n) from = Math.min(Math.max(firstFlow.date, from), after.day);
  let base = before.value;
  let outcome = subtract(after.value, after.entered);
  let weighted: Fraction = ZERO;
  for (const { date, parts } of flows) {
    const weight = weightOf(date, parts.date.n > 0n, from, after.day);
    base = add(base, add(parts.start, multiply(parts.date, weight)));
    outcome = subtract(outcome, add(parts.end, multiply(parts.date, subtract(ONE, weight))));
    if (weight.n > 0n && compare(weight, ONE) < 0) weighted = add(weighted, absolute(parts.date));
  }
  if (weighted.n === 0n) return { base, outcome, estimated: null };
  const large = compare(multiply(weighted, { n: 10n, d: 1n }), before.value) > 0;
  return { base, outcome, estimated: { from, to: after.day, flows: weighted, large } };
}

/** The share of a part that a flow is there for: of its Mondays to Fridays, or of its days if it has none. */
function weightOf(date: number, isIn: boolean, from: number, to: number): Fraction {
  // Money in earns from its date on, money out until its date is over.
  const first = Math.max(isIn ? date : date + 1, from);
  const weekdays = weekdaysBetween(from, to);
  const [share, whole] =
    weekdays > 0 ? [weekdaysBetween(first, to), weekdays] : [Math.max(to - first + 1, 0), to - from + 1];
  return { n: BigInt(share), d: BigInt(whole) };
}
