/** How a command fails. */
export type CliErrorCode =
  /** The server refused, or the command failed; exit code 1. */
  | "FAILED"
  /** Called in a way that cannot work; exit code 2. */
  | "WRONG_USAGE";

/** A failure as text for the person at the terminal: one line that names every fault, and `lines` below it where there is more to say. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  /** Whether a retry may succeed: the server did not answer, or is overloaded or restarting. */
  readonly isTemporary: boolean;
  readonly lines: readonly string[];

  constructor(
    code: CliErrorCode,
    message: string,
    cause?: unknown,
    isTemporary = false,
    lines: readonly string[] = [],
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.isTemporary = isTemporary;
    this.lines = lines;
  }
}

/** A refusal or failure. */
export function failed(message: string, cause?: unknown): CliError {
  return new CliError("FAILED", message, cause);
}

/** A refusal or failure that a retry may resolve soon. */
export function temporaryFailure(message: string, cause?: unknown): CliError {
  return new CliError("FAILED", message, cause, true);
}

/** A call that cannot work. */
export function wrongUsage(message: string): CliError {
  return new CliError("WRONG_USAGE", message);
}
