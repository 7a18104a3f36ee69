import { createContext, useContext } from "react";
import { createStored, useStored } from "../shell/stored.js";

/** The languages of the console, the same as of all pages. */
export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

/** Each language's own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

/** The same phrases in every language: texts, and functions that make texts. */
export type Words<T> = Readonly<Record<Language, T>>;

const KEPT_AS = "wealth-connect-console-language";

const chosen = createStored<Language>("en");

/** Starts in the language chosen in this browser, otherwise in the browser's preferred one. */
export function startLanguage(): void {
  applyLanguage(keptLanguage() ?? preferredLanguage());
}

/** Checks that every phrase exists in every language. */
export function wordsOf<T>(words: { readonly en: T } & Readonly<Record<"de" | "fr" | "es", NoInfer<T>>>): Words<T> {
  return words;
}

/** The phrases in the language of the page. */
export function useWords<T>(words: Words<T>): T {
  return words[useLanguage()];
}

/** The language of a part of the page that has its own, such as a report for a client; null = that of the page. */
export const OwnLanguage = createContext<Language | null>(null);

/** The language of the page, or of the part that has its own. */
export function useLanguage(): Language {
  const page = useStored(chosen);
  return useContext(OwnLanguage) ?? page;
}

/** The language with the region that the browser prefers, for dates and numbers. */
export function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? language;
}

/** A label and what it is about, as the language writes it, that of the page if left out: `Key: k1`, `Clé : k1`. A question has its own sign. */
export function labelled(label: string, value: string | number, language: Language = chosen.get()): string {
  if (/[?!]$/.test(label)) return `${label} ${value}`;
  return `${label}${language === "fr" ? "\u00A0" : ""}: ${value}`;
}

/** Switches the language of the page, and stores the choice in this browser. */
export function switchLanguage(language: Language): void {
  try {
    localStorage.setItem(KEPT_AS, language);
  } catch {
    // Storage is unavailable: the choice is lost on the next visit.
  }
  applyLanguage(language);
}

function applyLanguage(language: Language): void {
  document.documentElement.lang = language;
  chosen.set(language);
}

function keptLanguage(): Language | undefined {
  try {
    return languageIn(localStorage.getItem(KEPT_AS) ?? "");
  } catch {
    return undefined;
  }
}

function preferredLanguage(): Language {
  for (const tag of navigator.languages) {
    const language = languageIn(tag.slice(0, 2).toLowerCase());
    if (language) return language;
  }
  return "en";
}

function languageIn(text: string): Language | undefined {
  return languages.find((language) => language === text);
}
