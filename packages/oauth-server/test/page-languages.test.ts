import { type PageLanguage, pageLanguages } from "@org/pages";
import { describe, expect, it } from "vitest";
import { wordsIn } from "../src/pages/words/languages.js";
import { authorization, codeOf } from "./authorization.js";
import { install } from "./harness.js";

/** What both steps and the page after them are called, in each language. */
const titles: Readonly<Record<PageLanguage, readonly [signIn: string, review: string, answered: string]>> = {
  en: ["Sign in to continue", "Review access", "You have already answered this"],
  de: ["Melden Sie sich an", "Zugriff prüfen", "Sie haben schon geantwortet"],
  fr: ["Connectez-vous pour continuer", "Vérifier l’accès", "Vous avez déjà répondu"],
  es: ["Inicie sesión para continuar", "Revisar el acceso", "Ya ha respondido"],
};

describe("[C-3.41] the authorization pages are in the person's language", () => {
  it.each(pageLanguages)("%s by ui_locales, at every step, whatever the browser prefers", async (language) => {
    const at = await install();
    const { browser, url, exchange } = await authorization(at);
    const [signIn, review, answered] = titles[language];
    const seen = (title: string) => ({ title, language, html: true });
    const shown = ({ headers, html, text } = browser.page as NonNullable<typeof browser.page>) => ({
      title: [signIn, review, answered].find((title) => text.includes(title)),
      language: headers.get("content-language"),
      html: html.includes(`<html lang="${language}">`),
    });

    await browser.open(url({ ui_locales: `it ${language}-CH en` }));
    expect(shown()).toEqual(seen(signIn));
    await browser.submit("sign-in", { client_id: "", client_secret: "" });
    expect(shown()).toEqual(seen(signIn));
    const { client_id, client_secret } = await at.application();
    await browser.submit("sign-in", { client_id, client_secret });
    expect(shown()).toEqual(seen(review));
    const denial = browser.filled("decision", {}, "deny");
    const back = await browser.submit("decision", {}, "approve");
    expect((await exchange(codeOf(back))).status).toBe(200);
    expect(shown(await browser.send(denial))).toEqual(seen(answered));
  });

  it("else by the browser, else in English", async () => {
    const at = await install();
    const { browser, url } = await authorization(at);
    const languageOf = async (accepted: string, change: Readonly<Record<string, string>> = {}) => {
      const { headers } = await browser.request(url(change), { headers: { "Accept-Language": accepted } });
      expect(headers.get("vary")).toBe("Accept-Language");
      return headers.get("content-language");
    };
    expect(await languageOf("fr-CH, fr;q=0.9, en;q=0.8")).toBe("fr");
    expect(await languageOf("ja")).toBe("en");
    expect(await languageOf("es", { ui_locales: "ja x-unknown" })).toBe("es");
    expect(await languageOf("es", { client_id: "nobody", ui_locales: "de" })).toBe("de");
  });

  it("so is the page of grants, and one that a form does not lead to", async () => {
    const at = await install();
    for (const [path, status] of [
      ["/grants", 200],
      ["/grants/end", 405],
    ] as const) {
      const answer = await fetch(`${at.issuer}${path}`, { headers: { "Accept-Language": "de" } });
      expect([answer.status, answer.headers.get("content-language")]).toEqual([status, "de"]);
      expect(await answer.text()).toContain('<html lang="de">');
    }
  });
});

/** Every sentence with its key; functions are called for one and for several. */
function sentences(value: unknown, key = ""): [string, string][] {
  if (typeof value === "string") return [[key, value]];
  if (typeof value === "function") return [1, 2].flatMap((count) => sentences(value(count, count), `${key}(${count})`));
  return Object.entries(value as object).flatMap(([name, inner]) => sentences(inner, `${key}.${name}`));
}

/** Sentences that are rightly the same in two languages. */
const same: Readonly<Record<string, readonly string[]>> = { es: [".error"], de: [], fr: [] };

it.each(["de", "fr", "es"] as const)("[C-3.41] the words in %s are words of its own, all of them", (language) => {
  const english = new Map(sentences(wordsIn.en));
  const own = sentences(wordsIn[language]);
  expect(own.map(([key]) => key)).toEqual([...english.keys()]);
  const copied = own.filter(([key, text]) => text === english.get(key) && !same[language]?.includes(key));
  expect(copied).toEqual([]);
});

it("in French a colon, a semicolon and marks of question and exclamation keep to the word before them", () => {
  expect(sentences(wordsIn.fr).filter(([, text]) => /[\p{L})»] [;!?:»]/u.test(text))).toEqual([]);
});
