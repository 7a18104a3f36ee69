import { wordsOf } from "../../language/language.js";
import { wealthWordsDe } from "./words-de.js";
import { wealthWordsEn } from "./words-en.js";
import { wealthWordsEs } from "./words-es.js";
import { wealthWordsFr } from "./words-fr.js";

/** Texts about value, return and income. */
export const wealthWords = wordsOf({ en: wealthWordsEn, de: wealthWordsDe, fr: wealthWordsFr, es: wealthWordsEs });
