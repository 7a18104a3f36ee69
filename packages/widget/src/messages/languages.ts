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

/** Texts by language. A session language without a table does not compile. */
export const messagesIn: Readonly<Record<SessionLanguage, Messages>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};
