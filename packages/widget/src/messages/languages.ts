import type { SessionLanguage } from "@org/core";
import { german } from "./de.js";
import { english } from "./en.js";
import { spanish } from "./es.js";
import { french } from "./fr.js";
import type { Messages } from "./messages.js";

/** Each language's name in that language, in the order of the switch. */
export const languageNames: Readonly<Record<SessionLanguage, string>> = {
  en: "English",
  es: "Español",
  fr: "Français",
  de: "Deutsch",
};

/**
 * Texts in a language.
 * @param hasKey whether the customer connects with a key that they make at the bank
 */
export function messagesFor(language: SessionLanguage, hasKey: boolean): Messages {
  const messages = messagesIn[language];
  if (!hasKey) return messages;
  const { failed, ...words } = messages.withKey;
  return { ...messages, ...words, failed: { ...messages.failed, ...failed } };
}

/** Texts by language. A session language without a table does not compile. */
export const messagesIn: Readonly<Record<SessionLanguage, Messages>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};
