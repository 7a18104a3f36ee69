/**
 * Stable codes of {@link StorageError}: the database is away or refuses connections (wait and try again), the data directory
 * belongs to another process, the database lacks migrations, or is newer than this code, a transaction was begun inside another.
 */
export type StorageErrorCode = "unavailable" | "in_use" | "not_migrated" | "newer_than_code" | "nested";

/** Why the storage as a whole cannot serve. Errors of single statements come as the driver gives them. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

/** The {@link StorageError} behind an error of the driver, or the error itself. */
export function explainDriverError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  const code = "code" in error ? String(error.code) : "";
  if (isAway(code, error.message)) {
    return new StorageError("unavailable", `the database cannot be reached: ${error.message || code}`, {
      cause: error,
    });
  }
  if (isUnmigrated(code, error.message)) {
    return new StorageError("not_migrated", "the database is not migrated: run `wealth-connect migrate`", {
      cause: error,
    });
  }
  return error;
}

/** SQLSTATE class 08 (connection) but for protocol violations, 57P (shutdown, starting up), 53300 (too many connections), and errors of the socket and the pool. */
function isAway(code: string, message: string): boolean {
  return (
    /^(080|57P0|53300)/.test(code) ||
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)$/.test(code) ||
    /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i.test(
      message,
    )
  );
}

/** Undefined table or function, or a role that the first migration makes. */
function isUnmigrated(code: string, message: string): boolean {
  return code === "42P01" || code === "42883" || (code === "22023" && message.includes("wealth_connect_"));
}
