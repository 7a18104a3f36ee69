import type { UsedRate } from "./answers.js";
import { dateOf, dayNumber } from "./days.js";
import type { Rate } from "./facts.js";
import { divide, type Fraction, fraction, multiply, ONE, roundSignificant } from "./fraction.js";

/** How many days before the day asked for a rate may be. */
const MAX_AGE_DAYS = 7;
/** The code that pairs are formed through before any other one. */
const PIVOT = "EUR";

/** The rate of a pair: 1 of the first currency in the second one, exact. */
export interface FormedRate {
  readonly value: Fraction;
  /** The day of the rate, as a number. */
  readonly day: number;
  /** The sources of its legs. */
  readonly source: string;
}

/** Forms the rates of pairs of currencies out of those that are known. */
export class RateTable {
  private readonly days = new Map<number, Rate[]>();
  /** Results by pair and day of the rates; null = the pair cannot be formed of that day. */
  private readonly formed = new Map<string, Map<number, FormedRate | null>>();

  constructor(rates: readonly Rate[]) {
    let date = "";
    let ofDay: Rate[] = [];
    for (const rate of rates) {
      if (rate.date !== date) {
        date = rate.date;
        const day = dayNumber(date);
        ofDay = this.days.get(day) ?? [];
        this.days.set(day, ofDay);
      }
      ofDay.push(rate);
    }
  }

  /**
   * The rate from one currency to another one for a day: of the latest day, at most 7 before it, on which the pair can be formed: as stated, inverted,
   * through EUR, or through the first other code in order. Null if it cannot.
   */
  find(from: string, to: string, day: number): FormedRate | null {
    if (from === to) return { value: ONE, day, source: "" };
    const pair = `${from} ${to}`;
    let results = this.formed.get(pair);
    if (!results) {
      results = new Map();
      this.formed.set(pair, results);
    }
    for (let rateDay = day; rateDay >= day - MAX_AGE_DAYS; rateDay -= 1) {
      let rate = results.get(rateDay);
      if (rate === undefined) {
        rate = form(this.days.get(rateDay) ?? [], from, to, rateDay);
        results.set(rateDay, rate);
      }
      if (rate) return rate;
    }
    return null;
  }
}

/** What an answer shows of a rate. */
export function usedRate(currency: string, { value, day, source }: FormedRate): UsedRate {
  return { currency, rate: roundSignificant(value, 10), date: dateOf(day), source };
}

function form(rates: readonly Rate[], from: string, to: string, day: number): FormedRate | null {
  const direct = leg(rates, from, to);
  if (direct) return { ...direct, day };
  for (const middle of middles(rates, from)) {
    const first = leg(rates, from, middle);
    const second = first && leg(rates, middle, to);
    if (!second) continue;
    const source = first.source === second.source ? first.source : `${first.source}, ${second.source}`;
    return { value: multiply(first.value, second.value), day, source };
  }
  return null;
}

/** The currencies that one leg leads to, EUR first, then in order. */
function middles(rates: readonly Rate[], from: string): readonly string[] {
  const codes = new Set<string>();
  for (const { base, quote } of rates) {
    if (base === from) codes.add(quote);
    else if (quote === from) codes.add(base);
  }
  const others = [...codes].filter((code) => code !== PIVOT).sort();
  return codes.has(PIVOT) ? [PIVOT, ...others] : others;
}

function leg(rates: readonly Rate[], from: string, to: string): { value: Fraction; source: string } | null {
  let inverse: Rate | null = null;
  for (const rate of rates) {
    if (rate.base === from && rate.quote === to) return { value: fraction(rate.rate), source: rate.source };
    if (rate.base === to && rate.quote === from) inverse = rate;
  }
  return inverse && { value: divide(ONE, fraction(inverse.rate)), source: inverse.source };
}
