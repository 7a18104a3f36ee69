import { createPlaces } from "@org/admission";
import { reachedLimitError } from "@org/core";

/** How many calls may wait for events: per tenant, and in total. */
export interface WaitingLimits {
  readonly perTenant: number;
  readonly overall: number;
}

/** A call that waits for new events of a log. */
export interface WaitingCall {
  /** True as soon as the log goes beyond `head`; false when the time is over, the caller has disconnected, or the server stops. */
  news(head: number): Promise<boolean>;
  leave(): void;
}

/** Calls that wait for events. They hold no database connection: one query checks for all of them. */
export interface WaitingCalls {
  /** @throws CoreError RATE_LIMITED when too many of this log wait, UNAVAILABLE when too many wait in total */
  enter(log: string, seconds: number, gone?: AbortSignal): WaitingCall;
  /** Checks for new events now, because this process knows that there are some. */
  look(): void;
  /** Ends all waiting calls and admits no more, because the server stops. */
  close(): void;
}

interface Waiter {
  readonly log: string;
  head: number;
  resolve: ((isNews: boolean) => void) | null;
}

/**
 * @param heads returns the last sequences of logs
 * @param everyMs how often to check while calls wait, because other servers write events too
 */
export function createWaitingCalls(deps: {
  heads: (logs: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  everyMs: number;
  limits: WaitingLimits;
}): WaitingCalls {
  const { perTenant, overall } = deps.limits;
  const places = createPlaces({
    ofKey: { name: "waiting_calls_of_tenant", value: perTenant },
    overall: { name: "waiting_calls", value: overall },
    retryAfterSeconds: 5,
  });
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let isAskedAgain = false;
  let isClosed = false;

  return {
    enter(log, seconds, gone) {
      const limit = places.take(log);
      if (limit) throw reachedLimitError(limit, `at most ${limit.value} calls wait for events at once`);
      const waiter: Waiter = { log, head: 0, resolve: null };
      waiters.add(waiter);
      let isOver = isClosed || gone?.aborted === true;
      const end = () => {
        isOver = true;
        tell(waiter, false);
      };
      const deadline = setTimeout(end, seconds * 1000);
      gone?.addEventListener("abort", end);
      return {
        news(head) {
          if (isOver || isClosed) return Promise.resolve(false);
          waiter.head = head;
          timer ??= setTimeout(look, deps.everyMs);
          return new Promise((resolve) => {
            waiter.resolve = resolve;
          });
        },
        leave() {
          clearTimeout(deadline);
          gone?.removeEventListener("abort", end);
          if (waiters.delete(waiter)) places.leave(log);
        },
      };
    },
    look,
    close() {
      isClosed = true;
      for (const waiter of waiters) tell(waiter, false);
    },
  };

  function look(): void {
    if (looking !== null) {
      isAskedAgain = true;
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    const waiting = [...waiters].filter(({ resolve }) => resolve !== null);
    if (waiting.length === 0) return;
    isAskedAgain = false;
    // While the database is unavailable all calls keep waiting, and end when their time is over.
    looking = deps
      .heads([...new Set(waiting.map(({ log }) => log))])
      .then((heads) => {
        for (const waiter of waiting) if ((heads.get(waiter.log) ?? 0) > waiter.head) tell(waiter, true);
      })
      .catch(() => undefined)
      .finally(() => {
        looking = null;
        if (isAskedAgain) look();
        else if ([...waiters].some(({ resolve }) => resolve !== null)) timer ??= setTimeout(look, deps.everyMs);
      });
  }
}

function tell(waiter: Waiter, isNews: boolean): void {
  waiter.resolve?.(isNews);
  waiter.resolve = null;
}
