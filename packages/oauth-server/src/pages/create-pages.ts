import { styleSource } from "@org/pages";
import { grantsPage } from "./grants-page.js";
import { noticePage } from "./notice-page.js";
import type { AuthorizationPages } from "./page-views.js";
import { reviewPage } from "./review-page.js";
import { signInPage } from "./sign-in-page.js";

/** The built-in pages: English, plain HTML without scripts, in the design that the product's other pages have. */
export function createPages(): AuthorizationPages {
  return {
    signIn: signInPage,
    review: reviewPage,
    notice: noticePage,
    grants: grantsPage,
    contentSources: { style: styleSource },
  };
}
