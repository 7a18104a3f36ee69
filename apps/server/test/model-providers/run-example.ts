import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildExample } from "../build-example.js";

let built: string;
const TIMEOUT_MS = 60_000;

/** Builds the examples from their current sources. */
export async function buildExamples(): Promise<void> {
  built = await buildExample("model-providers", ["src/openai.ts", "src/anthropic.ts"]);
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
  // The process may end without having read anything.
  child.stdin.on("error", () => {}).end(typed);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
