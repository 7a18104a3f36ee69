import type { Sleep } from "./ports/runtime.js";

/** The sleep of a process. */
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

/** Waits between attempts, in milliseconds: a database that restarts is back within them. */
const WAITS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Does work that ends in one transaction, again while the storage is away: what a bank was asked for is not lost to a restart of
 * the database. The transaction has to notice when it was done already, for an answer can be lost after a commit.
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

/** Whether an error says that the storage is away for the moment. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "unavailable";
}
