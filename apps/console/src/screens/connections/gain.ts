import { addDecimals, compareDecimals, negateDecimal } from "@org/core/decimal";

/** What a holding has gained since it was bought, exactly, and that as a share of its cost in percent; null where it is not known. */
export function gainOf({
  balance,
  cost,
}: {
  readonly balance?: string | null | undefined;
  readonly cost?: string | null | undefined;
}): { readonly gain: string; readonly percent: string | null } | null {
  if (balance == null || cost == null) return null;
  const gain = addDecimals(balance, negateDecimal(cost));
  return { gain, percent: percentOf(gain, cost.replace("-", ""), 2) };
}

/** A part of a whole in percent, rounded half even; null unless the whole is above zero. */
export function percentOf(part: string, whole: string, digits: number): string | null {
  if (compareDecimals(whole, "0") <= 0) return null;
  const scale = Math.max(scaleOf(part), scaleOf(whole));
  const divisor = unscaled(whole, scale);
  const scaled = unscaled(part, scale) * 10n ** BigInt(2 + digits);
  const size = scaled < 0n ? -scaled : scaled;
  const [quotient, rest] = [size / divisor, (size % divisor) * 2n];
  const isUp = rest > divisor || (rest === divisor && quotient % 2n === 1n);
  const rounded = isUp ? quotient + 1n : quotient;
  const text = String(rounded).padStart(digits + 1, "0");
  const sign = scaled < 0n && rounded !== 0n ? "-" : "";
  return `${sign}${text.slice(0, text.length - digits)}${digits > 0 ? `.${text.slice(-digits)}` : ""}`;
}

function scaleOf(text: string): number {
  const dot = text.indexOf(".");
  return dot < 0 ? 0 : text.length - dot - 1;
}

function unscaled(text: string, scale: number): bigint {
  return BigInt(text.replace(".", "") + "0".repeat(scale - scaleOf(text)));
}
