import type { IncomingMessage } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";

/** Cookies of the pages: opaque, for this host only, out of scripts' reach. */
export interface Cookies {
  /** Undefined when there is none, or something that this server cannot have set. */
  read(req: IncomingMessage, name: string): string | undefined;
  /** Value of a `Set-Cookie` header. */
  set(name: string, value: string, maxAgeSeconds: number): string;
  /** Value of a `Set-Cookie` header that removes the cookie. */
  clear(name: string): string;
}

/**
 * Cookies of an issuer. With https they are `__Host-` and Secure, so that neither another host nor plain http can set them; on
 * loopback http browsers refuse that, and they have their plain names.
 */
export function createCookies(issuer: string): Cookies {
  const secure = issuer.startsWith("https:");
  const nameOf = (name: string) => (secure ? `__Host-${name}` : name);
  const options = { path: "/", httpOnly: true, secure, sameSite: "lax" } as const;
  return {
    read(req, name) {
      const value = parseCookie(req.headers.cookie ?? "")[nameOf(name)];
      return value !== undefined && VALUE.test(value) ? value : undefined;
    },
    set: (name, value, maxAge) => stringifySetCookie({ name: nameOf(name), value, maxAge, ...options }),
    clear: (name) => stringifySetCookie({ name: nameOf(name), value: "", maxAge: 0, ...options }),
  };
}

/** `wcb_` and 256 bits in base64url. */
const VALUE = /^wcb_[A-Za-z0-9_-]{43}$/;
