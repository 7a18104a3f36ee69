import { type Config, ConfigError } from "@org/installation";
import { configOf } from "../installation.js";
import { readCredentials } from "../settings.js";
import { envValue, type Shell } from "../shell.js";
import { checkDatabase } from "./check-database.js";
import { checkServer } from "./check-server.js";
import { checkFiles, checkSettings, checkVirusScan } from "./check-settings.js";
import { type Finding, fail, ok } from "./finding.js";

/**
 * Examines the installation that this environment describes. Nothing is changed.
 * @param url address of the server, when neither PUBLIC_URL nor the credentials file says it
 */
export async function examine(shell: Shell, url: string | undefined): Promise<Finding[]> {
  const config = readSettings(shell);
  if (Array.isArray(config)) return config;
  const publicUrl = await addressOf(shell, config);
  const address = url ?? publicUrl;
  const server = address === undefined ? null : await checkServer(address, shell.clock);
  const database = await checkDatabase(config, shell.clock);
  return [
    ok("environment", "every variable can be used"),
    ...checkSettings(shell, { ...config, publicUrl }),
    ...(await checkFiles(config)),
    await checkVirusScan(config),
    ...(database === "in_use" ? [inUse(server?.running ?? false)] : database),
    ...(server?.findings ?? []),
  ];
}

/** The server may have been started with another environment, on a port of its own choice: it writes down its address. */
async function addressOf(shell: Shell, config: Config): Promise<string | undefined> {
  if (envValue(shell, "PUBLIC_URL") !== undefined) return config.publicUrl;
  return envValue(shell, "WEALTH_CONNECT_URL") ?? (await readCredentials(shell))?.url ?? config.publicUrl;
}

function readSettings(shell: Shell): Config | Finding[] {
  try {
    return configOf(shell);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => fail("environment", problem, "correct this variable, or unset it"));
  }
}

/** Only the process that holds the embedded database can look into it. */
function inUse(serverAnswers: boolean): Finding {
  return serverAnswers
    ? ok("database", "embedded, in use by the server that was asked")
    : fail(
        "database",
        "embedded, in use by a process that does not answer at the server's address",
        "set PUBLIC_URL or --url to that server's address, or stop the process",
      );
}
