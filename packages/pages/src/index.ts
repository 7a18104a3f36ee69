/*
 * What the pages of the product share: plain HTML, one design, no script of their own, nothing loaded from elsewhere.
 *
 * The way of a page: its words are written with `html` (html.ts), which escapes whatever is put into them; its forms have fields with
 * their faults, and a token that proves where a form came from (form.ts). `documentOf` puts the document around it, and the page
 * headers are what it is sent with (document.ts); the one sheet it holds is style.ts in the colours of colours.ts. What the
 * browser keeps between pages is in cookies.ts.
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
export { style, styleSource } from "./style.js";
