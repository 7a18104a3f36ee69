import { addDays, daysBetween } from "./days.js";
import { Refusal } from "./refusal.js";

/** What every question takes. */
export interface Asked {
  readonly portfolio_ids?: readonly string[] | null;
  readonly currency?: string | null;
  readonly stale_after?: number;
}

export interface Period {
  readonly from: string;
  /** Today if left out. */
  readonly to?: string;
}

/** @throws Refusal where days are not in order, later than today, or too many */
export function checkPeriod(from: string, to: string, today: string): void {
  if (to > today) throw new Refusal("VALIDATION_ERROR", [{ field: "to" }]);
  if (from > to) throw new Refusal("VALIDATION_ERROR", [{ field: "from" }]);
  if (daysBetween(addDays(from, -1), to) > 3660) throw new Refusal("VALIDATION_ERROR", [{ field: "from" }]);
}

/** @throws Refusal where the day is later than today */
export function checkDate(date: string, today: string): void {
  if (date > today) throw new Refusal("VALIDATION_ERROR", [{ field: "date" }]);
}

export const defaultStaleAfter = 7;
