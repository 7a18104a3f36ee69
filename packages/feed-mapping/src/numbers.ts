import { normaliseDecimal } from "@org/provider-kit";

/** How a file writes numbers. */
export interface NumberFormat {
  /** Decimal separators. If there are two, the file has no thousands separators. */
  readonly decimal: readonly string[];
  /** Thousands separators. */
  readonly thousands: readonly string[];
  /** Texts removed before a number is read. */
  readonly strip: readonly string[];
}

/** A parsed number: a decimal string with the digits of the file, or what is wrong with the text. */
export type ReadNumber = { readonly value: string } | { readonly fault: string };

/** A decimal string as stored: at most 28 digits before the point and 20 after it. */
const PLAIN = /^-?(?:0|[1-9]\d{0,27})(?:\.\d{1,20})?$/;
const NEGATIVE_ZERO = /^-[0.]+$/;

/**
 * Creates a parser for one number format. A minus may stand before or after the number; brackets also mean a negative number. Groups of thousands
 * must be complete. If both signs may be decimal separators, `1,234` is ambiguous and refused.
 */
export function numberReader({ decimal, thousands, strip }: NumberFormat): (text: string) => ReadNumber {
  const isPlain = decimal.includes(".") && decimal.length === 1;
  const groups = thousands.map((sign) =>
    sign === " " ? "[ \\u00a0\\u2007\\u2009\\u202f]" : sign === "'" ? "['\\u2019]" : `\\${sign}`,
  );
  const grouped =
    groups.length === 0 ? null : new RegExp(`^\\d{1,3}(?:${groups.map((group) => `(?:${group}\\d{3})+`).join("|")})$`);
  return (text) => {
    if (isPlain && PLAIN.test(text) && !NEGATIVE_ZERO.test(text)) return { value: text };
    let rest = text;
    for (const sign of strip) rest = rest.replaceAll(sign, "");
    rest = rest.trim();
    const bracketed = /^\((.*)\)$/.exec(rest);
    const signed = /^([+\-\u2212]?)(.*?)([-\u2212]?)$/s.exec(bracketed?.[1] ?? rest);
    const [, before = "", between = "", after = ""] = signed ?? [];
    const digits = between.trim();
    if (!signed || [bracketed ? "(" : "", before, after].filter((sign) => sign !== "").length > 1)
      return { fault: "is not a number" };
    const point = Math.max(...decimal.map((sign) => digits.lastIndexOf(sign)));
    const whole = point < 0 ? digits : digits.slice(0, point);
    const fraction = point < 0 ? "" : digits.slice(point + 1);
    if (decimal.length > 1 && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3)
      return { fault: "could have decimals or thousands: the mapping has to say which sign is before decimals" };
    const isWhole = /^\d*$/.test(whole) || grouped?.test(whole);
    if (!isWhole || !/^\d*$/.test(fraction)) return { fault: "is not a number in the format of the mapping" };
    const isNegative = bracketed !== null || after !== "" || (before !== "" && before !== "+");
    const value = normaliseDecimal(`${isNegative ? "-" : ""}${whole.replace(/\D/g, "")}.${fraction}`);
    if (value === null) return { fault: "is not a number" };
    return PLAIN.test(value) ? { value } : { fault: "has too many digits" };
  };
}

/** Removes the number's sign. */
export function unsigned(value: string): string {
  return value.startsWith("-") ? value.slice(1) : value;
}
