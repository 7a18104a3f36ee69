/** What the sandbox knows about a country. */
export interface SandboxCountry {
  readonly currency: string;
  /** Alpha-2 code with which the ISINs of its issuers begin. */
  readonly isinPrefix: string;
  /** Suffix of its company names. */
  readonly company: string;
}

const countries = {
  and: { currency: "EUR", isinPrefix: "AD", company: "SA" },
  aut: { currency: "EUR", isinPrefix: "AT", company: "AG" },
  bel: { currency: "EUR", isinPrefix: "BE", company: "NV" },
  can: { currency: "CAD", isinPrefix: "CA", company: "Inc." },
  che: { currency: "CHF", isinPrefix: "CH", company: "AG" },
  deu: { currency: "EUR", isinPrefix: "DE", company: "AG" },
  dnk: { currency: "DKK", isinPrefix: "DK", company: "A/S" },
  esp: { currency: "EUR", isinPrefix: "ES", company: "S.A." },
  fin: { currency: "EUR", isinPrefix: "FI", company: "Oyj" },
  fra: { currency: "EUR", isinPrefix: "FR", company: "SA" },
  gbr: { currency: "GBP", isinPrefix: "GB", company: "plc" },
  irl: { currency: "EUR", isinPrefix: "IE", company: "plc" },
  ita: { currency: "EUR", isinPrefix: "IT", company: "S.p.A." },
  lux: { currency: "EUR", isinPrefix: "LU", company: "SA" },
  mex: { currency: "MXN", isinPrefix: "MX", company: "S.A.B." },
  nld: { currency: "EUR", isinPrefix: "NL", company: "N.V." },
  nor: { currency: "NOK", isinPrefix: "NO", company: "ASA" },
  pol: { currency: "PLN", isinPrefix: "PL", company: "S.A." },
  prt: { currency: "EUR", isinPrefix: "PT", company: "S.A." },
  swe: { currency: "SEK", isinPrefix: "SE", company: "AB" },
  usa: { currency: "USD", isinPrefix: "US", company: "Inc." },
} as const satisfies Record<string, SandboxCountry>;

export type SandboxCountryCode = keyof typeof countries;

/** Countries by alpha-3 code, in alphabetical order. */
export const sandboxCountries: Readonly<Record<SandboxCountryCode, SandboxCountry>> = countries;

/** Approximate value of one euro in a currency, so that portfolios of all countries have the same order of magnitude. */
export const unitsPerEuro: Readonly<Record<string, number>> = { DKK: 7, MXN: 20, NOK: 11, PLN: 4, SEK: 11 };

/** The country with which a connector id begins. Banks of unknown countries in imported catalogues use euros. */
export function countryOf(connectorId: string): SandboxCountry {
  const code = connectorId.slice(0, connectorId.indexOf(":")).toLowerCase();
  return Object.hasOwn(countries, code) ? countries[code as SandboxCountryCode] : countries.lux;
}
