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
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    const zone = typeof timeZone === "string" ? { timeZone } : {};
    return new Intl.DateTimeFormat(typeof locale === "string" ? locale : "en", { ...style, ...zone }).format(date);
  } catch {
    // The browser does not know the host's locale or time zone.
    return new Intl.DateTimeFormat("en", style).format(date);
  }
}
