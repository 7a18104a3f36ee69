import { memoize } from "@org/provider-kit";

/** A code of a currency as it is kept, three capital letters; null where a text is none. */
export const currencyIn = memoize((written) => {
  const code = written.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}, "EUR".length);
