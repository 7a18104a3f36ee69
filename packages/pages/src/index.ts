/*
 * What the pages of the product share: plain HTML, one design, no script of their own, nothing loaded from elsewhere.
 *
 *   html.ts          markup that escapes whatever is put into it
 *   document.ts      the whole document around a page
 *   field.ts         a labelled text field, and the summary of what is wrong with a form
 *   form-token.ts    what proves that a form came from a page of this browser
 *   colours.ts       the palette, light and dark
 *   style.ts         the one style sheet, and its source expression
 *   page-headers.ts  what every page is sent with
 *   cookies.ts       what a browser keeps for the pages
 *   icon.ts          the mark as a file of its own
 */
export { colours } from "./colours.js";
export { createPageCookies, type PageCookies } from "./cookies.js";
export { documentOf, type PageDocument } from "./document.js";
export { type FieldProblem, problemSummary, type TextField, textField } from "./field.js";
export { formToken, isFormToken } from "./form-token.js";
export { Html, type HtmlValue, html } from "./html.js";
export { icon } from "./icon.js";
export { pageHeaders, pageHeadersFor, scriptedPageHeaders } from "./page-headers.js";
export { style, styleSource } from "./style.js";
