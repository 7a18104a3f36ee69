import { setTimeout as delay } from "node:timers/promises";
import { StorageError } from "../storage-error.js";

/** How long statements that found their table locked are rejected. */
const PAUSE_MS = 500;
/** How long the others wait for the one that retries: as long as it takes on an unlocked table. */
const TRIAL_MS = 100;
/** How many statements are remembered; there are far fewer texts than this. */
const MAX_TEXTS = 500;

/**
 * Remembers statements that timed out waiting for a lock that may be a table's. While one of them retries, the others fail after a moment: otherwise
 * all connections would wait for one table, and work on other tables would stop too. A key is a tenant, or whoever else the work is for. What only one
 * key has found locked may be its own rows, for which many of its transactions queue, and others may run it.
 */
export interface HotLocks {
  /**
   * Undefined for a statement that may run; else a promise of whether it may.
   * @throws StorageError `unavailable` for a statement that would wait
   */
  pass(text: string, key: string): Promise<void> | undefined;
  /** Reports a statement that succeeded. */
  done(text: string): void;
  /** Reports a statement that failed; only one that timed out on a table lock is remembered. */
  failed(text: string, key: string, error: unknown): void;
}

/** A statement that found something locked: until when it is rejected, and the end of the retry that follows. */
interface Found {
  /** The only one that has found it; null once another has. */
  readonly key: string | null;
  readonly until: number;
  trial: { readonly over: Promise<void>; readonly end: () => void } | null;
}

export function createHotLocks(): HotLocks {
  const locked = new Map<string, Found>();

  return {
    pass(text, key) {
      const found = locked.size === 0 ? undefined : locked.get(text);
      if (found === undefined || (found.key !== null && found.key !== key)) return undefined;
      if (found.trial || performance.now() < found.until) return refuse(text, found);
      found.trial = newTrial();
      return undefined;
    },
    done(text) {
      if (locked.size > 0) forget(text);
    },
    failed(text, key, error) {
      const before = locked.get(text);
      if (before !== undefined) forget(text);
      if (!mayBeTableLock(text, error)) return;
      if (locked.size >= MAX_TEXTS) locked.clear();
      const isOfOne = before === undefined || before.key === key;
      locked.set(text, { key: isOfOne ? key : null, until: performance.now() + PAUSE_MS, trial: null });
    },
  };

  async function refuse(text: string, { trial }: Found): Promise<void> {
    if (trial) await Promise.race([trial.over, delay(TRIAL_MS)]);
    if (locked.has(text))
      throw new StorageError("unavailable", "what the database has to read or change is locked", {
        retryAfterSeconds: 2,
      });
  }

  function forget(text: string): void {
    locked.get(text)?.trial?.end();
    locked.delete(text);
  }
}

function newTrial() {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}

/**
 * Waiting for a row concerns only its two transactions, and advisory locks are not tables. Whoever queues behind those two is told no more than
 * who waits for a table.
 */
function mayBeTableLock(text: string, error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "55P03") return false;
  const where = "where" in error ? String(error.where) : "";
  return !where.includes("tuple") && !text.includes("advisory");
}
