import { constants } from "node:os";
import { resolve } from "node:path";
import { ConfigError, examineEnvironment, outdatedNode, type ParsedEnvironment } from "@org/installation";
import { createLog, type Logger } from "./log.js";
import { explainStartFailure, findStartFaults } from "./start-faults.js";
import { type RunningServer, type StartOptions, startServer } from "./start-server.js";

/**
 * Runs the server as this process: settings from the environment, records on stdout. SIGTERM drains it before it ends (`DRAIN_SECONDS`), SIGINT
 * ends it in order without draining, and a second signal ends it immediately. What keeps it from starting is written to stderr, one line for
 * each fault, and the process ends with 1. A defect is one line too; its stack is in the log.
 * @param commands what a person types before a command of `wealth-connect`
 */
export async function runServer(options: StartOptions = {}, commands = "npm run cli --"): Promise<void> {
  const examination = examineEnvironment(process.env);
  const { config } = examination;
  const log = createLog(config.logLevel);
  const outdated = outdatedNode(process.versions.node);
  if (outdated !== null) log.warn(outdated);
  try {
    const started = start(examination, log, options);
    // Registered before the start completes, because a signal may come as soon as "ready" is logged.
    stopOnSignals(started, log);
    const server = await started;
    if (server.credentialsFile !== null) printWelcome(server.url, config.dataDir, server.credentialsFile, commands);
  } catch (error) {
    const isDefect = !(error instanceof ConfigError);
    if (isDefect) log.fatal({ err: error }, "the server cannot start");
    const faults = isDefect ? [`${String(error)} (this is a defect; the log has its stack)`] : error.problems;
    const lines = faults.map((fault) => `  ${oneLine(fault)}\n`);
    process.stderr.write(`the server cannot start:\n${lines.join("")}`);
    process.exit(1);
  }
}

/** A signal during the start ends the server in order as soon as it has started. */
function stopOnSignals(started: Promise<RunningServer>, log: Logger): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, async () => {
      if (stopping) process.exit(128 + constants.signals[signal]);
      stopping = true;
      log.info({ signal }, "stopping");
      // A failed start ends the process elsewhere.
      const server = await started.catch(() => null);
      if (server === null) return;
      try {
        await server.stop({ drains: signal === "SIGTERM" });
        process.exit(0);
      } catch (error) {
        log.fatal({ err: error }, "stopping failed");
        process.exit(1);
      }
    });
}

async function start(examination: ParsedEnvironment, log: Logger, options: StartOptions): Promise<RunningServer> {
  const found = await findStartFaults(examination);
  if (found.length > 0) throw new ConfigError(found);
  try {
    return await startServer(examination.config, log, options);
  } catch (error) {
    const faults = await explainStartFailure(error, examination);
    throw faults === null ? error : new ConfigError(faults);
  }
}

/**
 * Prints where the credentials are and what to try, each line ready to paste into the shell that started the server; to stderr, so that stdout
 * has records only. Secrets stay in the file: the commands read them from there.
 */
function printWelcome(url: string, dataDir: string, file: string, commands: string): void {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const credentials = resolve(file);
  const read = `const {demo} = JSON.parse(require("fs").readFileSync(${JSON.stringify(credentials)})); console.log(new URLSearchParams({grant_type: "client_credentials", client_id: demo.client_id, client_secret: demo.client_secret}).toString())`;
  // Windows' shells set variables and quote in other ways, two of them; there DATA_DIR is set already where it was given.
  const isPosix = process.platform !== "win32";
  const cli = `${dataDir === "./.data" || !isPosix ? "" : `DATA_DIR=${quoted(resolve(dataDir))} `}${commands}`;
  const lines = [
    ["MCP server", `${url}/mcp`],
    ...(isPosix ? [["A token", `node -e ${quoted(read)} | curl -s ${url}/token -d @-`]] : []),
    [isPosix ? "The same" : "A token", `${cli} token issue`],
    // The example exists only in the repository.
    commands === "npm run cli --"
      ? ["Try a filter", `${cli} filter preview --filter examples/filter.json`]
      : ["What there is", `${cli} --help`],
  ];
  process.stderr.write(`
  Wealth Connect is running at ${url}
  Credentials of the demo tenant and of the operator: ${credentials}
  To sign in to the console, open the link that is in there as first_operator.

${lines.map(([name = "", value]) => `  ${name.padEnd(15)} ${value}\n`).join("")}
`);
}

function oneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
