import { languageOf } from "../src/messages/languages.js";
import type { HostContext } from "./host.js";

/** Puts the page into the host's light or dark, and into a language that it has words in. */
export function followContext({ theme, locale }: HostContext): void {
  const { dataset } = document.documentElement;
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  else delete dataset.theme;
  document.documentElement.lang = languageOf(locale);
}

/** A moment (RFC 3339) in the host's way of writing and its time zone; as it is when it is no moment. */
export function momentIn({ locale, timeZone }: HostContext, moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    const zone = typeof timeZone === "string" ? { timeZone } : {};
    return new Intl.DateTimeFormat(typeof locale === "string" ? locale : "en", { ...style, ...zone }).format(date);
  } catch {
    // The host's locale or time zone is none that this browser knows.
    return new Intl.DateTimeFormat("en", style).format(date);
  }
}
