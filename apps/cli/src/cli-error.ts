/** How a command ends that does not do what it was asked for. */
export type CliErrorCode =
  /** Refused by the server, or failed; exit code 1. */
  | "FAILED"
  /** Called in a way that cannot work; exit code 2. */
  | "WRONG_USAGE";

/** A failure in words for the person at the terminal: one line, every fault in it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  /** Whether the same may succeed later: nobody answered, or whoever did is overloaded or on the way back. */
  readonly isTemporary: boolean;

  constructor(code: CliErrorCode, message: string, cause?: unknown, isTemporary = false) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.isTemporary = isTemporary;
  }
}

/** A refusal or failure. */
export function failed(message: string, cause?: unknown): CliError {
  return new CliError("FAILED", message, cause);
}

/** A refusal or failure that may be over soon. */
export function temporaryFailure(message: string, cause?: unknown): CliError {
  return new CliError("FAILED", message, cause, true);
}

/** A call that cannot work. */
export function wrongUsage(message: string): CliError {
  return new CliError("WRONG_USAGE", message);
}
