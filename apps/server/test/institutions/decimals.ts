// Arithmetic of the stand-ins, on decimal text, so that no figure that a test expects comes from the product's own.

const DIGITS = 30;

function scaled(text: string): bigint {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === "") throw new Error(`${text} is no decimal number`);
  return BigInt(sign + whole + part.padEnd(DIGITS, "0"));
}

function text(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(DIGITS + 1, "0");
  const part = digits.slice(-DIGITS).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -DIGITS)}${part && `.${part}`}`;
}

/** The sum, without trailing zeros. */
export function plus(...terms: readonly string[]): string {
  return text(terms.reduce((sum, term) => sum + scaled(term), 0n));
}

export function minus(from: string, what: string): string {
  return text(scaled(from) - scaled(what));
}

/** The product, exact up to 30 decimal places. */
export function times(...factors: readonly string[]): string {
  return text(factors.map(scaled).reduce((product, factor) => (product * factor) / 10n ** BigInt(DIGITS)));
}

/** The quotient, cut off after this many decimal places. */
export function over(dividend: string, divisor: string, places = 16): string {
  const cut = 10n ** BigInt(DIGITS - places);
  return text(((scaled(dividend) * 10n ** BigInt(DIGITS)) / scaled(divisor) / cut) * cut);
}

/** With exactly this many decimal places, as institutions print what they keep. */
export function places(value: string, count: number): string {
  const [whole = "", part = ""] = value.split(".");
  return count === 0 ? whole : `${whole}.${part.padEnd(count, "0").slice(0, count)}`;
}

export function isZero(value: string): boolean {
  return scaled(value) === 0n;
}

export function isNegative(value: string): boolean {
  return scaled(value) < 0n;
}

export function negative(value: string): string {
  return text(-scaled(value));
}
