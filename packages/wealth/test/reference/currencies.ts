import type { Rate } from "../../src/facts.js";
import { addDays } from "./days.js";
import { Fraction } from "./fraction.js";

/** An exact amount in a currency, and the decimals it was stated with. */
export interface Amount {
  readonly value: Fraction;
  readonly currency: string;
  readonly scale: number;
}

export interface UsedRate {
  readonly currency: string;
  readonly rate: string;
  readonly date: string;
  readonly source: string;
}

export interface MissingRate {
  readonly reason: "rate_missing";
  readonly from: string;
  readonly to: string;
  readonly date: string;
}

interface FormedRate {
  readonly rate: Fraction;
  readonly date: string;
  readonly sources: readonly string[];
}

/** Converts amounts and notes which rates were used and which were missing. With the target null, amounts stay as they are. */
export class Converter {
  readonly used = new Map<string, UsedRate>();
  readonly missing = new Map<string, MissingRate>();
  readonly target: string | null;
  readonly #rates: readonly Rate[];

  constructor(rates: readonly Rate[], target: string | null) {
    this.#rates = rates;
    this.target = target;
  }

  convert(amount: Amount, day: string): Amount {
    if (this.target === null || amount.currency === this.target) return amount;
    if (amount.value.sign === 0) return { ...amount, currency: this.target };
    const formed = formRate(this.#rates, amount.currency, this.target, day);
    if (formed === null) {
      const missing = { reason: "rate_missing", from: amount.currency, to: this.target, date: day } as const;
      this.missing.set(`${day} ${amount.currency}`, missing);
      return { ...amount, value: Fraction.zero, currency: this.target };
    }
    this.used.set(amount.currency, {
      currency: amount.currency,
      rate: formed.rate.toSignificant(10),
      date: formed.date,
      source: [...new Set(formed.sources)].join(", "),
    });
    return { ...amount, value: amount.value.times(formed.rate), currency: this.target };
  }

  usedRates(): UsedRate[] {
    return [...this.used.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
  }

  missingRates(): MissingRate[] {
    return [...this.missing.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, rate]) => rate);
  }
}

/** The rate of the latest day at most 7 before on which the pair can be formed. */
export function formRate(rates: readonly Rate[], from: string, to: string, day: string): FormedRate | null {
  for (let back = 0; back <= 7; back += 1) {
    const date = addDays(day, -back);
    const ofDay = rates.filter((rate) => rate.date === date);
    const formed = formOfDay(ofDay, from, to);
    if (formed !== null) return { ...formed, date };
  }
  return null;
}

type Legs = Omit<FormedRate, "date">;

function formOfDay(rates: readonly Rate[], from: string, to: string): Legs | null {
  const direct = leg(rates, from, to);
  if (direct !== null) return direct;
  const codes = new Set(rates.flatMap((rate) => [rate.base, rate.quote]));
  for (const through of ["EUR", ...[...codes].toSorted()]) {
    const first = leg(rates, from, through);
    const second = leg(rates, through, to);
    if (first !== null && second !== null)
      return { rate: first.rate.times(second.rate), sources: [...first.sources, ...second.sources] };
  }
  return null;
}

/** Directly, else inverted. */
function leg(rates: readonly Rate[], from: string, to: string): Legs | null {
  const direct = rates.find((rate) => rate.base === from && rate.quote === to);
  if (direct !== undefined) return { rate: Fraction.of(direct.rate), sources: [direct.source] };
  const inverse = rates.find((rate) => rate.base === to && rate.quote === from);
  if (inverse !== undefined) return { rate: Fraction.one.over(Fraction.of(inverse.rate)), sources: [inverse.source] };
  return null;
}

/** Sums by currency, in order of their codes. */
export function sumByCurrency(amounts: readonly Amount[]): Amount[] {
  const codes = [...new Set(amounts.map((amount) => amount.currency))].toSorted();
  return codes.map((currency) => {
    const those = amounts.filter((amount) => amount.currency === currency);
    return {
      value: Fraction.sum(those.map((amount) => amount.value)),
      currency,
      scale: Math.max(...those.map((amount) => amount.scale)),
    };
  });
}

/** Money as it is shown: to the digits of the currency where one was asked for, otherwise with the decimals that were stated. */
export function showMoney(amount: Amount, asked: string | null): string {
  return amount.value.toFixed(asked === null ? amount.scale : digitsOf(asked));
}

/** Minor digits of ISO 4217; 2 where it has none. */
export function digitsOf(currency: string): number {
  if (zeroDigits.includes(currency)) return 0;
  if (threeDigits.includes(currency)) return 3;
  return fourDigits.includes(currency) ? 4 : 2;
}

const zeroDigits = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ");
const threeDigits = "BHD IQD JOD KWD LYD OMR TND".split(" ");
const fourDigits = ["CLF", "UYW"];
