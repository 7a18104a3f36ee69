/** Exact decimals are the provider kit's: whoever writes a provider or a format reckons with them, too. */
export {
  addDecimals,
  compareDecimals,
  decimalOf,
  multiplyDecimals,
  normaliseDecimal,
  significantDecimal,
  sumDecimals,
} from "@org/provider-kit/decimal";
