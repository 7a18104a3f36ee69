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

/** A sum of decimal strings to which some are added and from which others are taken again, exact, with the largest of their scales. */
export class DecimalSum {
  /** By scale: the sum in units, in two parts, since most amounts are short and numbers are ten times as fast. */
  private readonly numbers: number[] = [];
  private readonly units: bigint[] = [];
  private readonly counts: number[] = [];
  /** Amounts that are not zero. */
  private nonZero = 0;

  add(amount: string): void {
    this.change(amount, 1, 1);
  }

  /** Adds the amount with the opposite sign. */
  subtract(amount: string): void {
    this.change(amount, -1, 1);
  }

  /** Takes away an amount that was added before. */
  remove(amount: string): void {
    this.change(amount, -1, -1);
  }

  private change(amount: string, sign: 1 | -1, count: 1 | -1): void {
    const point = amount.indexOf(".");
    const scale = point < 0 ? 0 : amount.length - point - 1;
    for (let at = this.counts.length; at <= scale; at += 1) {
      this.counts.push(0);
      this.numbers.push(0);
      this.units.push(0n);
    }
    this.counts[scale] = (this.counts[scale] ?? 0) + count;
    if (amount.length > MAX_NUMBER_LENGTH) {
      const { units } = parseDecimal(amount);
      this.units[scale] = (this.units[scale] ?? 0n) + (sign > 0 ? units : -units);
      if (units !== 0n) this.nonZero += count;
      return;
    }
    const units = shortUnits(amount);
    if (units !== 0) this.nonZero += count;
    const sum = (this.numbers[scale] ?? 0) + sign * units;
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

  /** Takes away an amount that was added before. */
  remove({ amount, currency }: Money): void {
    this.sumOf(currency).remove(amount);
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

/** The digits of a short decimal string as a whole number, with its sign. */
function shortUnits(amount: string): number {
  let units = 0;
  for (let at = 0; at < amount.length; at += 1) {
    const digit = amount.charCodeAt(at) - 48;
    // The point is below "0", and so is the minus.
    if (digit >= 0) units = units * 10 + digit;
  }
  return amount.charCodeAt(0) === 45 ? -units : units;
}
