/** `Date` of an answer has whole seconds, and the answer takes a while. */
const INEXACT_MS = 3_000;

/** How far the server's clock is ahead of this one, in milliseconds. */
let aheadMs = 0;

/** @param date the `Date` header of an answer (RFC 9110 §6.6.1) */
export function noteServerTime(date: string | null): void {
  const ahead = Date.parse(date ?? "") - Date.now();
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) < INEXACT_MS ? 0 : ahead;
}

/** The server's time in milliseconds: a clock of the device may be wrong. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
