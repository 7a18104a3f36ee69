import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Schedule } from "../src/schedule.js";
import { builtServer } from "./built-server.js";

/** One record of the server's log. */
export interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The server as a separate process. */
export interface ServerProcess {
  readonly pid: number;
  /** Everything on stdout and stderr so far. */
  output(): string;
  /** The records on stdout so far. */
  log(): LogRecord[];
  readonly exited: Promise<Exit>;
  /** Resolves to the `url` of the record `ready`. Rejects, with the output, if the process ends first or takes a minute. */
  ready(): Promise<string>;
  /** Sends a signal and waits until the process is gone. */
  end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<Exit>;
}

/**
 * Without the optimizing WebAssembly compiler: a test's server lives for seconds, and the embedded database would have more functions compiled
 * than it saves. With a large young generation for the garbage of a start; otherwise scanning it would take a tenth of the processor time.
 */
const SHORT_LIVED_FLAGS = ["--liftoff-only", "--min-semi-space-size=32", "--max-semi-space-size=64"];
const START_MS = 60_000;
const STOP_MS = 20_000;

const running = new Set<ChildProcess>();
/** Kills remaining servers. `end-servers.ts` calls it, so that no server outlives its test file, whatever goes wrong. */
export function endServers(): void {
  for (const child of running) child.kill("SIGKILL");
}
process.once("exit", endServers);

const scheduledServer = fileURLToPath(new URL("scheduled-server.mjs", import.meta.url));

/**
 * Starts the built server with exactly this environment.
 * @param nodeOptions options of Node itself
 * @param schedule intervals that replace those of src/schedule.ts
 */
export async function startProcess(
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
  schedule?: Partial<Schedule>,
): Promise<ServerProcess> {
  const main = await builtServer();
  const isSpecial = schedule !== undefined || "CLOCK_SHIFT_MS" in environment || "CLOCK_JUMP_MS" in environment;
  const program = isSpecial
    ? [scheduledServer, join(dirname(main), "run-server.js"), JSON.stringify(schedule ?? {})]
    : [main];
  const isEmbedded = environment.DATABASE_URL === undefined;
  const child = spawn(process.execPath, [...(isEmbedded ? SHORT_LIVED_FLAGS : []), ...nodeOptions, ...program], {
    cwd: tmpdir(),
    // No proxy in front needs to learn of a shutdown first; a busy machine is not an overload.
    env: { PATH: process.env.PATH ?? "", DRAIN_SECONDS: "0", SHED_DELAY_MS: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let records = "";
  let words = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    records += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    words += text;
  });
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  }).finally(() => running.delete(child));

  const log = () =>
    records
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogRecord);

  return {
    pid: child.pid ?? 0,
    output: () => records + words,
    log,
    exited,
    async ready() {
      let ended = false;
      void exited.then(() => {
        ended = true;
      });
      for (const deadline = Date.now() + START_MS; Date.now() < deadline && !ended; await delay(25)) {
        const record = records.includes('"ready"') ? log().find(({ msg }) => msg === "ready") : undefined;
        if (record) return String(record.url);
      }
      throw new Error(`the server did not become ready:\n${records}${words}`);
    },
    async end(signal) {
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      return exited.finally(() => clearTimeout(late));
    },
  };
}
