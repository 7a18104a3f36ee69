import { createHmac, timingSafeEqual } from "node:crypto";

/** The token of a form: only a browser that holds `browserSecret`, in a cookie, can be given it, and it fits no other `form`. */
export function formToken(browserSecret: string, form: string): string {
  return createHmac("sha256", browserSecret).update(`csrf:${form}`).digest("base64url");
}

/** Whether a form came from a page that this browser was given. A browser without a secret was given none. */
export function isFormToken(candidate: unknown, browserSecret: string | null, form: string): boolean {
  if (browserSecret === null || typeof candidate !== "string") return false;
  const expected = Buffer.from(formToken(browserSecret, form));
  const given = Buffer.from(candidate);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
