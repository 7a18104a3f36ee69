import { styleSource } from "./style.js";

/**
 * Headers of every page. There is no `form-action` on purpose: browsers apply it to redirects too, and the last form of a
 * visit leads on to the program's own address.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": `default-src 'none'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'`,
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/** Headers of a page with a `script`: modules of the site may run, and ask the site; nothing written into the page may. */
export const scriptedPageHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  "Content-Security-Policy": `default-src 'none'; script-src 'self'; connect-src 'self'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'`,
};
