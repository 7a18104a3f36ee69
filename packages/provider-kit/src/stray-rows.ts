import type { FetchedSnapshot, SnapshotData } from "./snapshot.js";
import type { Steps } from "./steps.js";
import { utcDay } from "./values.js";

/** Faults after which a check ends. */
const ENOUGH = 5;

/** Holdings and transactions of portfolios that are not there, unless the portfolios could not be read. */
export function* strayRowsIn({ portfolios, holdings, transactions }: SnapshotData): Steps<readonly string[]> {
  if (portfolios === null) return [];
  const found: string[] = [];
  const keys = new Set(portfolios.map(({ key }) => key));
  for (const [list, rows] of Object.entries({ holdings, transactions }))
    for (const [index, row] of (rows ?? []).entries()) {
      yield;
      if (keys.has(row.portfolio_key)) continue;
      found.push(`${list}.${index}.portfolio_key: is that of no portfolio in the answer`);
      if (found.length >= ENOUGH) return found;
    }
  return found;
}

/** Days that do not come before the snapshot, or not one after the other, and holdings of portfolios that a day does not have. */
export function* earlierFaultsIn({ as_of, earlier_days = [] }: FetchedSnapshot): Steps<readonly string[]> {
  const found: string[] = [];
  for (const [index, { date, portfolios, holdings }] of earlier_days.entries()) {
    const place = `earlier_days.${index}`;
    if (date >= utcDay(as_of)) found.push(`${place}.date: must be before the day of as_of`);
    if (date <= (earlier_days[index - 1]?.date ?? ""))
      found.push(`${place}.date: must be after the day before it in the list`);
    const stray = yield* strayRowsIn({ as_of, portfolios, holdings, transactions: null });
    for (const fault of stray) found.push(`${place}.${fault}`);
    if (found.length >= ENOUGH) break;
  }
  return found;
}
