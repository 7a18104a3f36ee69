/** An exact fraction, in lowest terms, with a positive denominator. */
export class Fraction {
  static readonly zero = new Fraction(0n, 1n);
  static readonly one = new Fraction(1n, 1n);
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint, bottom: bigint) {
    if (bottom === 0n) throw new RangeError("a fraction has no zero below");
    const divisor = greatestDivisor(top, bottom) * (bottom < 0n ? -1n : 1n);
    this.top = top / divisor;
    this.bottom = bottom / divisor;
  }

  /** Of a decimal such as "-12.50". */
  static of(decimal: string): Fraction {
    const [, sign, whole = "", part = ""] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
    if (whole === "") throw new RangeError(`not a decimal: ${decimal}`);
    const units = BigInt(whole + part);
    return new Fraction(sign === "-" ? -units : units, 10n ** BigInt(part.length));
  }

  static sum(fractions: readonly Fraction[]): Fraction {
    return fractions.reduce((sum, fraction) => sum.plus(fraction), Fraction.zero);
  }

  get sign(): number {
    if (this.top === 0n) return 0;
    return this.top > 0n ? 1 : -1;
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.negated());
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom, this.bottom * other.top);
  }

  negated(): Fraction {
    return new Fraction(-this.top, this.bottom);
  }

  size(): Fraction {
    return this.sign < 0 ? this.negated() : this;
  }

  power(exponent: number): Fraction {
    return new Fraction(this.top ** BigInt(exponent), this.bottom ** BigInt(exponent));
  }

  /** Negative, zero or positive, as this is less than, equal to or greater than the other. */
  compare(other: Fraction): number {
    return this.minus(other).sign;
  }

  equals(other: Fraction): boolean {
    return this.compare(other) === 0;
  }

  /** With so many decimals, rounded half even; zero has no sign. */
  toFixed(decimals: number): string {
    const units = roundedHalfEven(this.top * 10n ** BigInt(decimals), this.bottom);
    const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals);
    return `${units < 0n ? "-" : ""}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ""}`;
  }

  /** With exactly so many significant digits, rounded half even. Of a positive fraction. */
  toSignificant(digits: number): string {
    // The place of the first digit: 0 for 1 to 9, -1 for 0.1 to 0.9.
    let place = this.top.toString().length - this.bottom.toString().length;
    if (this.compare(powerOfTen(place)) < 0) place -= 1;
    const decimals = digits - 1 - place;
    if (decimals < 0) {
      const units = roundedHalfEven(this.top, this.bottom * 10n ** BigInt(-decimals));
      return (units * 10n ** BigInt(-decimals)).toString();
    }
    const text = this.toFixed(decimals);
    // 9.9999999999 became 10.000000000: one digit too many.
    const significant = text.replace(".", "").replace(/^0+/, "").length;
    return significant > digits ? this.toFixed(Math.max(0, decimals - 1)) : text;
  }
}

/** Decimals of an amount as it is stated. */
export function scaleOf(decimal: string): number {
  const point = decimal.indexOf(".");
  return point === -1 ? 0 : decimal.length - point - 1;
}

function powerOfTen(exponent: number): Fraction {
  return exponent < 0 ? new Fraction(1n, 10n ** BigInt(-exponent)) : new Fraction(10n ** BigInt(exponent), 1n);
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [left, right] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

function roundedHalfEven(top: bigint, bottom: bigint): bigint {
  const size = top < 0n ? -top : top;
  const whole = size / bottom;
  const twice = (size % bottom) * 2n;
  const up = twice > bottom || (twice === bottom && whole % 2n === 1n);
  const rounded = whole + (up ? 1n : 0n);
  return top < 0n ? -rounded : rounded;
}
