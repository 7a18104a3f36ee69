import { createHash } from "node:crypto";
import { createPageCookies } from "@org/pages";
import type { Request, Response } from "express";

/** The cookie that binds a browser to one session. */
export interface OwnerCookie {
  /** The secret that this browser holds for the link; null when it has none, or something that cannot be one. */
  read(request: Request, link: string): string | null;
  /** @param expires end of the cookie; without it, the cookie ends with the browser */
  write(response: Response, link: string, secret: string, expires?: Date): void;
}

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * One cookie per session, named after the link's hash, so that two sessions in one browser do not collide and the name gives
 * nothing away.
 */
export function createOwnerCookie(publicUrl: string): OwnerCookie {
  const cookies = createPageCookies(publicUrl, SECRET);
  return {
    read: (request, link) => cookies.read(request, nameFor(link)) ?? null,
    write(response, link, secret, expires) {
      response.append("Set-Cookie", cookies.set(nameFor(link), secret, expires));
    },
  };
}

function nameFor(link: string): string {
  return `wc-connect-${createHash("sha256").update(link).digest("hex").slice(0, 16)}`;
}
