const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A refresh that a person asks for comes at the earliest this long after the one before. */
export const REFRESH_PAUSE_MS = 15 * MINUTE;
/** Longer than any refresh takes; a connection whose worker was killed is due again after it. */
export const REFRESH_LEASE_MS = 5 * MINUTE;
const FIRST_BACKOFF_MS = 15 * MINUTE;
const LAST_BACKOFF_MS = 12 * HOUR;

/**
 * When a connection that is up to date is refreshed next: at its own time of the day (UTC), which follows from its id, so that
 * connections spread over the day however they came; twelve hours from now at the earliest, thirty-six at the latest.
 */
export function nextDaily(connectionId: string, now: Date): Date {
  const ofTheDay = shareOf(connectionId) * DAY;
  const earliest = now.getTime() + 12 * HOUR;
  const days = Math.ceil((earliest - ofTheDay) / DAY);
  return new Date(Math.round(days * DAY + ofTheDay));
}

/** When a refresh that failed `failures` times in a row is tried again: 15 minutes, doubling up to 12 hours, spread by up to half. */
export function nextAttempt(connectionId: string, failures: number, now: Date): Date {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LAST_BACKOFF_MS);
  return new Date(Math.round(now.getTime() + full * (1 + shareOf(connectionId) / 2)));
}

/** A number from 0 to below 1 for each connection: the last 48 bits of its id, which are random in a UUIDv7. */
function shareOf(connectionId: string): number {
  return Number.parseInt(connectionId.slice(-12), 16) / 2 ** 48;
}
