import { basename, relative } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** A command's access to the terminal and its process. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** The command that a person types: `wealth-connect`, or its equivalent in a repository. */
  readonly program: string;
  readonly clock: () => Date;
  /** Waits for a number of milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Aborted by Ctrl-C. A command that uses this signal ends on its own. */
  readonly interrupted: () => AbortSignal;
  /** Result: a document or a table, on stdout. */
  readonly print: (text: string) => void;
  /** Anything that is not the result, on stderr: warnings, progress, the reason of a failure. */
  readonly note: (text: string) => void;
  /** Where progress is drawn: a bar on a terminal, elsewhere an occasional line. */
  readonly progress: NodeJS.WriteStream;
  readonly stdin: Readable;
}

/** The shell of this process. */
export function processShell(): Shell {
  return {
    env: process.env,
    cwd: process.cwd(),
    program: programOf(process.env, process.argv[1] ?? "", process.cwd()),
    clock: () => new Date(),
    sleep: (milliseconds) => delay(milliseconds),
    interrupted() {
      const interruption = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interruption.abort());
      return interruption.signal;
    },
    print: (text) => void process.stdout.write(`${stripControlCharacters(text)}\n`),
    note: (text) => void process.stderr.write(`${stripControlCharacters(text)}\n`),
    progress: process.stderr,
    stdin: process.stdin,
  };
}

/**
 * Escapes control and bidirectional characters as JSON does: JSON itself leaves DEL, the C1 controls and the bidirectional ones unescaped. A
 * server's answers must only be displayed, never obeyed.
 */
export function stripControlCharacters(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The command as typed: npm sets a variable; for a link named `wealth-connect` the built file's own path also works. pnpm's command of an
 * installed package is a script that calls the file.
 */
function programOf(env: Shell["env"], file: string, cwd: string): string {
  if (env.npm_lifecycle_event === "cli") return "npm run cli --";
  if (env.npm_lifecycle_event === "npx") return "npx wealth-connect";
  const isByItsPath = basename(file) === "main.js" && !/[\\/]node_modules[\\/]wealth-connect[\\/]/.test(file);
  return isByItsPath ? `node ${relative(cwd, file)}` : "wealth-connect";
}

/** A hint whose commands can be typed unchanged. */
export function renderCommand({ program }: Pick<Shell, "program">, hint: string): string {
  const start = program.endsWith("wealth-connect") ? `${program} serve` : "npm start";
  return hint
    .replace(/\bwealth-connect serve\b/g, start)
    .replace(/(?<!npx )\bwealth-connect (?=[a-z])/g, `${program} `);
}

/** An environment variable; an empty one counts as unset (contract §1). */
export function envValue(shell: Shell, name: string): string | undefined {
  const value = shell.env[name];
  return value === undefined || value.trim() === "" ? undefined : value;
}
