import { wordsOf } from "../language/language.js";
import { auditSentencesDe } from "./audit-sentences-de.js";
import { auditSentencesEn } from "./audit-sentences-en.js";
import { auditSentencesEs } from "./audit-sentences-es.js";
import { auditSentencesFr } from "./audit-sentences-fr.js";

/**
 * The sentence for each action, with placeholders for who acted, the object and others (`lineParts`). With `!`, as in `{object!}`, an object that is
 * gone is not called removed, because the sentence says so.
 */
export const auditSentences = wordsOf({
  en: auditSentencesEn,
  de: auditSentencesDe,
  fr: auditSentencesFr,
  es: auditSentencesEs,
});
