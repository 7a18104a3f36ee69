import {
  type Config,
  ConfigError,
  checkDocumentStore,
  checkSettings,
  checkVirusScan,
  type Finding,
  fail,
  ok,
  outdatedNode,
  warn,
} from "@org/installation";
import { configOf } from "../installation.js";
import { dataFolder, readCredentials, type ServerFlags } from "../settings.js";
import { envValue, type Shell } from "../shell.js";
import { checkDatabase, checkFiles } from "./check-machine.js";
import { askServer, checkServer } from "./check-server.js";

/** A finding and its source: the server that was asked, or this command with its own environment. */
export type SourcedFinding = Finding & { readonly source: "server" | "local" };

/**
 * Examines the installation. A running server examines what it knows best; this command examines what only this machine can see. Without a
 * server, the installation is the one that this environment describes. Nothing is changed.
 * @param flags `url` = address of the server, if neither PUBLIC_URL nor the credentials file states it
 */
export async function examine(shell: Shell, flags: ServerFlags): Promise<readonly SourcedFinding[]> {
  const config = readSettings(shell);
  const publicUrl = await addressOf(shell, config instanceof ConfigError ? null : config);
  const address = flags.url ?? publicUrl;
  const server = address === undefined ? null : await checkServer(address, shell.clock);
  const asked =
    server?.running && address !== undefined
      ? await askServer(shell, { ...flags, url: await operatorAddress(shell, address) })
      : null;
  const seenHere = [
    nodeOf(process.versions.node),
    ...(await checkFiles(dataFolder(shell))),
    ...(server?.findings ?? []),
  ];
  if (asked?.said)
    return [...from("local", [...environment(config, warn), ...seenHere]), ...from("server", asked.said)];
  const found =
    config instanceof ConfigError ? [] : await examineHere(shell, { ...config, publicUrl }, server?.running);
  return from("local", [...environment(config, fail), ...found, ...seenHere, ...(asked === null ? [] : [asked.why])]);
}

function from(source: SourcedFinding["source"], findings: readonly Finding[]): SourcedFinding[] {
  return findings.map((finding) => ({ ...finding, source }));
}

/** Checks this machine's Node; a server logs its own warning at its start. */
function nodeOf(version: string): Finding {
  const outdated = outdatedNode(version);
  return outdated === null ? ok("Node", version) : warn("Node", outdated, "install Node 22 or newer");
}

/** Everything that a server would examine, as far as this environment allows. */
async function examineHere(shell: Shell, config: Config, isServerRunning = false): Promise<Finding[]> {
  const database = await checkDatabase(config, shell.clock);
  return [
    ...checkSettings(config),
    await checkVirusScan(config),
    await checkDocumentStore(config),
    ...(database === "in_use" ? [inUse(isServerRunning)] : database),
  ];
}

/** The server may have been started with another environment, on a port it chose itself: it writes down its address. */
async function addressOf(shell: Shell, config: Config | null): Promise<string | undefined> {
  if (envValue(shell, "PUBLIC_URL") !== undefined && config !== null) return config.publicUrl;
  return envValue(shell, "WEALTH_CONNECT_URL") ?? (await readCredentials(shell))?.url ?? config?.publicUrl;
}

/** The address of the operator API of the server at `address`. */
async function operatorAddress(shell: Shell, address: string): Promise<string> {
  const file = await readCredentials(shell);
  return file?.url === address ? (file.operator_url ?? address) : address;
}

function readSettings(shell: Shell): Config | ConfigError {
  try {
    return configOf(shell);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** @param judge the severity: if a server was asked, it has an environment of its own */
function environment(config: Config | ConfigError, judge: typeof fail): Finding[] {
  const check = "environment";
  if (!(config instanceof ConfigError)) return [ok(check, "every variable of this shell can be used")];
  return config.problems.map((problem) => judge(check, problem, "correct this variable, or unset it"));
}

/** Only the process that holds the embedded database can read it. */
function inUse(serverAnswers: boolean): Finding {
  return serverAnswers
    ? ok("database", "embedded, in use by the server that was asked")
    : fail(
        "database",
        "embedded, in use by a process that does not answer at the server's address",
        "set PUBLIC_URL or --url to that server's address, or stop the process",
      );
}
