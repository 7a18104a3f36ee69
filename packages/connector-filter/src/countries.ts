import { countryCodes, countryKey, countryOfCode, foldName, MAX_NAME_LENGTH } from "./country.js";

/**
 * Returns the lower-case ISO 3166-1 alpha-3 code of a country given as alpha-3 code, alpha-2 code or English name, in any case.
 * Null when the text names no current country.
 *
 * Beyond the names that filters accept, it accepts the long names of ISO 3166-1 in either order ("Korea, Republic of",
 * "Republic of Korea"). Third-party catalogues use these and filters rarely do, so the main entry point omits them.
 */
export function alpha3Of(text: string): string | null {
  if (text.length > MAX_NAME_LENGTH) return null;
  const turned = text
    .split(/, | \(|\)/)
    .reverse()
    .join(" ");
  for (const name of [text.trim(), turned.trim()]) {
    const key = countryKey(name);
    const code = typeof key === "number" ? countryCodes[key - 1]?.[0] : longNames.get(foldName(name.toLowerCase()));
    if (code) return code;
  }
  return null;
}

/**
 * Returns the name of the country with this alpha-2 or alpha-3 code, in a language; the code in capitals when it has no name.
 * @param language BCP 47, such as `fr`
 */
export function countryName(code: string, language: string): string {
  const alpha2 = countryCodes[countryOfCode(code) - 1]?.[1].toUpperCase();
  return (alpha2 !== undefined && namesIn(language).of(alpha2)) || code.toUpperCase();
}

const names = new Map<string, Intl.DisplayNames>();

function namesIn(language: string): Intl.DisplayNames {
  const known = names.get(language) ?? new Intl.DisplayNames(language, { type: "region" });
  names.set(language, known);
  return known;
}

const longNames: ReadonlyMap<string, string> = new Map(
  [
    ["bes", "Bonaire, Sint Eustatius and Saba"],
    ["bol", "Plurinational State of Bolivia"],
    ["brn", "Brunei Darussalam"],
    ["cod", "Democratic Republic of the Congo"],
    ["cog", "Congo"],
    ["cog", "Republic of the Congo"],
    ["cpv", "Cabo Verde"],
    ["cpv", "Cape Verde"],
    ["cze", "Czechia"],
    ["flk", "Falkland Islands (Malvinas)"],
    ["fsm", "Federated States of Micronesia"],
    ["gbr", "United Kingdom of Great Britain and Northern Ireland"],
    ["hmd", "Heard Island and McDonald Islands"],
    ["irn", "Islamic Republic of Iran"],
    ["kor", "Republic of Korea"],
    ["lao", "Lao People's Democratic Republic"],
    ["maf", "Saint Martin (French part)"],
    ["mda", "Republic of Moldova"],
    ["mkd", "Macedonia"],
    ["mkd", "Republic of North Macedonia"],
    ["mmr", "Burma"],
    ["nld", "Kingdom of the Netherlands"],
    ["prk", "Democratic People's Republic of Korea"],
    ["pse", "State of Palestine"],
    ["shn", "Saint Helena, Ascension and Tristan da Cunha"],
    ["swz", "Swaziland"],
    ["sxm", "Sint Maarten (Dutch part)"],
    ["syr", "Syrian Arab Republic"],
    ["tls", "East Timor"],
    ["twn", "Taiwan, Province of China"],
    ["tza", "United Republic of Tanzania"],
    ["umi", "United States Minor Outlying Islands"],
    ["vat", "Holy See"],
    ["vat", "Holy See (Vatican City State)"],
    ["ven", "Bolivarian Republic of Venezuela"],
  ].map(([code = "", name = ""]) => [foldName(name.toLowerCase()), code]),
);
