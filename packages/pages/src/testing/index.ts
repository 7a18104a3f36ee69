/** For tests of pages: a browser without JavaScript. */
export { type Browser, createBrowser, type Page, type PageForm, type Typed } from "./browser.js";
