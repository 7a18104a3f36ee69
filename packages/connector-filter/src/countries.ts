import { countryCodes, countryKey } from "./country.js";

/**
 * The lower-case ISO 3166-1 alpha-3 code of a country given as alpha-3 code, alpha-2 code or English name, in any case;
 * null when the text names no country of today.
 */
export function alpha3Of(text: string): string | null {
  const key = countryKey(text.trim());
  return typeof key === "number" ? (countryCodes[key - 1]?.[0] ?? null) : null;
}
