import type { MissingRate, Total, UsedRate } from "./answers.js";
import { currencyDigits } from "./currency-digits.js";
import { dateOf } from "./days.js";
import type { Money } from "./facts.js";
import {
  add,
  type Decimal,
  type Fraction,
  formatDecimal,
  fractionOf,
  multiply,
  parseDecimal,
  powerOfTen,
  round,
  ZERO,
} from "./fraction.js";
import { type FormedRate, type RateTable, usedRate } from "./rates.js";

/** Longer texts are added as BigInt: fewer digits are exact as numbers. */
const MAX_NUMBER_LENGTH = 15;
const MAX_NUMBER_SUM = 2 ** 52;
/** Character codes: of the point less that of "0", and of the minus. */
const POINT = -2;
const MINUS = 45;

/** A sum of decimal strings, exact, with the largest of their scales. */
export class DecimalSum {
  /** By scale: the sum in units, in two parts, since most amounts are short and numbers are ten times as fast. */
  private readonly numbers: number[] = [];
  private readonly units: bigint[] = [];
  private readonly counts: number[] = [];
  /** Amounts that are not zero. */
  private nonZero = 0;

  add(amount: string): void {
    this.change(parseAmount(amount), 1, 1);
  }

  /** Adds the amount with the opposite sign. */
  subtract(amount: string): void {
    this.change(parseAmount(amount), -1, 1);
  }

  /**
   * Adds units of a scale, or those of amounts with the opposite sign.
   * @param count 1 for an amount that comes, -1 for one that was added before
   */
  change({ units, scale }: Amount, sign: 1 | -1, count: 1 | -1): void {
    this.grow(scale);
    this.counts[scale] = (this.counts[scale] ?? 0) + count;
    if (typeof units === "number") {
      if (units !== 0) this.nonZero += count;
      this.addNumber(sign * units, scale);
    } else {
      if (units !== 0n) this.nonZero += count;
      this.units[scale] = (this.units[scale] ?? 0n) + (sign > 0 ? units : -units);
    }
  }

  /** Adds all that was added to another sum, and takes away what was taken from it. */
  merge(other: DecimalSum): void {
    this.nonZero += other.nonZero;
    this.grow(other.counts.length - 1);
    for (const [scale, count] of other.counts.entries()) {
      this.counts[scale] = (this.counts[scale] ?? 0) + count;
      this.addNumber(other.numbers[scale] ?? 0, scale);
      this.units[scale] = (this.units[scale] ?? 0n) + (other.units[scale] ?? 0n);
    }
  }

  private grow(scale: number): void {
    for (let at = this.counts.length; at <= scale; at += 1) {
      this.counts.push(0);
      this.numbers.push(0);
      this.units.push(0n);
    }
  }

  private addNumber(units: number, scale: number): void {
    const sum = (this.numbers[scale] ?? 0) + units;
    if (Math.abs(sum) < MAX_NUMBER_SUM) this.numbers[scale] = sum;
    else {
      this.units[scale] = (this.units[scale] ?? 0n) + BigInt(sum);
      this.numbers[scale] = 0;
    }
  }

  isEmpty(): boolean {
    return !this.counts.some((count) => count > 0);
  }

  /** Whether all amounts are zero: such a sum needs no rate. */
  isZero(): boolean {
    return this.nonZero === 0;
  }

  sum(): Decimal {
    let scale = this.counts.length - 1;
    while (scale > 0 && !this.counts[scale]) scale -= 1;
    let units = 0n;
    for (let at = 0; at <= scale; at += 1)
      units += ((this.units[at] ?? 0n) + BigInt(this.numbers[at] ?? 0)) * powerOfTen(scale - at);
    return { units, scale: Math.max(scale, 0) };
  }
}

/** Sums of amounts by currency. */
export class CurrencySums {
  private readonly sums = new Map<string, DecimalSum>();

  add({ amount, currency }: Money): void {
    this.sumOf(currency).add(amount);
  }

  /** Adds the amount with the opposite sign. */
  subtract({ amount, currency }: Money): void {
    this.sumOf(currency).subtract(amount);
  }

  /** Adds all that was added to another sum of a currency, and takes away what was taken from it. */
  merge(currency: string, sum: DecimalSum): void {
    this.sumOf(currency).merge(sum);
  }

  /** The currencies with amounts and their sums, by code. */
  entries(): [currency: string, sum: DecimalSum][] {
    return [...this.sums].filter(([, sum]) => !sum.isEmpty()).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private sumOf(currency: string): DecimalSum {
    let sum = this.sums.get(currency);
    if (!sum) {
      sum = new DecimalSum();
      this.sums.set(currency, sum);
    }
    return sum;
  }
}

/** Sums of amounts by currency on each day of a list: of each day only what differs from the day before is kept. */
export class DaySums {
  /** By currency, then by day. */
  private readonly changes = new Map<string, (DecimalSum | undefined)[]>();

  constructor(private readonly length: number) {}

  /** Adds an amount on the days at the indexes from `from` to before `to`. */
  add({ amount, currency }: Money, from: number, to: number): void {
    let changes = this.changes.get(currency);
    if (!changes) {
      changes = new Array<DecimalSum | undefined>(this.length).fill(undefined);
      this.changes.set(currency, changes);
    }
    const parsed = parseAmount(amount);
    changeOf(changes, from).change(parsed, 1, 1);
    if (to < this.length) changeOf(changes, to).change(parsed, -1, -1);
  }

  /** The sums of each day, by its index; they change with the next one. */
  *days(): Generator<[index: number, sums: CurrencySums]> {
    const sums = new CurrencySums();
    for (let at = 0; at < this.length; at += 1) {
      for (const [currency, changes] of this.changes) {
        const change = changes[at];
        if (change) sums.merge(currency, change);
      }
      yield [at, sums];
    }
  }
}

function changeOf(changes: (DecimalSum | undefined)[], at: number): DecimalSum {
  let change = changes[at];
  if (!change) {
    change = new DecimalSum();
    changes[at] = change;
  }
  return change;
}

/** Converts to one currency, and keeps which rates were used and which are missing. */
export class Conversion {
  readonly missing: MissingRate[] = [];
  /** By currency and the day that they were asked for; null = missing. */
  private readonly known = new Map<string, Map<number, FormedRate | null>>();

  constructor(
    private readonly rates: RateTable,
    readonly currency: string,
  ) {}

  /** The amount in the currency, at the rate of a day. A missing rate is kept in {@link missing}, and the result is of no use. */
  convert(amount: Fraction, currency: string, day: number): Fraction {
    if (currency === this.currency || amount.n === 0n) return amount;
    const rate = this.rate(currency, day);
    return rate ? multiply(amount, rate) : ZERO;
  }

  /** The sum of amounts in all currencies, at the rates of one day. */
  total(sums: CurrencySums, day: number): Fraction {
    let total = ZERO;
    for (const [currency, sum] of sums.entries()) {
      if (!sum.isZero() && currency !== this.currency && !this.rate(currency, day)) continue;
      total = add(total, this.convert(fractionOf(sum.sum()), currency, day));
    }
    return total;
  }

  /** The rates that were used, by currency and day. */
  usedRates(): UsedRate[] {
    return [...this.known]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([currency, days]) => {
        const formed = [...days.values()].filter((rate) => rate !== null);
        const byDay = [...new Map(formed.map((rate) => [rate.day, rate])).values()];
        return byDay.sort((a, b) => a.day - b.day).map((rate) => usedRate(currency, rate));
      });
  }

  /** Money of this currency, rounded. */
  money(value: Fraction): string {
    return round(value, currencyDigits(this.currency));
  }

  private rate(currency: string, day: number): Fraction | null {
    let days = this.known.get(currency);
    if (!days) {
      days = new Map();
      this.known.set(currency, days);
    }
    let rate = days.get(day);
    if (rate === undefined) {
      rate = this.rates.find(currency, this.currency, day);
      days.set(day, rate);
      if (!rate) this.missing.push({ reason: "rate_missing", from: currency, to: this.currency, date: dateOf(day) });
    }
    return rate?.value ?? null;
  }
}

/**
 * Sums as answers have them: with a conversion one, rounded; without, one for each currency as its amounts were stated. None where there is no amount.
 */
export function totalsOf(sums: CurrencySums, conversion: Conversion | null, day: number): Total[] {
  const entries = sums.entries();
  if (!conversion) return entries.map(([currency, sum]) => ({ currency, balance: formatDecimal(sum.sum()) }));
  if (entries.length === 0) return [];
  return [{ currency: conversion.currency, balance: conversion.money(conversion.total(sums, day)) }];
}

/** An amount as it is written: units / 10^scale. */
interface Amount {
  readonly units: number | bigint;
  readonly scale: number;
}

function parseAmount(text: string): Amount {
  if (text.length > MAX_NUMBER_LENGTH) return parseDecimal(text);
  let units = 0;
  let point = text.length - 1;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    // The point is below "0", and so is the minus.
    if (digit >= 0) units = units * 10 + digit;
    else if (digit === POINT) point = at;
  }
  return { units: text.charCodeAt(0) === MINUS ? -units : units, scale: text.length - point - 1 };
}
