/** Currencies whose ISO 4217 minor unit is not a hundredth: how many digits it has after the point. */
const exceptions: ReadonlyMap<string, number> = new Map([
  ...["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV"].map(
    withDigits(0),
  ),
  ...["XAF", "XOF", "XPF"].map(withDigits(0)),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map(withDigits(3)),
  ...["CLF", "UYW"].map(withDigits(4)),
]);

/**
 * Digits after the point of amounts in a currency (ISO 4217, list one); 2 for codes without a minor unit of their own. `Intl` has other ones for some
 * currencies (CLDR's: no digits for IQD).
 */
export function currencyDigits(currency: string): number {
  return exceptions.get(currency) ?? 2;
}

function withDigits(digits: number): (currency: string) => readonly [string, number] {
  return (currency) => [currency, digits];
}
