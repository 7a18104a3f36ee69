/*
 * What the pages of the product share: plain HTML, one design, no scripts of this package, nothing loaded from other sites.
 *
 * How a page is built: `html` (html.ts) writes the content and escapes every value. form.ts makes form fields with their errors,
 * and a token that proves where a form came from. `renderDocument` adds the rest of the document, and the page headers are sent
 * with it (document.ts); its only style sheet is style.ts, with the colours of colours.ts. cookies.ts sets and reads the cookies,
 * and language.ts finds the language that a browser prefers.
 */
export { colours } from "./colours.js";
export { createPageCookies, type PageCookies } from "./cookies.js";
export {
  icon,
  type PageDocument,
  pageHeaders,
  pageHeadersFor,
  renderDocument,
  scriptedPageHeaders,
} from "./document.js";
export {
  type ChoiceField,
  choiceField,
  type FieldProblem,
  formToken,
  isFormToken,
  problemSummary,
  type TextField,
  textField,
} from "./form.js";
export { Html, type HtmlValue, html } from "./html.js";
export { acceptedLanguage, firstLanguage, type PageLanguage, pageLanguages } from "./language.js";
export { style, styleSource } from "./style.js";
