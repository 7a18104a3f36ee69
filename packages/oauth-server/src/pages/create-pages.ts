import { styleSource } from "@org/pages";
import { grantsPage } from "./grants-page.js";
import { noticePage } from "./notice-page.js";
import type { AuthorizationPages } from "./page-views.js";
import { reviewPage } from "./review-page.js";
import { signInPage } from "./sign-in-page.js";

/** Creates the built-in pages: English, plain HTML without scripts, in the same design as the product's other pages. */
export function createPages(): AuthorizationPages {
  return {
    signIn: signInPage,
    review: reviewPage,
    notice: noticePage,
    grants: grantsPage,
    contentSources: { style: styleSource },
  };
}
