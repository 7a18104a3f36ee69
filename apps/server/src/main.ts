import { ConfigError, readConfig } from "./config.js";
import { createLog } from "./log.js";
import { startServer } from "./start-server.js";

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const server = await startServer(config, log);
  if (server.credentialsFile !== null) printWelcome(server.url, server.credentialsFile);

  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, "stopping");
      server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, "stopping failed");
          process.exit(1);
        },
      );
    });
} catch (error) {
  const known = error instanceof ConfigError || (error instanceof Error && error.name === "StorageError");
  process.stderr.write(`${known ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
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
