/**
 * Work that many ask for at once, done once for all who asked before it began. A run that is under way may have read before what whoever
 * asks now knows to be there: they share the one after it, whatever came of it.
 */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return async () => {
    await underWay?.catch(() => undefined);
    underWay ??= work().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
