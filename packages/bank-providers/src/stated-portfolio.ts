import type { PortfolioData } from "@org/core";

/** A portfolio of a file that says as of when it states it. */
export interface StatedPortfolio extends PortfolioData {
  readonly as_of: Date;
}

/** As of when a file is as a whole: as of its latest portfolio. */
export function latestAsOf(portfolios: Iterable<StatedPortfolio>): Date {
  let latest = new Date(0);
  for (const { as_of } of portfolios) if (as_of > latest) latest = as_of;
  return latest;
}

/** The moment that stands for a day, `YYYY-MM-DD`: its first in UTC. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
