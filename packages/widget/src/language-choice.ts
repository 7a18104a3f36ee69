import { createHash } from "node:crypto";
import { alpha3Of } from "@org/connector-filter/countries";
import { type SessionLanguage, sessionLanguages } from "@org/core";
import { acceptedLanguage, createPageCookies } from "@org/pages";
import type { Request, Response } from "express";

/** The language that a customer chose for a session. It is kept in a cookie, so that opening a link still changes nothing. */
export interface LanguageChoice {
  /** Returns the language of `?language=`, else the one in the cookie for the link; null when the customer has not chosen. */
  read(request: Request): SessionLanguage | null;
  /** Returns the language in the cookie for the link with this hash (SHA-256, hex). */
  readByHash(request: Request, linkHash: string): SessionLanguage | null;
  /** Stores the language in a cookie for the session. */
  keep(request: Request, response: Response, language: SessionLanguage): void;
}

/** Longer than any session. */
const KEPT_SECONDS = 24 * 60 * 60;

/** @param publicUrl its scheme determines the cookie's attributes */
export function createLanguageChoice(publicUrl: string): LanguageChoice {
  const cookies = createPageCookies(publicUrl, new RegExp(`^(${sessionLanguages.join("|")})$`));
  return {
    read: (request) => requestedLanguage(request) ?? languageOf(cookies.read(request, cookieName(request))),
    readByHash: (request, linkHash) => languageOf(cookies.read(request, nameFor(linkHash))),
    keep(request, response, language) {
      response.append("Set-Cookie", cookies.set(cookieName(request), language, KEPT_SECONDS));
    },
  };
}

/** Returns the language in a request's address, from a link of the language switch. */
export function requestedLanguage(request: Request): SessionLanguage | null {
  return languageOf(request.query.language);
}

/** Returns the browser's preferred language, used when neither the customer nor the tenant's program chose one. */
export function preferredLanguage(request: Request): SessionLanguage {
  return acceptedLanguage(request.headers["accept-language"]);
}

/** Nobody reads more languages than this. */
const MAX_LANGUAGES = 10;

/**
 * Returns the customer's likely countries, most likely first, from the regions of the browser's languages. Regions of the page's language
 * come first, because many browsers keep their English default. Lower-case ISO 3166-1 alpha-3 codes.
 */
export function similarLanguages(request: Request, language: SessionLanguage): readonly string[] {
  const asked = request.acceptsLanguages().slice(0, MAX_LANGUAGES).flatMap(localeOf);
  const [own, others] = [
    asked.filter((each) => each.language === language),
    asked.filter((each) => each.language !== language),
  ];
  // English says nothing about the country.
  const home = language === "en" ? [] : [new Intl.Locale(language).maximize()];
  const regions = [...own, ...home, ...others].flatMap(({ region }) => region ?? []);
  return [...new Set(regions.flatMap((region) => alpha3Of(region) ?? []))];
}

/** Returns nothing for a tag that is not a language, such as `*`. */
function localeOf(tag: string): readonly Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}

function languageOf(text: unknown): SessionLanguage | null {
  return sessionLanguages.find((language) => language === text) ?? null;
}

/** Named after the link's hash, like the owner's cookie: each session has its own, and the name reveals nothing. */
function cookieName(request: Request): string {
  const link = /\/connect\/([^/?]*)/.exec(request.originalUrl)?.[1] ?? "";
  return nameFor(createHash("sha256").update(link).digest("hex"));
}

function nameFor(linkHash: string): string {
  return `wc-language-${linkHash.slice(0, 16)}`;
}
