import { createHmac, timingSafeEqual } from "node:crypto";

/** The token of a browser's forms: known only to who knows the secret in its cookie. */
export function csrfToken(ownerSecret: string, link: string): string {
  return createHmac("sha256", ownerSecret).update(`csrf:${link}`).digest("base64url");
}

/** Whether a form came from a page that this browser was given. A browser without a cookie was given none. */
export function isCsrfToken(candidate: unknown, ownerSecret: string | null, link: string): boolean {
  if (ownerSecret === null || typeof candidate !== "string") return false;
  const expected = Buffer.from(csrfToken(ownerSecret, link));
  const given = Buffer.from(candidate);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
