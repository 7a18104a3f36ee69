import type { HoldingData, TransactionData } from "@org/provider-kit";

/** Which days of an account to tell. All are `YYYY-MM-DD`. */
export interface StatementDays {
  readonly valuationDate: string;
  /** Days at whose close the account is told as well, ascending, none after `valuationDate`. */
  readonly earlier: readonly string[];
  /** Movements are told that are later than this day. */
  readonly since: string;
}

/** What was held on the days asked for, and what moved. */
export interface HeldOverTime {
  /** Null before the holding was there. */
  readonly holding: HoldingData | null;
  /** One for each of the earlier days. */
  readonly earlier: readonly (HoldingData | null)[];
  readonly transactions: readonly TransactionData[];
}

/** Collects the statements of earlier days while an account is simulated: call `before` with the day of each movement, then `rest`. */
export function collectStatements(days: readonly string[], statedOn: (day: string) => HoldingData | null) {
  const collected: (HoldingData | null)[] = [];
  return {
    before(date: string) {
      for (let day = days[collected.length]; day !== undefined && day < date; day = days[collected.length])
        collected.push(statedOn(day));
    },
    rest(): readonly (HoldingData | null)[] {
      for (const day of days.slice(collected.length)) collected.push(statedOn(day));
      return collected;
    },
  };
}
