import type { ReachedLimit } from "./reached-limit.js";

/** On whose behalf bytes are held. */
export interface ByteHolder {
  /** Its network: an IPv4 /24 or IPv6 /48. */
  readonly network: string;
  /** Null before authentication, and for operators. */
  readonly tenant: string | null;
}

/** The memory or disk space that bodies or answers may take, and who holds it. */
export interface ByteBudget {
  /** Counts bytes for a holder. Returns the limit that was reached, in which case nothing is counted, else null. */
  take(holder: ByteHolder, bytes: number): ReachedLimit | null;
  /** Same, but waits for room. Returns the limit when there was none within `waitMs`; rejects with the signal's reason if it aborts first. */
  wait(holder: ByteHolder, bytes: number, waitMs: number, signal?: AbortSignal): Promise<ReachedLimit | null>;
  /** Releases bytes that were counted. */
  release(holder: ByteHolder, bytes: number): void;
  /** Bytes that are held now. */
  readonly held: number;
}

/** A body takes seconds to arrive, not minutes. */
const RETRY_SECONDS = 5;

/**
 * Makes a budget. One network may take half of it, because it may be a whole office or the only proxy. One tenant may take a
 * quarter. Beyond all of it, up to half as much again, whoever has no more than is left then still gets some: so nobody takes the last of it.
 * @param name prefix of its limits' names, such as `body_bytes` in `body_bytes_of_tenant`
 */
export function createByteBudget({ maxBytes, name = "body_bytes" }: { maxBytes: number; name?: string }): ByteBudget {
  const ofNetwork = Math.floor(maxBytes / 2);
  const ofTenant = Math.floor(maxBytes / 4);
  const withRoomForOthers = Math.floor(maxBytes * 1.5);
  const held = new Map<string, number>();
  /** In order of arrival. The first one that fits is next. */
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
    wait(holder, bytes, waitMs, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const reached = take(holder, bytes);
      // A body larger than the whole share never fits.
      if (reached === null || bytes > reached.value) return Promise.resolve(reached);
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          waiting.delete(retry);
          signal?.removeEventListener("abort", giveUp);
        };
        const settle = (outcome: ReachedLimit | null) => {
          leave();
          resolve(outcome);
        };
        const giveUp = () => {
          leave();
          reject(signal?.reason);
        };
        const retry = () => {
          if (take(holder, bytes) === null) settle(null);
        };
        const timer = setTimeout(settle, waitMs, reached);
        waiting.add(retry);
        signal?.addEventListener("abort", giveUp, { once: true });
      });
    },
  };

  function take(holder: ByteHolder, bytes: number): ReachedLimit | null {
    if (holder.tenant !== null && heldBy(tenantKey(holder.tenant)) + bytes > ofTenant)
      return { name: `${name}_of_tenant`, value: ofTenant, isOwnShare: true, retryAfterSeconds: RETRY_SECONDS };
    if (heldBy(holder.network) + bytes > ofNetwork)
      return { name: `${name}_of_network`, value: ofNetwork, isOwnShare: true, retryAfterSeconds: RETRY_SECONDS };
    if (total + bytes > maxBytes && ownBytes(holder) + bytes > withRoomForOthers - total - bytes)
      return { name: `${name}_in_flight`, value: maxBytes, isOwnShare: false, retryAfterSeconds: RETRY_SECONDS };
    count(holder, bytes);
    return null;
  }

  function count({ network, tenant }: ByteHolder, bytes: number): void {
    total += bytes;
    for (const key of tenant === null ? [network] : [network, tenantKey(tenant)]) {
      const now = heldBy(key) + bytes;
      if (now > 0) held.set(key, now);
      else held.delete(key);
    }
  }

  function ownBytes({ network, tenant }: ByteHolder): number {
    return heldBy(tenant === null ? network : tenantKey(tenant));
  }

  function heldBy(key: string): number {
    return held.get(key) ?? 0;
  }
}

function tenantKey(tenant: string): string {
  return `tenant ${tenant}`;
}
