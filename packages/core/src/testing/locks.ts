import { AsyncLocalStorage } from "node:async_hooks";

/** One tenant at a time, and never from inside itself: what a single database connection can do. */
export interface TenantLocks {
  /** Runs `work` when nothing else runs for `tenantId`; inside it every other use of the storage is refused. */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
  /** Throws inside {@link run}. */
  refuseNesting(): void;
}

/** What runs under a lock, and what it was begun in. */
interface Scope {
  readonly locks: object;
  readonly outer: Scope | undefined;
  open: boolean;
}

/** One for all locks: on Node 20 each one that was ever used makes every later promise of the process dearer. */
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

/** Those that have ended are left out, so that no chain of them grows where each begins the next one. */
function innermostOpen(): Scope | undefined {
  let scope = current.getStore();
  while (scope && !scope.open) scope = scope.outer;
  return scope;
}
