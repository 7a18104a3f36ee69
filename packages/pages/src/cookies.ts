import { parseCookie, stringifySetCookie } from "cookie";

/** Cookies of the pages: opaque, for this host only, not readable by scripts. */
export interface PageCookies {
  /** Undefined when there is no cookie, or one that this server cannot have set. */
  read(request: { readonly headers: { readonly cookie?: string | undefined } }, name: string): string | undefined;
  /** Value of a `Set-Cookie` header. @param lifetime in seconds, or the expiry; without it the cookie ends with the browser session */
  set(name: string, value: string, lifetime?: number | Date): string;
  /** Value of a `Set-Cookie` header that removes the cookie. */
  clear(name: string): string;
}

/**
 * Cookies of a site. With https they are `__Host-` and Secure, so that neither another host nor plain http can set them. On
 * loopback http browsers refuse such cookies, so they get plain names.
 * @param siteUrl URL of the site, whose scheme decides
 * @param shape the format of every value; other values are ignored
 */
export function createPageCookies(siteUrl: string, shape: RegExp): PageCookies {
  const secure = siteUrl.startsWith("https:");
  const nameOf = (name: string) => (secure ? `__Host-${name}` : name);
  const options = { path: "/", httpOnly: true, secure, sameSite: "lax" } as const;
  return {
    read(request, name) {
      const value = parseCookie(request.headers.cookie ?? "")[nameOf(name)];
      return value !== undefined && shape.test(value) ? value : undefined;
    },
    set(name, value, lifetime) {
      const end = lifetime instanceof Date ? { expires: lifetime } : lifetime === undefined ? {} : { maxAge: lifetime };
      return stringifySetCookie({ name: nameOf(name), value, ...end, ...options });
    },
    clear: (name) => stringifySetCookie({ name: nameOf(name), value: "", maxAge: 0, ...options }),
  };
}
