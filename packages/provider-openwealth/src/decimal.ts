import { addDecimals, compareDecimals, decimalString, multiplyDecimals } from "@org/provider-kit";

/**
 * Converts the text of a JSON number to a plain decimal string and keeps every digit: `1.50`, `1e3` = `1000`. Null if it has more digits than can be
 * stored.
 */
export function plainDecimal(text: string): string | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (!match) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const point = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`.padEnd(point, "0");
  const before = digits.slice(0, Math.max(point, 0)).replace(/^0+(?=\d)/, "") || "0";
  const after = point < 0 ? "0".repeat(-point) + digits : digits.slice(point);
  const unsigned = after === "" ? before : `${before}.${after}`;
  return asStorable(isZero(unsigned) ? unsigned : `${sign}${unsigned}`);
}

/** The exact sum, with the largest scale; null if there is nothing to add, or a part is unknown. */
export function sumOf(parts: readonly (string | null)[]): string | null {
  let sum: string | null = null;
  for (const part of parts) {
    if (part === null) return null;
    sum = sum === null ? part : addDecimals(sum, part);
  }
  return sum === null ? null : asStorable(sum);
}

/** The exact product, without surplus trailing zeros; null if it has more digits than can be stored. */
export function productOf(...factors: readonly string[]): string | null {
  const scales = factors.map((factor) => factor.split(".")[1]?.length ?? 0);
  const surplus = scales.reduce((sum, scale) => sum + scale, 0) - Math.max(...scales);
  const product = factors.reduce(multiplyDecimals);
  return asStorable(product.replace(new RegExp(`0{0,${surplus}}$`), "").replace(/\.$/, ""));
}

/** Whether a decimal string is zero, whatever its scale. */
export function isZero(value: string): boolean {
  return !/[1-9]/.test(value);
}

/** Whether two decimal strings are the same number, whatever their scales. */
export function isSameNumber(one: string, other: string): boolean {
  return compareDecimals(one, other) === 0;
}

/** Null if there are more digits than can be stored. */
function asStorable(text: string): string | null {
  return decimalString.safeParse(text).success ? text : null;
}
