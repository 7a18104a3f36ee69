import { colours } from "./colours.js";
import { Html, html } from "./html.js";
import { style, styleSource } from "./style.js";

/** The product's name as shown to people. */
const PRODUCT = "Wealth Connect";
/**
 * A separate string, because bundlers escape it here but not in the template: V8 stores a source with any character beyond
 * Latin-1 in twice the memory.
 */
const DASH = "–";

/** A page without the parts that all pages share. */
export interface PageDocument {
  /** BCP 47 tag of the page's language. */
  readonly language: string;
  /** Without the product's name, which is appended. */
  readonly title: string;
  /** Content of `main`, including the only `h1`. */
  readonly body: Html;
  /** Set on a waiting page: after this many seconds the browser loads `path`. */
  readonly refresh?: { readonly seconds: number; readonly path: string };
  /** Path of a module that takes over the page where JavaScript runs; send the page with `scriptedPageHeaders`. */
  readonly script?: string;
}

/** Renders the whole HTML document of a page, to be sent with `pageHeaders`. */
export function renderDocument({ language, title, body, refresh, script }: PageDocument): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${refresh === undefined ? null : refreshing(refresh, script)}
${script === undefined ? null : html`<script type="module" src="${script}"></script>`}
<title>${title} ${DASH} ${PRODUCT}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header>${mark}<span>${PRODUCT}</span></header>
<main>
${body}
</main>
</body>
</html>
`.text;
}

/** A script continues on its own, and a reload must not replace what it shows. */
function refreshing({ seconds, path }: NonNullable<PageDocument["refresh"]>, script: string | undefined): Html {
  const refresh = html`<meta http-equiv="refresh" content="${seconds};url=${path}">`;
  return script === undefined ? refresh : html`<noscript>${refresh}</noscript>`;
}

const BARS = "M8 19v-4M14 19v-7M20 19V8";

/** Three holdings, held together. The name is next to it, so screen readers skip it. */
const mark = html`<svg class="mark" aria-hidden="true" viewBox="0 0 28 28"><rect class="field" width="28" height="28" rx="8"/><path class="bars" d="${BARS}"/></svg>`;

const { accent, "on-accent": onAccent } = colours.light;

/** The product's mark as an SVG file, to be served as `image/svg+xml`: browsers request `/favicon.ico` from every site. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="8" fill="${accent}"/><path d="${BARS}" fill="none" stroke="${onAccent}" stroke-width="2.5" stroke-linecap="round"/></svg>
`;

/** The allowed sources of a page's parts, as source expressions (CSP). */
export interface ContentSources {
  readonly style: string;
  readonly image?: string;
  readonly frame?: string;
  /** Where forms may be sent; anywhere when omitted. */
  readonly form?: string;
  /** Whether modules of the site may run and send requests to the site; inline scripts never may. */
  readonly hasScript?: boolean;
}

/**
 * Headers of a page with these sources. Pages with forms omit `form` on purpose: browsers apply `form-action` to the redirect
 * after a form too, and the last redirect of a visit leads to another program's address.
 */
export function pageHeadersFor({
  style,
  image,
  frame,
  form,
  hasScript = false,
}: ContentSources): Readonly<Record<string, string>> {
  const script = hasScript ? " script-src 'self'; connect-src 'self';" : "";
  const only = (directive: string, sources: string | undefined) =>
    sources === undefined ? "" : ` ${directive} ${sources};`;
  const others = only("img-src", image) + only("frame-src", frame) + only("form-action", form);
  return {
    "Content-Security-Policy": `default-src 'none';${script} style-src ${style};${others} base-uri 'none'; frame-ancestors 'none'`,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  };
}

/** Headers of every page of the shared design. */
export const pageHeaders = pageHeadersFor({ style: styleSource });

/** Headers of a page with a `script`. */
export const scriptedPageHeaders = pageHeadersFor({ style: styleSource, hasScript: true });
