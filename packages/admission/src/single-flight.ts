/**
 * Runs work once for all callers that asked before the run began. A caller that asks during a run waits for the next one, because the
 * current run may have read data that is older than what this caller knows of. The next run starts even if the current one fails.
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
