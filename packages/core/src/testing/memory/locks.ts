import { AsyncLocalStorage } from "node:async_hooks";

/** One tenant at a time, and never from inside itself: what a single database connection can do. */
export interface TenantLocks {
  /** Runs `work` when nothing else runs for `tenantId`; inside it every other use of the storage is refused. */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
  /** Throws inside {@link run}. */
  refuseNesting(): void;
}

/** Fair locks, first come first served. */
export function createTenantLocks(): TenantLocks {
  const tails = new Map<string, Promise<unknown>>();
  const current = new AsyncLocalStorage<{ open: boolean }>();

  function refuseNesting(): void {
    if (current.getStore()?.open) {
      throw new Error("storage must not nest: inside inTenant use the stores it hands out");
    }
  }

  async function run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    refuseNesting();
    const before = tails.get(tenantId) ?? Promise.resolve();
    const turn = before.then(async () => {
      const scope = { open: true };
      try {
        return await current.run(scope, work);
      } finally {
        scope.open = false;
      }
    });
    tails.set(
      tenantId,
      turn.catch(() => undefined),
    );
    return turn;
  }

  return { run, refuseNesting };
}
