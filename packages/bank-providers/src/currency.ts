import { memoize } from "@org/provider-kit";

/** A currency code as stored, in three capital letters; null if the text is not one. */
export const currencyIn = memoize((written) => {
  const code = written.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}, "EUR".length);
