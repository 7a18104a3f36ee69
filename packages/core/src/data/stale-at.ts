const DAY_MS = 24 * 60 * 60 * 1000;

/** When data are overdue that are expected again within some days. */
export function staleAt(asOf: Date, days: number): Date {
  return new Date(asOf.getTime() + days * DAY_MS);
}
