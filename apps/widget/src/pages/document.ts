import { Html, html } from "../html.js";
import { style } from "../style.js";
import type { Page, PageContext } from "./page.js";

/** Name of the product as customers read it. */
const PRODUCT = "Wealth Connect";

/** The whole HTML document of a page. */
export function documentOf({ language, path }: Pick<PageContext, "language" | "path">, page: Page): string {
  const refresh = page.refreshSeconds;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh === undefined ? null : html`<meta http-equiv="refresh" content="${refresh};url=${path}">`}
<title>${page.title} – ${PRODUCT}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header>${PRODUCT}</header>
<main>
${page.body}
</main>
</body>
</html>
`.text;
}
