/** Sum of two decimal strings, exact, with the larger of their scales: `"1.50" + "-0.255"` = `"1.245"`. */
export function addDecimals(a: string, b: string): string {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  return format(unscaled(a, scale) + unscaled(b, scale), scale);
}

/** Exact sum of decimal strings, with the largest of their scales; `"0"` for an empty list. */
export function sumDecimals(values: Iterable<string>): string {
  let sum = 0n;
  let scale = 0;
  for (const value of values) {
    const own = scaleOf(value);
    if (own > scale) {
      sum *= 10n ** BigInt(own - scale);
      scale = own;
    }
    sum += unscaled(value, scale);
  }
  return format(sum, scale);
}

/** Product of two decimal strings, exact, with the sum of their scales: `"1.50" × "-0.2"` = `"-0.300"`. */
export function multiplyDecimals(a: string, b: string): string {
  return format(unscaled(a, scaleOf(a)) * unscaled(b, scaleOf(b)), scaleOf(a) + scaleOf(b));
}

/** How many digits an amount may have after the point. */
const MAX_SCALE = 20;

/** Product of decimal strings as an amount may be: exact, and rounded only where it has more than 20 digits after the point. */
export function roundedProduct(...factors: readonly [string, ...string[]]): string {
  const exact = factors.reduce(multiplyDecimals);
  return scaleOf(exact) > MAX_SCALE ? divideDecimals(exact, "1", MAX_SCALE) : exact;
}

/**
 * Quotient of two decimal strings with this many digits after the point, exact to the last one, which is rounded half away from zero:
 * `"2"` ÷ `"3"` with 4 digits is `"0.6667"`. With `"1"` as the divisor it rounds.
 * @throws RangeError if the divisor is zero
 */
export function divideDecimals(dividend: string, divisor: string, digits: number): string {
  const scale = Math.max(scaleOf(dividend), scaleOf(divisor));
  const by = unscaled(divisor, scale);
  if (by === 0n) throw new RangeError("division by zero");
  const sign = by < 0n ? -1n : 1n;
  const [over, under] = [sign * unscaled(dividend, scale) * 10n ** BigInt(digits), sign * by];
  return format((2n * over + (over < 0n ? -under : under)) / (2n * under), digits);
}

/** The number with the opposite sign; zero has none. */
export function negateDecimal(value: string): string {
  if (value.startsWith("-")) return value.slice(1);
  return /[1-9]/.test(value) ? `-${value}` : value;
}

/** Negative, zero or positive as `a` is below, equal to or above `b`; scale does not matter. */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  const difference = unscaled(a, scale) - unscaled(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A JSON number or decimal string as a plain decimal string: no exponent. */
export function decimalOf(value: number | string): string {
  if (typeof value === "string") return value;
  const text = String(value);
  return text.includes("e") ? significantDecimal(value.toFixed(20)) : text;
}

/** A decimal string without trailing zeros in its fraction: `2.5` for `2.50`, `9` for `9.00`. */
export function significantDecimal(decimal: string): string {
  return decimal.includes(".") && decimal.endsWith("0") ? decimal.replace(/\.0+$|(?<!0)0+$/, "") : decimal;
}

/**
 * Converts a number as custodians write it (`+00000000000115.8331`, `.5`, `-10.`) to a plain decimal string; null if it is not a number. Leading
 * zeros and plus signs are removed; the scale stays.
 */
export function normaliseDecimal(text: string): string | null {
  if (plain.test(text)) return text;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = "", fraction = ""] = match;
  if (whole === "" && fraction === "") return null;
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  const unsigned = fraction === "" ? digits : `${digits}.${fraction}`;
  return sign === "-" && /[1-9]/.test(unsigned) ? `-${unsigned}` : unsigned;
}

/** A decimal that is already in plain form; zero has no minus. */
const plain = /^(?:-(?=[0.]*[1-9]))?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function scaleOf(text: string): number {
  const dot = text.indexOf(".");
  return dot < 0 ? 0 : text.length - dot - 1;
}

function unscaled(text: string, scale: number): bigint {
  return BigInt(text.replace(".", "") + "0".repeat(scale - scaleOf(text)));
}

function format(value: bigint, scale: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
