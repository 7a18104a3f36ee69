/**
 * An exact fraction `n / d` with `d` > 0. It is seldom in lowest terms: amounts and rates are decimals of a few digits, and a common divisor costs
 * more to find than the longer numbers cost to multiply.
 */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

/** A decimal as it is written: `units` / 10^`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const ZERO: Fraction = { n: 0n, d: 1n };
export const ONE: Fraction = { n: 1n, d: 1n };

const powers: bigint[] = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10 to a power of 0 or more. */
export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/** Reads a decimal string such as `"-1523.470"`. */
export function parseDecimal(text: string): Decimal {
  const point = text.indexOf(".");
  if (point < 0) return { units: BigInt(text), scale: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

/** Writes a decimal with all its digits; zero has no minus. */
export function formatDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The value of a decimal. */
export function fractionOf({ units, scale }: Decimal): Fraction {
  return { n: units, d: powerOfTen(scale) };
}

/** The value of a decimal string. */
export function fraction(text: string): Fraction {
  return fractionOf(parseDecimal(text));
}

export function add(a: Fraction, b: Fraction): Fraction {
  if (a.n === 0n) return b;
  if (b.n === 0n) return a;
  if (a.d === b.d) return { n: a.n + b.n, d: a.d };
  if (a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d };
  if (b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d };
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export function negate({ n, d }: Fraction): Fraction {
  return { n: -n, d };
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, negate(b));
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** @throws RangeError if `b` is zero */
export function divide(a: Fraction, b: Fraction): Fraction {
  if (b.n === 0n) throw new RangeError("division by zero");
  return b.n < 0n ? { n: -a.n * b.d, d: -a.d * b.n } : { n: a.n * b.d, d: a.d * b.n };
}

export function absolute(a: Fraction): Fraction {
  return a.n < 0n ? negate(a) : a;
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * The exact product of many fractions. Halves are multiplied first, so that the numbers that meet are of about the same length: 1,100 factors of 60
 * digits make 66,000 digits in a few ms.
 */
export function product(factors: readonly Fraction[]): Fraction {
  if (factors.length <= 1) return factors[0] ?? ONE;
  const middle = factors.length >> 1;
  return multiply(product(factors.slice(0, middle)), product(factors.slice(middle)));
}

/** The fraction with this many digits after the point, rounded half even. */
export function round(value: Fraction, digits: number): string {
  return formatDecimal({ units: roundedQuotient(value.n * powerOfTen(digits), value.d), scale: digits });
}

/** The fraction with this many significant digits, rounded half even, without an exponent. */
export function roundSignificant(value: Fraction, digits: number): string {
  if (value.n === 0n) return round(value, digits - 1);
  const size = value.n < 0n ? -value.n : value.n;
  // The digits before the point; negative for as many zeros after it.
  let whole = size.toString().length - value.d.toString().length;
  if (size * powerOfTen(Math.max(0, -whole)) >= value.d * powerOfTen(Math.max(0, whole))) whole += 1;
  const scale = digits - whole;
  if (scale >= 0) {
    const rounded = round(value, scale);
    // 9.99… becomes 10.0…: one digit too many.
    return scale > 0 && significantDigits(rounded) > digits ? round(value, scale - 1) : rounded;
  }
  const unit = powerOfTen(-scale);
  return (roundedQuotient(value.n, value.d * unit) * unit).toString();
}

function significantDigits(text: string): number {
  return parseDecimal(text).units.toString().replace("-", "").length;
}

/** `n` / `d` as the nearest integer, the even one of two; `d` > 0. */
export function roundedQuotient(n: bigint, d: bigint): bigint {
  let quotient = n / d;
  let rest = n % d;
  if (rest < 0n) {
    quotient -= 1n;
    rest += d;
  }
  const twice = rest * 2n;
  return twice > d || (twice === d && quotient % 2n !== 0n) ? quotient + 1n : quotient;
}

/** The nearest float or one beside it. */
export function toNumber({ n, d }: Fraction): number {
  const excess = bitLength(n) - bitLength(d);
  // 64 bits of quotient are more than a float keeps.
  const shift = 64 - excess;
  const quotient = shift >= 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift));
  return Number(quotient) * 2 ** -shift;
}

/** How many bits the absolute value has; 0 for zero. */
export function bitLength(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return hex === "0" ? 0 : (hex.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(hex.charAt(0), 16));
}
