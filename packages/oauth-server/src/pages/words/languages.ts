import type { PageLanguage } from "@org/pages";
import type { PageWords } from "./page-words.js";
import { germanPageWords } from "./words-de.js";
import { englishPageWords } from "./words-en.js";
import { spanishPageWords } from "./words-es.js";
import { frenchPageWords } from "./words-fr.js";

/** The words of each language. */
export const wordsIn: Readonly<Record<PageLanguage, PageWords>> = {
  en: englishPageWords,
  de: germanPageWords,
  fr: frenchPageWords,
  es: spanishPageWords,
};
