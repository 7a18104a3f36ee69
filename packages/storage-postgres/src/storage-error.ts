/**
 * Stable codes of {@link StorageError}: the database is unavailable, refuses connections, takes too long or has no room (wait and retry); one
 * tenant exceeds its share; the data directory belongs to another process; the database lacks migrations, is newer than this code or was made by
 * a build before the first release; a transaction was begun inside another.
 */
export type StorageErrorCode =
  | "unavailable"
  | "limited"
  | "in_use"
  | "not_migrated"
  | "newer_than_code"
  | "older_than_code"
  | "nested";

/** Why the storage as a whole cannot serve. Errors of single statements are passed on as the driver throws them. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  /** With `unavailable` and `limited`: when to retry. */
  readonly retryAfterSeconds: number | undefined;
  /** With `unavailable`: the message for callers if the cause is not an unavailable database. */
  readonly shown: string | undefined;
  /** With `limited`: which limit it is. */
  readonly limit: { readonly name: string; readonly value: number } | undefined;
  /** With `unavailable`: `unknown` when the change may have been committed although no answer came. */
  readonly outcome: "unknown" | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: {
      cause?: unknown;
      retryAfterSeconds?: number;
      shown?: string;
      limit?: { name: string; value: number };
      outcome?: "unknown" | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.shown = options.shown;
    this.limit = options.limit;
    this.outcome = options.outcome;
  }
}

/** When callers should retry while the database is unavailable: a restart takes a few seconds. */
const RETRY_AFTER_SECONDS = 5;
/** An operator has to free space first. */
const DISK_FULL_RETRY_SECONDS = 60;

/**
 * The {@link StorageError} behind an error of the driver, or the error itself.
 * @param wasSent whether something that changes, or a commit, was on its way: without an answer to it, its outcome is unknown
 */
export function explainDriverError(error: unknown, wasSent = false): unknown {
  if (error instanceof StorageError) return wasSent || error.outcome === undefined ? error : rolledBack(error);
  if (!(error instanceof Error)) return error;
  const fault = faultOf(error);
  if (fault !== null)
    return new StorageError("unavailable", `${zodMessages[fault]}: ${error.message || codeOf(error)}`, {
      cause: error,
      retryAfterSeconds: fault === "no_room" ? DISK_FULL_RETRY_SECONDS : RETRY_AFTER_SECONDS,
      ...(fault === "no_room" && { shown: "there is no room for changes at the moment; reading works" }),
      ...(lacksTenant(error) && { shown: "the tenant is being deleted" }),
      ...(fault === "lost" && wasSent && { outcome: "unknown" }),
    });
  if (isUnmigrated(codeOf(error), error.message)) {
    return new StorageError("not_migrated", "the database is not migrated: run `wealth-connect migrate`", {
      cause: error,
    });
  }
  return error;
}

/** What got no answer in time before a commit was sent has been rolled back. */
function rolledBack(error: StorageError): StorageError {
  const { code, message, cause, retryAfterSeconds } = error;
  return new StorageError(code, message, { cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
}

/**
 * Why the database failed to do something that may succeed later:
 * - `lost`: the connection is gone, or there was none
 * - `full`: it accepts no more connections
 * - `read_only`: it is a standby now, the new primary is elsewhere
 * - `collided`: another transaction held a row; this one was rolled back entirely
 * - `locked`: a table it needs was locked for too long
 * - `slow`: it took too long
 * - `no_room`: its disk is full; reads still work
 */
export type DatabaseFault = "lost" | "full" | "read_only" | "collided" | "locked" | "slow" | "no_room";

const zodMessages: Readonly<Record<DatabaseFault, string>> = {
  lost: "the database cannot be reached",
  full: "the database takes no more connections",
  read_only: "the database is read-only",
  collided: "other transactions were in the way",
  locked: "what the database has to read or change is locked",
  slow: "the database took too long",
  no_room: "the database has no room left on its disk",
};

/** The fault behind an error of the driver; null = the statement or the code is wrong. */
export function faultOf(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  if (isLost(code, error.message)) return "lost";
  // The context names the tuple, so a row was locked and not a table.
  if (code === "55P03" && "where" in error && String(error.where).includes("tuple")) return "collided";
  // On a cluster, a tenant was just moved, and the old plan looks for it in its former place.
  if (/could not find valid entry for shard/.test(error.message)) return "collided";
  // The tenant was deleted meanwhile; a retry finds that out when it starts.
  if (lacksTenant(error)) return "collided";
  if (hasNoRoom(code, error.message)) return "no_room";
  return faultCodes[code] ?? null;
}

/**
 * Whether a row was refused because its tenant does not exist: by a foreign key, or by the trigger `tenant_is_there` where there cannot be one.
 */
function lacksTenant(error: Error): boolean {
  if (codeOf(error) !== "23503" || !("constraint" in error)) return false;
  return /_tenant_id_fkey$|^tenant_is_there$/.test(String(error.constraint));
}

/** By SQLSTATE. */
const faultCodes: Readonly<Record<string, DatabaseFault>> = {
  "53300": "full",
  "25006": "read_only",
  "40001": "collided",
  "40P01": "collided",
  "55P03": "locked",
  "57014": "slow",
};

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

/**
 * SQLSTATE class 08 (connection) except for protocol violations other than those of poolers, 57P (shutdown, starting up), 25P03 (idle for too
 * long), and errors of the socket and the pool.
 */
function isLost(code: string, message: string): boolean {
  return (
    /^(080|57P0|25P03)/.test(code) ||
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOENT)$/.test(code) ||
    /connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed/i.test(
      message,
    ) ||
    // An error of a cluster node in the middle of a transaction.
    /failure on connection marked as essential/.test(message) ||
    /server conn crashed|server login has been failing|no more connections allowed|query_wait_timeout/.test(message)
  );
}

/** Matches PostgreSQL's message and that of the embedded database's file system. */
function hasNoRoom(code: string, message: string): boolean {
  return code === "53100" || code === "ENOSPC" || code === "EDQUOT" || /no space left on device/i.test(message);
}

/** Undefined table or function, or a role that the first migration creates. */
function isUnmigrated(code: string, message: string): boolean {
  return code === "42P01" || code === "42883" || (code === "22023" && message.includes("wealth_connect_"));
}
