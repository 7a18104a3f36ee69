import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const provider = new URL("../../../../packages/provider-openwealth/", import.meta.url);

/** The path of a published description. */
export function descriptionOf(name: string): string {
  return fileURLToPath(new URL(`test/description/${name}.yaml`, provider));
}

/**
 * Prism between a client and the stand-in: it answers 4xx to a request, and 5xx to an answer, that does not keep to the
 * description. It is the provider's devDependency.
 */
export async function startPrism(
  description: string,
  upstream: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const main = createRequire(new URL("package.json", provider)).resolve("@stoplight/prism-cli/dist/index.js");
  const options = ["proxy", "--errors", "--host", "127.0.0.1", "--port", "0", descriptionOf(description), upstream];
  const prism: ChildProcess = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  if (prism.stdout === null) throw new Error("prism says nothing");
  let url = "";
  for await (const line of createInterface(prism.stdout)) {
    url = /listening on (http:\S+)/.exec(line)?.[1] ?? "";
    if (url !== "") break;
  }
  prism.stdout.resume();
  return {
    url,
    async close() {
      prism.kill();
      await once(prism, "exit");
    },
  };
}

/** The first enumeration that a description has after a line with these words. */
export function enumerationAfter(description: string, words: string, next = ""): readonly string[] {
  const lines = readFileSync(descriptionOf(description), "utf8")
    .split("\n")
    .map((line) => line.trim());
  const from = lines.findIndex((line, number) => line === words && (lines[number + 1] ?? "").startsWith(next));
  const start = lines.findIndex((line, number) => number > from && line === "enum:") + 1;
  const length = lines.slice(start).findIndex((line) => !line.startsWith("- "));
  return lines.slice(start, start + length).map((line) => line.slice(2).trim());
}
