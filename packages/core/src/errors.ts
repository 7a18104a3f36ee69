import type { ReachedLimit } from "@org/admission";
import type { RefusalReason } from "@org/wealth";

/** Stable codes of {@link CoreError}. Adapters map each to their own envelope and status in one exhaustive table. */
export type CoreErrorCode =
  | "VALIDATION_ERROR"
  | "NOT_FOUND"
  | "CONFIRMATION_REQUIRED"
  | "CONFLICT"
  | "RATE_LIMITED"
  | "TOO_LARGE"
  | "IDEMPOTENCY_MISMATCH"
  | "INSUFFICIENT_DATA"
  | "UNAVAILABLE";

/** Why something is refused with CONFLICT, for programs, and for pages that say it in other languages. */
export const conflictReasons = [
  // Changes that somebody else was faster with.
  "changed_meanwhile",
  "exists_already",
  "answer_lost",
  // Letters and their mails.
  "mail_in_doubt",
  "mail_has_left",
  "nothing_to_undo",
  "mail_is_leaving",
  "mail_out_of_date",
  "mail_settled",
  "no_mail_at_this_step",
  "not_next_step",
  "no_next_step",
  "needs_details",
  "needs_signed_letter",
  "not_interruptible",
  "not_blocked",
  "not_discontinued",
  "letter_ended",
  "tenant_discontinues",
  // Sessions, connections and their data.
  "wrong_session_step",
  "session_ended",
  "session_in_use",
  "client_in_use",
  "other_connection_has_data",
  "data_come_as_files",
  "needs_customer",
  "no_connection",
  "takes_no_files",
  "too_many_links",
  // Custodians' files, their keys, and providers.
  "files_held",
  "source_fetches",
  "source_receives",
  "key_revoked",
  "key_unusable",
  "no_key_in_force",
  "last_key",
  "last_signing_key",
  "provider_unset",
  "provider_has_no_rows",
  "provider_rows_unusable",
  // Whoever works with it.
  "name_taken",
  "address_taken",
  "own_role",
  "provider_only",
  "last_administrator",
  "passkey_in_use",
  "last_passkey",
  "no_passkeys",
  "endpoint_disabled",
  "too_many_secrets",
  "issuer_taken",
] as const;
export type ConflictReason = (typeof conflictReasons)[number];

/** One thing that is wrong with an input. `field` is a dotted path such as `query.creation_date.start`. */
export interface Fault {
  readonly field: string;
  readonly error_type: "RequiredField" | "InvalidValue" | "UnknownField";
  readonly message: string;
  /** The constraint that failed, in words (S2 §7). */
  readonly rule?: string;
  /** Of a custodian's file: what it lacks to be read, such as `format` or `key`; `content` where it is itself at fault. */
  readonly cause?: string;
}

/** A limit that a request reached: its name, such as `open_sessions`, and its value. docs/reference/limits.md lists them all. */
export interface Limit {
  readonly name: string;
  readonly value: number;
}

/** What a service refuses and why. Anything else that a service throws is a defect or an outage. */
export class CoreError extends Error {
  override readonly name = "CoreError";
  readonly code: CoreErrorCode;
  readonly details: readonly Fault[] | undefined;
  /** For RATE_LIMITED and UNAVAILABLE: when a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** The limit that a request reached. It ends after {@link retryAfterSeconds}; without these it ends only when someone acts. */
  readonly limit: Limit | undefined;
  /** Of UNAVAILABLE: `unknown` when the change may have been made all the same. Otherwise nothing was changed. */
  readonly outcome: "unknown" | undefined;
  /** Of a CONFLICT: why. */
  readonly reason: ConflictReason | undefined;
  /** Of INSUFFICIENT_DATA: what a figure lacks. */
  readonly missing: readonly RefusalReason[] | undefined;

  constructor(code: CoreErrorCode, message: string, options: CoreErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limit = options.limit;
    this.outcome = options.outcome;
    this.reason = options.reason;
    this.missing = options.missing;
  }
}

/** Options of a {@link CoreError} besides its code and message. */
interface CoreErrorOptions {
  readonly details?: readonly Fault[];
  readonly retryAfterSeconds?: number;
  readonly limit?: Limit;
  readonly outcome?: "unknown";
  readonly reason?: ConflictReason;
  readonly missing?: readonly RefusalReason[];
  readonly cause?: unknown;
}

/** Refuses what the object does not allow in its state. */
export function conflict(
  reason: ConflictReason,
  message: string,
  options: Pick<CoreErrorOptions, "details" | "cause"> = {},
): CoreError {
  return new CoreError("CONFLICT", message, { ...options, reason });
}

/** A limit that was reached, as every API shows it. `ends_at` is RFC 3339, and null if time alone does not end it. */
export interface LimitReached {
  readonly limit: string;
  readonly value: number;
  readonly ends_at: string | null;
}

/** The limit that an error names, as an API shows it; undefined if it names none. */
export function limitReached(
  { limit, retryAfterSeconds }: Pick<CoreError, "limit" | "retryAfterSeconds">,
  now: Date,
): LimitReached | undefined {
  if (limit === undefined) return undefined;
  const ends_at =
    retryAfterSeconds === undefined ? null : new Date(now.getTime() + retryAfterSeconds * 1_000).toISOString();
  return { limit: limit.name, value: limit.value, ends_at };
}

/** The error for a call that finds too many others waiting. */
export function queueRefusal(limit: ReachedLimit): CoreError {
  return reachedLimitError(limit, `too many queued requests${limit.isOwnShare ? " for this tenant" : ""}`);
}

/** The error for a call beyond a limit: RATE_LIMITED when the caller has reached its own share, UNAVAILABLE when all together have. */
export function reachedLimitError(
  { name, value, isOwnShare, retryAfterSeconds }: ReachedLimit,
  message: string,
): CoreError {
  return new CoreError(isOwnShare ? "RATE_LIMITED" : "UNAVAILABLE", message, {
    limit: { name, value },
    retryAfterSeconds,
  });
}

/**
 * The {@link CoreError} for an error: the error itself, or the translation of a storage error (see `Storage`), in which `unavailable`
 * becomes UNAVAILABLE and `limited` RATE_LIMITED. Null for a defect. Every adapter uses it, so that all of them report an unavailable
 * database in the same way.
 */
export function toCoreError(error: unknown): CoreError | null {
  if (error instanceof CoreError) return error;
  if (!(error instanceof Error) || !("code" in error)) return null;
  const retryAfterSeconds = "retryAfterSeconds" in error ? Number(error.retryAfterSeconds ?? 5) : 5;
  if (error.code === "unavailable") {
    const isUnknown = "outcome" in error && error.outcome === "unknown";
    return new CoreError("UNAVAILABLE", shownBy(error) ?? (isUnknown ? OUTCOME_UNKNOWN : DATABASE_AWAY), {
      retryAfterSeconds,
      cause: error,
      ...(isUnknown && { outcome: "unknown" }),
    });
  }
  if (error.code === "limited")
    return new CoreError("RATE_LIMITED", error.message, { ...limitOf(error), retryAfterSeconds, cause: error });
  return null;
}

const DATABASE_AWAY = "database temporarily unavailable; retry later";
/** Said where the database was lost while a change was being committed. */
const OUTCOME_UNKNOWN = "database lost while the change was being committed: it may or may not have been made";

/** The refusal as it is for whoever only reads: whichever answer of the database was lost, nothing is in doubt. */
export function withoutDoubt(error: CoreError): CoreError {
  if (error.outcome === undefined) return error;
  const { retryAfterSeconds = 5 } = error;
  return new CoreError("UNAVAILABLE", DATABASE_AWAY, { retryAfterSeconds, cause: error });
}

function shownBy(error: object): string | null {
  return "shown" in error && typeof error.shown === "string" ? error.shown : null;
}

function limitOf(error: object): { limit?: Limit } {
  return "limit" in error && error.limit !== undefined ? { limit: error.limit as Limit } : {};
}

/** Refuses an input with every fault found in it. */
export function invalid(...faults: readonly Fault[]): CoreError {
  return invalidAll(faults);
}

/** The same for any number of faults; the message has the first 50. Texts that may repeat an input value are cut at 2,000 characters. */
export function invalidAll(faults: readonly Fault[]): CoreError {
  const shown = faults.map(cutFault);
  const said = shown.slice(0, MAX_SAID).map((fault) => `${fault.field}: ${fault.message}`);
  if (shown.length > MAX_SAID) said.push(`and ${shown.length - MAX_SAID} more`);
  return new CoreError("VALIDATION_ERROR", said.join("; "), { details: shown });
}

const MAX_SAID = 50;
const MAX_CHARACTERS = 2_000;

function cutFault(fault: Fault): Fault {
  const { field, message, rule } = fault;
  if (Math.max(field.length, message.length, rule?.length ?? 0) <= MAX_CHARACTERS) return fault;
  return { ...fault, field: cut(field), message: cut(message), ...(rule !== undefined && { rule: cut(rule) }) };
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}

/** A fault for a value that is present but breaks `rule`. */
export function invalidValue(field: string, rule: string): Fault {
  return { field, error_type: "InvalidValue", message: rule, rule };
}

/**
 * The kind of an error for OpenTelemetry's `error.type`: one of few values, without personal data. It is the error's code if it has one
 * (`ECONNRESET`, `40001`, `NOT_FOUND`), else its class; `_OTHER` for a value that is no error.
 */
export function errorType(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string" && /^[\w.]{1,60}$/.test(code)) return code;
  return error instanceof Error ? error.name : "_OTHER";
}
