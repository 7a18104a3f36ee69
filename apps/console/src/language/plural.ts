import type { Language } from "./language.js";

/** Puts a count into words: `{n}` stands for it, written as the language writes numbers. */
type Plural = (count: number, one: string, other: string, many?: string) => string;

/**
 * Sentences with a count, by language: `plural.de(letters, "1 Vollmacht", "{n} Vollmachten")`. Which form a count takes is the browser's
 * knowledge (`Intl.PluralRules`): 0 is singular in French, and millions have a form of their own in French and Spanish, by default with
 * "de" before what is counted.
 */
export const plural: Readonly<Record<Language, Plural>> = {
  en: pluralOf("en"),
  de: pluralOf("de"),
  fr: pluralOf("fr"),
  es: pluralOf("es"),
};

function pluralOf(language: Language): Plural {
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (count, one, other, many = withDe(language, other)) => {
    const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one, many };
    return (forms[rules.select(count)] ?? other).replaceAll("{n}", number.format(count));
  };
}

/** As in "1 000 000 de lettres", "1 000 000 d’entrées"; what does not name the things counted follows without it. */
function withDe(language: Language, other: string): string {
  if (/\{n\} (de|más|fueron|ont|sont)\b/.test(other)) return other;
  if (language === "es") return other.replace("{n} ", "{n} de ");
  return other.replace(/\{n\} (?=([aeiouéèêh])?)/i, (_found, vowel) => (vowel ? "{n} d’" : "{n} de "));
}
