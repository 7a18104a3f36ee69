const MINUTE = 60_000;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE;

/** Longer than any attempt takes; a mail whose sender was killed is looked at again after it. */
export const MAIL_LEASE_MS = 10 * MINUTE;
/** No attempt takes longer; well below the lease. */
export const SEND_TIMEOUT_MS = 5 * MINUTE;
/** With the waits between them some two days, as long as mail servers usually try (RFC 5321 §4.5.4.1 asks for four to five, relays do the rest). */
export const MAIL_ATTEMPTS = 13;

/** When a mail that a server refused for the moment is tried again: after 1, 4, 16 and 64 minutes, then every 4 to 6 hours. */
export function nextSending(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(MINUTE * 4 ** (attempts - 1), LONGEST_WAIT_MS));
}
