import type { TenantStores, Uuid } from "@org/core";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Intervals that the usual one is the median of. */
const INTERVALS = 4;

/** Milliseconds after which a feed's data are overdue: three times the usual interval of its files, and at least `leastDays`. */
export async function feedStaleAfter(
  { snapshots }: Pick<TenantStores, "snapshots">,
  connectionId: Uuid,
  leastDays: number,
): Promise<number> {
  const usual = usualInterval(await snapshots.latestFileDays(connectionId, INTERVALS + 1));
  return Math.max(3 * usual, leastDays) * DAY_MS;
}

/**
 * The median of the days between days with files; 0 if there is one such day only.
 * @param fileDays the last one first
 */
export function usualInterval(fileDays: readonly string[]): number {
  const intervals = fileDays
    .slice(1)
    .map((day, index) => (Date.parse(fileDays[index] as string) - Date.parse(day)) / DAY_MS)
    .sort((a, b) => a - b);
  const middle = intervals.slice(Math.ceil(intervals.length / 2) - 1, Math.floor(intervals.length / 2) + 1);
  return middle.length === 0 ? 0 : middle.reduce((sum, days) => sum + days, 0) / middle.length;
}
