import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

/**
 * Prism, which judges by a published description and refuses what does not keep to it: `["mock", description]` answers
 * requests, `["proxy", description, upstream]` judges the answers of another too. `owner` is a file of the package that has
 * `@stoplight/prism-cli` among its devDependencies.
 */
export async function startPrism(
  owner: string | URL,
  [command, ...parameters]: readonly ["mock" | "proxy", ...string[]],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const main = createRequire(owner).resolve("@stoplight/prism-cli/dist/index.js");
  const options = [command, "--errors", "--host", "127.0.0.1", "--port", "0", ...parameters];
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
