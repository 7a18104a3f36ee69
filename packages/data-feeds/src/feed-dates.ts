import { FeedRefusal, type SnapshotData, utcDay } from "@org/provider-kit";

const DAY_MS = 24 * 60 * 60 * 1000;

/** How far ahead of the clock a file may be dated: room for weekends booked ahead, value dates and time zones. */
const MAX_DAYS_AHEAD = 7;

/** Maximum length of a name in a refusal. */
const MAX_NAME = 60;

/**
 * Refuses data dated more than a week ahead. Otherwise the portfolio would not change until that date, because every file in between would be
 * older than what is known.
 * @throws FeedRefusal that names the portfolio, holding or transaction
 */
export function refuseFarAhead(snapshot: SnapshotData, now: Date): void {
  const latest = new Date(now.getTime() + MAX_DAYS_AHEAD * DAY_MS);
  const latestDay = utcDay(latest);
  const check = (place: () => string, date: Date | string) => {
    // The fast path for nearly all dates: a file has hundreds of thousands of them.
    if (typeof date === "string" && date.length === latestDay.length && date <= latestDay) return;
    const at = new Date(date);
    if (at <= latest) return;
    throw new FeedRefusal(place(), `is dated ${utcDay(at)}, more than ${MAX_DAYS_AHEAD} days ahead of the clock`);
  };
  for (const { name, as_of = snapshot.as_of } of snapshot.portfolios ?? [])
    check(() => `portfolio ${short(name)}`, as_of);
  check(() => "file", snapshot.as_of);
  for (const { name, portfolio_key, valuation_date } of snapshot.holdings ?? [])
    if (valuation_date !== null)
      check(() => `holding ${short(name)} of account ${short(portfolio_key)}`, valuation_date);
  for (const { description, portfolio_key, operation_date } of snapshot.transactions ?? [])
    check(() => `transaction ${short(description)} of account ${short(portfolio_key)}`, operation_date);
}

/** Whether {@link refuseFarAhead} refuses the snapshot. */
export function isFarAhead(snapshot: SnapshotData, now: Date): boolean {
  try {
    refuseFarAhead(snapshot, now);
    return false;
  } catch (error) {
    if (error instanceof FeedRefusal) return true;
    throw error;
  }
}

function short(text: string): string {
  return JSON.stringify(text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);
}
