import type { SessionLanguage } from "@org/core";
import { german } from "./de.js";
import { english } from "./en.js";
import { spanish } from "./es.js";
import { french } from "./fr.js";
import type { Messages } from "./messages.js";

/** The sentences by language; a language of sessions without a table does not compile. */
export const messagesIn: Readonly<Record<SessionLanguage, Messages>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};
