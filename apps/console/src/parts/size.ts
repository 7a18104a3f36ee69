import { localeOf, useLanguage } from "../language/language.js";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** @returns what writes a number of bytes in the largest unit that it fills, with one decimal at most, as the language of the page does */
export function useSize(): (bytes: number) => string {
  const number = new Intl.NumberFormat(localeOf(useLanguage()), { maximumFractionDigits: 1 });
  return (bytes) => {
    const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
    return `${number.format(bytes / 1_024 ** step)} ${UNITS[step]}`;
  };
}
