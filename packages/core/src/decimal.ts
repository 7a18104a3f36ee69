/** Exact decimals come from the provider kit, because providers and formats calculate with them too. */
export {
  addDecimals,
  compareDecimals,
  decimalOf,
  multiplyDecimals,
  negateDecimal,
  normaliseDecimal,
  significantDecimal,
  sumDecimals,
} from "@org/provider-kit/decimal";
