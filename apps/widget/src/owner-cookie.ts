import { createHash } from "node:crypto";
import type { Request, Response } from "express";

/** The cookie that binds a browser to one session. */
export interface OwnerCookie {
  /** The secret that this browser holds for the link; null when it has none, or something that cannot be one. */
  read(request: Request, link: string): string | null;
  /** @param expires end of the cookie; without it, the cookie ends with the browser */
  write(response: Response, link: string, secret: string, expires?: Date): void;
}

/**
 * One cookie per session, named after the link's hash, so that two sessions in one browser do not collide and the name gives
 * nothing away. @param secure whether customers come by https: then `__Host-` keeps other hosts and plain http from setting it.
 */
export function createOwnerCookie(secure: boolean): OwnerCookie {
  return {
    read(request, link) {
      const prefix = `${nameFor(link)}=`;
      const pair = (request.headers.cookie ?? "").split(";").find((part) => part.trim().startsWith(prefix));
      const secret = pair?.trim().slice(prefix.length);
      return secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
    },
    write(response, link, secret, expires) {
      const options = { path: "/", httpOnly: true, secure, sameSite: "lax", ...(expires ? { expires } : {}) } as const;
      response.cookie(nameFor(link), secret, options);
    },
  };

  function nameFor(link: string): string {
    const hash = createHash("sha256").update(link).digest("hex").slice(0, 16);
    return `${secure ? "__Host-" : ""}wc-connect-${hash}`;
  }
}
