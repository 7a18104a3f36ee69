import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** What a command has to do with the terminal and the process around it. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  readonly clock: () => Date;
  /** Waits for so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Result: a document or a table, on stdout. */
  readonly print: (text: string) => void;
  /** Anything that is not the result, on stderr: warnings, progress, the reason of a failure. */
  readonly note: (text: string) => void;
  /** Where progress is drawn; a terminal gets a bar, anything else a line now and then. */
  readonly progress: NodeJS.WriteStream;
  readonly stdin: Readable;
}

/** The shell of this process. */
export function processShell(): Shell {
  return {
    env: process.env,
    cwd: process.cwd(),
    clock: () => new Date(),
    sleep: (milliseconds) => delay(milliseconds),
    print: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    progress: process.stderr,
    stdin: process.stdin,
  };
}

/** An environment variable; an empty one counts as unset (contract §1). */
export function envValue(shell: Shell, name: string): string | undefined {
  const value = shell.env[name];
  return value === undefined || value.trim() === "" ? undefined : value;
}
