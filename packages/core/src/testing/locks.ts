import { AsyncLocalStorage } from "node:async_hooks";

/** One transaction per tenant at a time and none inside another, as with a single database connection. */
export interface TenantLocks {
  /** Runs `work` when nothing else runs for `tenantId`; inside it every other use of the storage is refused. */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
  /** Throws inside {@link run}. */
  refuseNesting(): void;
}

/** Work that runs under a lock, and the scope that it was started in. */
interface Scope {
  readonly locks: object;
  readonly outer: Scope | undefined;
  open: boolean;
}

/** Shared by all locks: on Node 20 each instance that was ever used makes all later promises of the process slower. */
const current = new AsyncLocalStorage<Scope>();

/** Fair locks, first come first served. */
export function createTenantLocks(): TenantLocks {
  const tails = new Map<string, Promise<unknown>>();

  function refuseNesting(): void {
    for (let scope = current.getStore(); scope; scope = scope.outer)
      if (scope.open && scope.locks === tails)
        throw new Error("storage must not nest: inside inTenant use the stores it hands out");
  }

  async function run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    refuseNesting();
    const before = tails.get(tenantId) ?? Promise.resolve();
    const turn = before.then(async () => {
      const scope: Scope = { locks: tails, outer: innermostOpen(), open: true };
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

/** Skips scopes that have ended, so that no chain of them grows where each starts the next one. */
function innermostOpen(): Scope | undefined {
  let scope = current.getStore();
  while (scope && !scope.open) scope = scope.outer;
  return scope;
}
