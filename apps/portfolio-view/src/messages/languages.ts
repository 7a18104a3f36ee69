import { german } from "./de.js";
import { english } from "./en.js";
import { spanish } from "./es.js";
import { french } from "./fr.js";
import type { Messages } from "./messages.js";

/** The texts by language. */
export const messagesIn: Readonly<Record<"en" | "es" | "fr" | "de", Messages>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};

/** The language of a host's locale (BCP 47); English if there are no texts in it. */
export function languageOf(locale: unknown): keyof typeof messagesIn {
  const language = typeof locale === "string" ? locale.slice(0, 2).toLowerCase() : "";
  return Object.hasOwn(messagesIn, language) ? (language as keyof typeof messagesIn) : "en";
}
