/** The places that each tenant uses. */
export interface PlaceUse {
  /** Places that are held now, over all tenants. */
  readonly held: number;
  take(tenantId: string): void;
  leave(tenantId: string): void;
  /**
   * The places of each tenant: those it holds, or the average of about the last minute if that is more. A tenant whose
   * deliveries took long thus yields to one that has used little, even in a moment in which it holds nothing.
   */
  byTenant(): Readonly<Record<string, number>>;
}

/** The average forgets at this rate: after this long, it keeps 37 % of what it was. */
const MEMORY_MS = 60_000;
/** A tenant that holds nothing and has a smaller average is forgotten. */
const NEGLIGIBLE = 0.001;

export function createPlaceUse(clock: () => Date): PlaceUse {
  const tenants = new Map<string, { held: number; average: number; at: number }>();
  const update = (tenantId: string) => {
    const now = clock().getTime();
    const { held, average, at } = tenants.get(tenantId) ?? { held: 0, average: 0, at: now };
    const use = { held, average: held + (average - held) * Math.exp((at - now) / MEMORY_MS), at: now };
    tenants.set(tenantId, use);
    return use;
  };
  const change = (tenantId: string, by: 1 | -1) => {
    update(tenantId).held += by;
    use.held += by;
  };

  const use = {
    held: 0,
    take: (tenantId: string) => change(tenantId, 1),
    leave: (tenantId: string) => change(tenantId, -1),
    byTenant() {
      const places: Record<string, number> = {};
      for (const tenantId of tenants.keys()) {
        const { held, average } = update(tenantId);
        if (held === 0 && average < NEGLIGIBLE) tenants.delete(tenantId);
        else places[tenantId] = Math.max(held, average);
      }
      return places;
    },
  };
  return use;
}
