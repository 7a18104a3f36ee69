/** Distributes requests over replicas in turn, leaving out those that stopped answering. */
export interface LoadBalancer {
  /** Sends a request to the next replica; only the path of the address counts. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Requests that each replica has answered, by origin. */
  readonly answered: ReadonlyMap<string, number>;
}

export function createLoadBalancer(replicas: readonly string[]): LoadBalancer {
  const alive = [...replicas];
  const answered = new Map<string, number>();
  let turn = 0;
  const next = () => {
    const origin = alive[turn++ % alive.length];
    if (origin === undefined) throw new Error("no replica is left");
    return origin;
  };

  return {
    answered,
    async fetch(url, init) {
      const { pathname, search } = new URL(url);
      for (;;) {
        const origin = next();
        try {
          const response = await fetch(`${origin}${pathname}${search}`, init);
          answered.set(origin, (answered.get(origin) ?? 0) + 1);
          return response;
        } catch (error) {
          if (!isRefused(error) || alive.length === 1) throw error;
          alive.splice(alive.indexOf(origin), 1);
        }
      }
    },
  };
}

/** Nothing listens there: no server has seen the request, so it may be sent again. */
function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === "ECONNREFUSED" || cause?.code === "UND_ERR_SOCKET" || cause?.code === "ECONNRESET";
}
