import { type PageLanguage, styleSource } from "@org/pages";
import { grantsPage } from "./grants-page.js";
import { noticePage } from "./notice-page.js";
import type { AuthorizationPages } from "./page-views.js";
import { reviewPage } from "./review-page.js";
import { signInPage } from "./sign-in-page.js";
import { wordsIn } from "./words/languages.js";

/** Creates the built-in pages: plain HTML without scripts, in the same design as the product's other pages. */
export function createPages(language: PageLanguage = "en"): AuthorizationPages {
  const context = { language, words: wordsIn[language] };
  return {
    signIn: (view) => signInPage(context, view),
    review: (view) => reviewPage(context, view),
    notice: (view) => noticePage(context, view),
    grants: (view) => grantsPage(context, view),
    contentSources: { style: styleSource },
  };
}
