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

  constructor(code: CliErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** A refusal or failure. */
export function failed(message: string, cause?: unknown): CliError {
  return new CliError("FAILED", message, cause);
}

/** A call that cannot work. */
export function wrongUsage(message: string): CliError {
  return new CliError("WRONG_USAGE", message);
}
