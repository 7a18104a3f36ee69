import { multiplyDecimals } from "./decimal.js";

/** Codes under which prices are quoted in a part of a currency: the currency, and the part as a decimal. None of them is an ISO 4217 code. */
const minorUnits: ReadonlyMap<string, readonly [currency: string, part: string]> = new Map([
  ["GBX", ["GBP", "0.01"]],
  ["GBp", ["GBP", "0.01"]],
  ["ZAC", ["ZAR", "0.01"]],
  ["ZAc", ["ZAR", "0.01"]],
  ["ZAr", ["ZAR", "0.01"]],
  ["ILA", ["ILS", "0.01"]],
  ["ILs", ["ILS", "0.01"]],
  ["USX", ["USD", "0.01"]],
  ["KWF", ["KWD", "0.001"]],
]);

/**
 * An amount in the currency that it is stated in, exact: `money("GBX", "1234.5")` is `{currency: "GBP", amount: "12.345"}`, as is GBp. Converts the
 * minor units that markets quote in (GBX, ZAC, ILA, USX, KWF) and writes a code in small letters (`usd`) in capitals. Any other code stays as it is.
 */
export function money<Amount extends string | null>(
  code: string,
  amount: Amount,
): { readonly currency: string; readonly amount: Amount extends string ? string : null } {
  // GBp is not gbp, and USd would not be USD: only a code in letters of one case is written in capitals.
  const stated = code === code.toLowerCase() ? code.toUpperCase() : code;
  const [currency, part] = minorUnits.get(stated) ?? [stated, null];
  const converted = amount === null || part === null ? amount : multiplyDecimals(amount, part);
  return { currency, amount: converted as Amount extends string ? string : null };
}

/** Whether a code is one that {@link money} converts to another currency. */
export function isMinorUnit(code: string): boolean {
  return minorUnits.has(code);
}
