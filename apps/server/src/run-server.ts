import { constants } from "node:os";
import { ConfigError, outdatedNode, readConfig } from "@org/installation";
import { createLog } from "./log.js";
import { type StartOptions, startServer } from "./start-server.js";

/**
 * Runs the server as this process: settings from the environment, records on stdout. SIGTERM drains it before it ends (`DRAIN_SECONDS`),
 * SIGINT ends it in order without that, and a second signal ends it at once. What keeps it from starting is written to stderr, and the
 * process ends with 1.
 */
export async function runServer(options: StartOptions = {}): Promise<void> {
  try {
    const config = readConfig(process.env);
    const log = createLog(config.logLevel);
    const outdated = outdatedNode(process.versions.node);
    if (outdated !== null) log.warn(outdated);
    const server = await startServer(config, log, options);
    if (server.credentialsFile !== null) printWelcome(server.url, server.credentialsFile);

    let stopping = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.on(signal, () => {
        if (stopping) process.exit(128 + constants.signals[signal]);
        stopping = true;
        log.info({ signal }, "stopping");
        server.stop({ drains: signal === "SIGTERM" }).then(
          () => process.exit(0),
          (error: unknown) => {
            log.fatal({ err: error }, "stopping failed");
            process.exit(1);
          },
        );
      });
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`);
    process.exit(1);
  }
}

/** What an operator can mend is said in a line; everything else is a defect. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "KeyringError")
    return `the encryption keys are not usable: ${error.message} (see wealth-connect doctor)`;
  return error instanceof ConfigError || error.name === "StorageError" ? error.message : String(error.stack);
}

/** Where the credentials are and what to try; to stderr, so that stdout stays records only. Secrets stay in the file. */
function printWelcome(url: string, file: string): void {
  process.stderr.write(`
  Wealth Connect is running at ${url}
  Credentials of the demo tenant and of the operator: ${file}

  MCP server      ${url}/mcp
  A token         curl -s ${url}/token -d grant_type=client_credentials -d client_id=… -d client_secret=…
  The same        npm run cli -- token issue
  Try a filter    npm run cli -- filter preview --filter filter.json

`);
}
