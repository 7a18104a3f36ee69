import { execFile, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = fileURLToPath(new URL("..", import.meta.url));
/** Below the package, whose manifest makes the files modules. */
const built = join(folder, "node_modules/.cache/built", String(process.pid));
const TIMEOUT_MS = 60_000;

/** Builds the examples from their sources as they are now. */
export async function buildExamples(): Promise<void> {
  mkdirSync(built, { recursive: true });
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup/package.json")), "dist/cli-default.js");
  await promisify(execFile)(process.execPath, [tsup, "--out-dir", built, "--silent"], { cwd: folder });
}

export function removeExamples(): void {
  rmSync(built, { recursive: true, force: true });
}

/** Runs an example like a person would; `typed` is what the person types before closing the terminal. */
export function runExample(
  example: string,
  { words = [], env = {}, typed = "" }: { words?: string[]; env?: Record<string, string>; typed?: string },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(built, `${example}.js`), ...words], { env, timeout: TIMEOUT_MS });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // It may end without having read anything.
  child.stdin.on("error", () => {}).end(typed);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
