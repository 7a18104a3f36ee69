import type { ReachedLimit } from "./reached-limit.js";

/** Who a body comes from. */
export interface BodyHolder {
  /** See `addressPrefix`. */
  readonly network: string;
  /** Null while nobody knows, and for operators. */
  readonly tenant: string | null;
}

/** The memory, or the disk, that bodies of requests may take while they are received and worked on, and who holds it. */
export interface BodyBudget {
  /** Counts bytes to somebody. Returns the limit that stands in the way, and nothing is counted then; null when there is none. */
  take(holder: BodyHolder, bytes: number): ReachedLimit | null;
  /** The same as soon as there is room for them; the limit when there was none in `waitMs`. */
  wait(holder: BodyHolder, bytes: number, waitMs: number): Promise<ReachedLimit | null>;
  /** Gives back what was taken. */
  release(holder: BodyHolder, bytes: number): void;
  /** Bytes that are held now. */
  readonly held: number;
}

/** A body is on its way for seconds, not minutes. */
const RETRY_SECONDS = 5;

/**
 * Makes a budget. One network has half of it, since it may stand for a whole office or for the only proxy; one tenant has a
 * quarter.
 * @param name how its limits begin, such as `body_bytes` in `body_bytes_of_tenant`
 */
export function createBodyBudget({ maxBytes, name = "body_bytes" }: { maxBytes: number; name?: string }): BodyBudget {
  const ofNetwork = Math.floor(maxBytes / 2);
  const ofTenant = Math.floor(maxBytes / 4);
  const held = new Map<string, number>();
  /** In the order in which they came; whoever fits is next. */
  const waiting = new Set<() => void>();
  let total = 0;

  return {
    get held() {
      return total;
    },
    take,
    release(holder, bytes) {
      count(holder, -bytes);
      for (const retry of waiting) retry();
    },
    wait(holder, bytes, waitMs) {
      const reached = take(holder, bytes);
      // What is larger than a whole share never fits.
      if (reached === null || bytes > reached.value) return Promise.resolve(reached);
      return new Promise((resolve) => {
        const settle = (outcome: ReachedLimit | null) => {
          clearTimeout(timer);
          waiting.delete(retry);
          resolve(outcome);
        };
        const retry = () => {
          if (take(holder, bytes) === null) settle(null);
        };
        const timer = setTimeout(settle, waitMs, reached);
        waiting.add(retry);
      });
    },
  };

  function take(holder: BodyHolder, bytes: number): ReachedLimit | null {
    if (holder.tenant !== null && heldBy(tenantKey(holder.tenant)) + bytes > ofTenant)
      return { name: `${name}_of_tenant`, value: ofTenant, isOwnShare: true, retryAfterSeconds: RETRY_SECONDS };
    if (heldBy(holder.network) + bytes > ofNetwork)
      return { name: `${name}_of_network`, value: ofNetwork, isOwnShare: true, retryAfterSeconds: RETRY_SECONDS };
    if (total + bytes > maxBytes)
      return { name: `${name}_in_flight`, value: maxBytes, isOwnShare: false, retryAfterSeconds: RETRY_SECONDS };
    count(holder, bytes);
    return null;
  }

  function count({ network, tenant }: BodyHolder, bytes: number): void {
    total += bytes;
    for (const key of tenant === null ? [network] : [network, tenantKey(tenant)]) {
      const now = heldBy(key) + bytes;
      if (now > 0) held.set(key, now);
      else held.delete(key);
    }
  }

  function heldBy(key: string): number {
    return held.get(key) ?? 0;
  }
}

function tenantKey(tenant: string): string {
  return `tenant ${tenant}`;
}
