import { styleSource } from "./style.js";

/** Where a page's parts may come from, as source expressions (CSP). */
export interface ContentSources {
  readonly style: string;
  readonly image?: string;
  /** Whether modules of the site may run, and ask the site; nothing written into the page ever may. */
  readonly hasScript?: boolean;
}

/**
 * Headers of a page with these sources. There is no `form-action` on purpose: browsers apply it to the redirect that follows a
 * form, and the last one of a visit leads on to another program's address.
 */
export function pageHeadersFor({ style, image, hasScript = false }: ContentSources): Readonly<Record<string, string>> {
  const script = hasScript ? " script-src 'self'; connect-src 'self';" : "";
  const images = image === undefined ? "" : ` img-src ${image};`;
  return {
    "Content-Security-Policy": `default-src 'none';${script} style-src ${style};${images} base-uri 'none'; frame-ancestors 'none'`,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  };
}

/** Headers of every page of the shared design. */
export const pageHeaders = pageHeadersFor({ style: styleSource });

/** Headers of one with a `script`. */
export const scriptedPageHeaders = pageHeadersFor({ style: styleSource, hasScript: true });
