import type { Sleep } from "./ports/runtime.js";

/** {@link Sleep} with the process's timer. */
export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", giveUp, { once: true });
  });

/**
 * Does work under a lease of this many milliseconds, and calls `renew` at each third of it until the work has ended, or `renew` returns false
 * because the lease is lost.
 */
export async function withRenewedLease<T>(
  leaseMs: number,
  renew: () => Promise<boolean>,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const held = hold();
  try {
    return await work();
  } finally {
    over.abort();
    await held;
  }

  async function hold(): Promise<void> {
    for (;;) {
      const waited = await sleep(leaseMs / 3, over.signal).then(
        () => true,
        () => false,
      );
      if (!waited) return;
      // An unavailable storage does not end the work; it may be back before the lease ends.
      if (!(await renew().catch(() => true))) return;
    }
  }
}

/** Waits between attempts, in milliseconds; together they are longer than a restart of the database. */
const WAITS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Retries work that ends in one transaction while the storage is unavailable, so that a bank's answer is not lost when the database
 * restarts. The transaction has to notice that it was already done, because the reply can be lost after a commit.
 */
export async function retryWhileUnavailable<T>(pause: Sleep, work: () => Promise<T>): Promise<T> {
  for (const wait of WAITS)
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await pause(wait);
    }
  return work();
}

/** Whether an error says that the storage is temporarily unavailable. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "unavailable";
}
