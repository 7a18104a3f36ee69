import { createSemaphore, type Semaphore } from "@org/admission";
import { queueRefusal } from "../errors.js";

/** Limits on concurrent calls to banks. */
export interface PlaceLimits {
  readonly overall: number;
  /** At one connector. */
  readonly each: number;
  /** Calls waiting for a place at one connector, of all tenants and of each. */
  readonly waiting: number;
  readonly waitingEach: number;
}

/**
 * Places for calls to banks, limited overall and per connector. Both are shared between tenants so that none can hold all of them:
 * a login may take a minute, and other tenants' customers must not wait for it.
 */
export interface BankPlaces {
  /**
   * Waits for a place; waiting tenants are served round-robin. Returns the function that releases the place. Rejects when the
   * signal aborts.
   * @throws CoreError RATE_LIMITED, UNAVAILABLE when too many are waiting
   */
  take(connectorId: string, tenantId: string, signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export function createBankPlaces({ overall, each, waiting, waitingEach }: PlaceLimits): BankPlaces {
  const makeSemaphore = (places: number) =>
    createSemaphore({
      name: "bank_calls_at_once",
      permits: places,
      keepsRoom: true,
      waiting,
      waitingPerKey: waitingEach,
      retryAfterSeconds: 10,
      refuse: queueRefusal,
    });
  const all = makeSemaphore(overall);
  /** Only connectors that have running or waiting calls. */
  const connectors = new Map<string, Semaphore>();

  return {
    async take(connectorId, tenantId, signal) {
      const own = connectors.get(connectorId) ?? makeSemaphore(each);
      connectors.set(connectorId, own);
      let leaveConnector: (() => void) | undefined;
      try {
        leaveConnector = await own.acquire(tenantId, signal);
        const leaveAll = await all.acquire(tenantId, signal);
        return () => {
          leaveAll();
          leave(connectorId, own, leaveConnector);
        };
      } catch (error) {
        leave(connectorId, own, leaveConnector);
        throw error;
      }
    },
    get running() {
      return all.running;
    },
    get waiting() {
      return [...connectors.values()].reduce((sum, places) => sum + places.waiting, all.waiting);
    },
  };

  function leave(connectorId: string, semaphore: Semaphore, end: (() => void) | undefined): void {
    end?.();
    if (semaphore.running === 0 && semaphore.waiting === 0 && connectors.get(connectorId) === semaphore)
      connectors.delete(connectorId);
  }
}
