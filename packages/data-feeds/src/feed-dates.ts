import { FeedRefusal, type SnapshotData } from "@org/provider-kit";

const DAY_MS = 24 * 60 * 60 * 1000;

/** How far ahead of the clock a file may be dated: weekends that are booked ahead, value dates, zones. */
const MAX_DAYS_AHEAD = 7;

/** How much of a name a refusal repeats. */
const MAX_NAME = 60;

/**
 * Refuses what is dated more than a week ahead: a portfolio would stay as that file has it until then, for nothing that comes before
 * is later than what is known.
 * @throws FeedRefusal with the portfolio, holding or transaction
 */
export function refuseFarAhead(snapshot: SnapshotData, now: Date): void {
  const latest = new Date(now.getTime() + MAX_DAYS_AHEAD * DAY_MS);
  const latestDay = dayOf(latest);
  const check = (place: () => string, date: Date | string) => {
    // Nearly all are: a file has hundreds of thousands.
    if (typeof date === "string" && date.length === latestDay.length && date <= latestDay) return;
    const at = new Date(date);
    if (at <= latest) return;
    throw new FeedRefusal(place(), `is dated ${dayOf(at)}, more than ${MAX_DAYS_AHEAD} days ahead of the clock`);
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

/** Whether {@link refuseFarAhead} refuses it. */
export function isFarAhead(snapshot: SnapshotData, now: Date): boolean {
  try {
    refuseFarAhead(snapshot, now);
    return false;
  } catch (error) {
    if (error instanceof FeedRefusal) return true;
    throw error;
  }
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, "YYYY-MM-DD".length);
}

function short(text: string): string {
  return JSON.stringify(text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);
}
