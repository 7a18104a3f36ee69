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

/** An amount that was read: a {@link Decimal} and its currency. */
export interface Amount extends Decimal {
  readonly currency: string;
}

/** A sum of decimals to which amounts are added and from which they are taken again, exact, with the largest of their scales. */
export class DecimalSum {
  /** By scale. */
  private readonly units: bigint[] = [];
  private readonly counts: number[] = [];
  /** Amounts that are not zero. */
  private nonZero = 0;

  /** @param sign -1 takes an amount away that was added before */
  change({ units, scale }: Decimal, sign: 1 | -1): void {
    this.units[scale] = (this.units[scale] ?? 0n) + (sign > 0 ? units : -units);
    this.counts[scale] = (this.counts[scale] ?? 0) + sign;
    if (units !== 0n) this.nonZero += sign;
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
    for (let at = 0; at <= scale; at += 1) units += (this.units[at] ?? 0n) * powerOfTen(scale - at);
    return { units, scale: Math.max(scale, 0) };
  }
}

/** Sums of amounts by currency. */
export class CurrencySums {
  private readonly sums = new Map<string, DecimalSum>();

  add(amount: Amount): void {
    this.sumOf(amount.currency).change(amount, 1);
  }

  remove(amount: Amount): void {
    this.sumOf(amount.currency).change(amount, -1);
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
  private readonly used = new Map<string, FormedRate>();
  private readonly missed = new Set<string>();

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
    return [...this.used]
      .map(([key, rate]) => usedRate(key.slice(0, key.indexOf(" ")), rate))
      .sort((a, b) => (`${a.currency} ${a.date}` < `${b.currency} ${b.date}` ? -1 : 1));
  }

  /** Money of this currency, rounded. */
  money(value: Fraction): string {
    return round(value, currencyDigits(this.currency));
  }

  private rate(currency: string, day: number): Fraction | null {
    const rate = this.rates.find(currency, this.currency, day);
    const key = `${currency} ${rate ? rate.day : day}`;
    if (rate) {
      this.used.set(key, rate);
      return rate.value;
    }
    if (!this.missed.has(key)) {
      this.missed.add(key);
      this.missing.push({ reason: "rate_missing", from: currency, to: this.currency, date: dateOf(day) });
    }
    return null;
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

/** Reads an amount. */
export function amountOf({ amount, currency }: Money): Amount {
  return { ...parseDecimal(amount), currency };
}
