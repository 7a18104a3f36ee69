import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { runCommandLine } from "../src/run-command-line.js";
import { demo, operator } from "./stub-server.js";

/** The result of a run. `document` is what `--json` printed. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every command
  readonly document: any;
}

/** The environment of a run. */
export interface CommandEnvironment {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Whether a person sits at standard input. */
  readonly isTTY?: boolean;
  /** The command as typed. */
  readonly program?: string;
  /** Stands for Ctrl-C. */
  readonly interrupted?: AbortSignal;
  /** Called with each line of the result as it is printed. */
  readonly onPrint?: (text: string) => void;
  /** Called with each note. */
  readonly onNote?: (text: string) => unknown;
}

/** Runs command lines inside this process, with separate streams. */
export function commandLine() {
  const folder = mkdtempSync(join(tmpdir(), "cli-"));

  async function run(
    args: readonly string[],
    {
      env = {},
      stdin = "",
      isTTY = false,
      program = "wealth-connect",
      interrupted,
      onPrint,
      onNote,
    }: CommandEnvironment = {},
  ): Promise<Run> {
    let stdout = "";
    let stderr = "";
    const progress = new PassThrough();
    progress.on("data", (chunk) => {
      stderr += chunk;
    });
    const code = await runCommandLine(
      args,
      {
        env,
        cwd: folder,
        program,
        clock: () => new Date(),
        sleep: async () => undefined,
        interrupted: () => interrupted ?? new AbortController().signal,
        print: (text) => {
          onPrint?.(text);
          stdout += `${text}\n`;
        },
        note: (text) => {
          onNote?.(text);
          stderr += `${text}\n`;
        },
        progress: progress as unknown as NodeJS.WriteStream,
        stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY }),
      },
      "0.0.0",
    );
    return { code, stdout, stderr, document: undefined };
  }

  return {
    run,
    async json(args: readonly string[], environment?: CommandEnvironment): Promise<Run> {
      const result = await run([...args, "--json"], environment);
      return { ...result, document: result.stdout === "" ? undefined : JSON.parse(result.stdout) };
    },
    folder,
    /** Writes a file into the folder that commands run in, and returns its name. */
    file(name: string, content: string | Buffer): string {
      writeFileSync(join(folder, name), content);
      return name;
    },
    /** A data folder with the credentials of a server: its operator, and an application of a tenant. Returns the environment that names it. */
    dataFolder(url: string, tenant: string): { readonly DATA_DIR: string } {
      const DATA_DIR = mkdtempSync(join(folder, "data-"));
      const credentials = { url, operator, demo: { tenant, ...demo } };
      writeFileSync(join(DATA_DIR, "credentials.json"), JSON.stringify(credentials));
      return { DATA_DIR };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Those of the values that a text shows. Other values may have short ones inside them by chance. */
export function valuesIn(text: string, values: readonly string[]): readonly string[] {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  const isShown = (value: string) => {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
      if (value.length > 8 || !(isPart(text[at - 1]) || isPart(text[at + value.length]))) return true;
    return false;
  };
  return values.filter(isShown);
}
