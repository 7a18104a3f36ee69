import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const app = fileURLToPath(new URL("..", import.meta.url));

/** What a run of the command line gave. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line, bundled from its sources and run as a process of its own, in an empty folder unless `env` says otherwise. */
export interface BuiltCli {
  run(args: readonly string[], options?: { env?: Record<string, string>; stdin?: string }): Promise<Run>;
  /** Like `run`, with the document that `--json` prints. */
  json(
    args: readonly string[],
    options?: { env?: Record<string, string>; stdin?: string },
  ): Promise<Run & { document: any }>;
  /** An empty folder that goes with `remove`. */
  readonly folder: string;
  remove(): void;
}

export async function buildCli(): Promise<BuiltCli> {
  // Below the app, so that the dependencies that stay imports are found.
  const cache = join(app, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, "cli-"));
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup/package.json")), "dist/cli-default.js");
  // tsup looks in the working directory for what is to stay an import.
  await promisify(execFile)(process.execPath, [tsup, "--out-dir", outDir, "--silent"], { cwd: app });
  const folder = mkdtempSync(join(tmpdir(), "cli-"));

  const run: BuiltCli["run"] = (args, { env = {}, stdin } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [join(outDir, "main.js"), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? "", ...env },
      });
      let stdout = "";
      let stderr = "";
      child.stdout.on("data", (chunk) => (stdout += chunk));
      child.stderr.on("data", (chunk) => (stderr += chunk));
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, stdout, stderr }));
      child.stdin.on("error", () => {});
      child.stdin.end(stdin ?? "");
    });
  return {
    run,
    async json(args, options) {
      const result = await run([...args, "--json"], options);
      return { ...result, document: result.stdout === "" ? undefined : JSON.parse(result.stdout) };
    },
    folder,
    remove() {
      rmSync(outDir, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
