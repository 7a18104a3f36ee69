import { StorageError } from "../storage-error.js";

/** For how long what was found locked is left alone. */
const PAUSE_MS = 1_000;
/** Statements that are remembered; there are far fewer texts than this. */
const MOST_TEXTS = 500;

/**
 * Remembers statements that waited in vain for the lock of a table. While one of them tries again, the others fail at once:
 * otherwise all connections would wait for one table, and what does not need it would stand still too.
 */
export interface HotLocks {
  /** @throws StorageError `unavailable` for a statement that would wait */
  pass(text: string): void;
  /** A statement was done. */
  done(text: string): void;
  /** A statement failed; only one that waited too long for the lock of a whole table is remembered. */
  failed(text: string, error: unknown): void;
}

/** @param tryMs how long a statement that tries again takes at most */
export function createHotLocks(tryMs: number): HotLocks {
  const until = new Map<string, number>();

  return {
    pass(text) {
      if (until.size === 0) return;
      const end = until.get(text);
      if (end === undefined) return;
      const now = performance.now();
      if (now < end)
        throw new StorageError("unavailable", "what the database has to read or change is locked", {
          retryAfterSeconds: 2,
        });
      until.set(text, now + tryMs);
    },
    done(text) {
      if (until.size > 0) until.delete(text);
    },
    failed(text, error) {
      if (isTableLock(text, error)) {
        if (until.size >= MOST_TEXTS) until.clear();
        until.set(text, performance.now() + PAUSE_MS);
      } else if (until.size > 0 && until.has(text)) until.delete(text);
    },
  };
}

/** Waiting for a row of somebody else's is nobody's matter but of those two, and advisory locks are no tables. */
function isTableLock(text: string, error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "55P03") return false;
  const where = "where" in error ? String(error.where) : "";
  return !where.includes("tuple") && !text.includes("advisory");
}
