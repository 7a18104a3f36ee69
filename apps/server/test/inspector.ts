import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ClientEra } from "./mcp-clients.js";

const run = promisify(execFile);

/** It needs Node 22; npx fetches both from the package registry and nothing else. */
const packages = ["-p", "node@22", "-p", "@modelcontextprotocol/inspector@2.12.0"];

/** Exit code of a call whose result is a tool error; the result is printed all the same. */
const TOOL_REFUSED = 5;

/** The MCP Inspector's command line; each call is a new process. */
export interface Inspector {
  /** The result of a method, as the Inspector prints it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(mcpUrl: string, token: string, era: ClientEra, options: readonly string[]): Promise<any>;
  remove(): void;
}

let installing: Promise<string> | undefined;

/** Lets npx install it once per process; returns the folder of its program and of Node's. */
function installed(): Promise<string> {
  installing ??= run("npx", ["--yes", ...packages, "--", "sh", "-c", "command -v node"]).then(({ stdout }) =>
    dirname(stdout.trim()),
  );
  return installing;
}

/** An Inspector with its own home directory. */
export async function installInspector(): Promise<Inspector> {
  const folder = await installed();
  const home = mkdtempSync(join(tmpdir(), "mcp-inspector-"));
  return {
    async ask(mcpUrl, token, era, options) {
      const to = ["--server-url", mcpUrl, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
      const how = ["--protocol-era", era, "--format", "json", "--quiet", "--stored-auth-only"];
      const command = [join(folder, "mcp-inspector"), "--cli", ...to, ...how, ...options];
      const env = { PATH: process.env.PATH ?? "", HOME: home, NODE_COMPILE_CACHE: join(home, "compiled") };
      const { stdout: text } = await run(join(folder, "node"), command, { env, timeout: 60_000 }).catch(
        (error: { code?: unknown; stdout: string }) => {
          if (error.code === TOOL_REFUSED) return error;
          throw error;
        },
      );
      return JSON.parse(text).result;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
