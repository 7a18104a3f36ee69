import { type Html, html } from "@org/pages";

/** A moment as people read it, in UTC: the server does not know the reader's time zone. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${toTheMinute.format(at)} UTC</time>`;
}

/** How long to wait: `in 40 seconds`, `in 15 minutes`; rounded up, so that nobody comes too early. */
export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole <= 90) return `in ${whole} ${whole === 1 ? "second" : "seconds"}`;
  const minutes = Math.ceil(whole / 60);
  if (minutes <= 90) return `in ${minutes} minutes`;
  return `in ${Math.ceil(minutes / 60)} hours`;
}

const toTheMinute = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
