import { createHash } from "node:crypto";
import { alpha3Of } from "@org/connector-filter/countries";
import { type SessionLanguage, sessionLanguages } from "@org/core";
import { createPageCookies } from "@org/pages";
import type { Request, Response } from "express";

/** The language that a customer has switched a session to. A browser keeps it, so that looking at a link still changes nothing. */
export interface LanguageChoice {
  /** What this request asks for by `?language=`, else what the browser has kept for the link; null = the customer has not chosen. */
  read(request: Request): SessionLanguage | null;
  /** What the browser has kept for the link with this hash (SHA-256, hex). */
  readByHash(request: Request, linkHash: string): SessionLanguage | null;
  /** Keeps it for the session. */
  keep(request: Request, response: Response, language: SessionLanguage): void;
}

/** Longer than any session. */
const KEPT_SECONDS = 24 * 60 * 60;

/** @param publicUrl its scheme decides about the cookie */
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

/** The language in the address of a request: a link of the switch was followed. */
export function requestedLanguage(request: Request): SessionLanguage | null {
  return languageOf(request.query.language);
}

/** The language that the browser asks for, where neither the customer nor the session's program has said one. */
export function preferredLanguage(request: Request): SessionLanguage {
  return languageOf(request.acceptsLanguages([...sessionLanguages])) ?? "en";
}

/** Nobody is sent more languages than they read. */
const MAX_LANGUAGES = 10;

/**
 * Where the customer may be, by the regions of the languages that the browser asks for, likeliest first; those of the page's language
 * before others, since many browsers are left in English as they came. Lower-case ISO 3166-1 alpha-3 codes.
 */
export function similarLanguages(request: Request, language: SessionLanguage): readonly string[] {
  const asked = request.acceptsLanguages().slice(0, MAX_LANGUAGES).flatMap(localeOf);
  const [own, others] = [
    asked.filter((each) => each.language === language),
    asked.filter((each) => each.language !== language),
  ];
  // English says nothing of where it is read.
  const home = language === "en" ? [] : [new Intl.Locale(language).maximize()];
  const regions = [...own, ...home, ...others].flatMap(({ region }) => region ?? []);
  return [...new Set(regions.flatMap((region) => alpha3Of(region) ?? []))];
}

/** None for what is no language, such as `*`. */
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

/** Named after the link's hash, as the owner's is: each session has its own, and the name gives nothing away. */
function cookieName(request: Request): string {
  const link = /\/connect\/([^/?]*)/.exec(request.originalUrl)?.[1] ?? "";
  return nameFor(createHash("sha256").update(link).digest("hex"));
}

function nameFor(linkHash: string): string {
  return `wc-language-${linkHash.slice(0, 16)}`;
}
