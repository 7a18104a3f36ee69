import { languageOf } from "../src/messages/languages.js";
import type { HostContext } from "./host.js";

/** Applies the host's light or dark theme, and its language if there are texts in it. */
export function followContext({ theme, locale }: HostContext): void {
  const { dataset } = document.documentElement;
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  else delete dataset.theme;
  document.documentElement.lang = languageOf(locale);
}

/** Formats a timestamp (RFC 3339) in the host's locale and time zone; returns other text unchanged. */
export function momentIn({ locale, timeZone }: HostContext, moment: string): string {
  const zone = typeof timeZone === "string" ? timeZone : undefined;
  return dateIn(locale, moment, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
}

/** Formats a day, `YYYY-MM-DD`, in the host's locale; returns other text unchanged. */
export function dayIn({ locale }: HostContext, day: string): string {
  return dateIn(locale, day, { dateStyle: "medium", timeZone: "UTC" });
}

/** Formats a month, `YYYY-MM`; returns other text unchanged. */
export function monthIn({ locale }: HostContext, month: string): string {
  return dateIn(locale, month, { year: "numeric", month: "short", timeZone: "UTC" });
}

/** Formats a fraction as a percentage. */
export function percentIn({ locale }: HostContext, fraction: string): string {
  const style = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return inLocale(locale, (known) => new Intl.NumberFormat(known, style).format(Number(fraction)));
}

/** Formats a round number for a scale. */
export function shortIn({ locale }: HostContext, value: number): string {
  const style = { notation: "compact", maximumSignificantDigits: 4 } as const;
  return inLocale(locale, (known) => new Intl.NumberFormat(known, style).format(value));
}

function dateIn(locale: unknown, text: string, style: Intl.DateTimeFormatOptions): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const format = (known: string, timeZone?: string) =>
    new Intl.DateTimeFormat(known, { ...style, timeZone }).format(date);
  try {
    return format(typeof locale === "string" ? locale : "en", style.timeZone);
  } catch {
    // The browser does not know the host's locale or time zone.
    return format("en", style.timeZone === "UTC" ? "UTC" : undefined);
  }
}

function inLocale(locale: unknown, format: (known: string) => string): string {
  try {
    return format(typeof locale === "string" ? locale : "en");
  } catch {
    return format("en");
  }
}
