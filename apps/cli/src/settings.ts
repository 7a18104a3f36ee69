import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { credentialsFile, type InitialCredentials, isLoopback, parseCredentials } from "@org/installation";
import { failed, wrongUsage } from "./cli-error.js";
import { fileErrorReason, OWN_FOLDER, readSecret } from "./input.js";
import { envValue, type Shell } from "./shell.js";

/** Flags that say which server and which application; every command that needs the server has them. */
export interface ServerFlags {
  readonly url?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Seconds that one request may take. */
  readonly timeout?: number;
}

/** Whose credentials a command uses when none are given: the operator's, or those of the demo tenant's application. */
export type CredentialRole = "operator" | "tenant";

/** A server, and the application with which to request its tokens. */
export interface ServerAccess {
  readonly url: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** Address of a server started without any settings (contract §1). */
const DEFAULT_URL = "http://localhost:3000";

/** The folder of a server that is started here, whether it exists or not. */
export function dataFolder(shell: Shell): string {
  return resolve(shell.cwd, envValue(shell, "DATA_DIR") ?? "./.data");
}

/** The path of `credentials.json`, whether it exists or not. */
function credentialsPath(shell: Shell): string {
  return credentialsFile(dataFolder(shell));
}

/** The file, or null if there is none. @throws CliError when it exists but cannot be used */
export async function readCredentials(shell: Shell): Promise<InitialCredentials | null> {
  const path = credentialsPath(shell);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (fileErrorReason(error) === "no such file") return null;
    throw failed(`cannot read ${path}: ${fileErrorReason(error)}: ${OWN_FOLDER}`, error);
  }
  const credentials = parseCredentials(text);
  if (!credentials) throw failed(`${path} is not a credentials file: delete it or restore it`);
  return credentials;
}

/**
 * The server's address: flag, then `WEALTH_CONNECT_URL`, then the credentials file, then the default. Without trailing slash.
 * @param role the operator's address may be a separate one
 */
export async function serverUrl(shell: Shell, flags: Pick<ServerFlags, "url">, role?: CredentialRole): Promise<string> {
  const url = flags.url ?? envValue(shell, "WEALTH_CONNECT_URL") ?? (await filedUrl(shell, role)) ?? DEFAULT_URL;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw wrongUsage(`--url must be an http or https URL, not ${url}`);
  if (url.startsWith("http:") && !isLoopback(url))
    shell.note(`warning: ${new URL(url).host} is asked without encryption: secrets can be read on the way`);
  return url.replace(/(?<!\/)\/+$/, "");
}

/**
 * Server and application: flags first, then `WEALTH_CONNECT_*`, then the credentials file (contract §8), whose secrets are sent only to the
 * address in it, since an address may come from anywhere.
 * @throws CliError when there is no application, or only half of one, or it belongs to another server
 */
export async function serverAccess(shell: Shell, flags: ServerFlags, role: CredentialRole): Promise<ServerAccess> {
  const url = await serverUrl(shell, flags, role);
  const clientId = flags.clientId ?? envValue(shell, "WEALTH_CONNECT_CLIENT_ID");
  const secret = flags.clientSecret ?? envValue(shell, "WEALTH_CONNECT_CLIENT_SECRET");
  if (clientId !== undefined && secret !== undefined)
    return { url, client_id: clientId, client_secret: await readSecret(shell, secret) };
  if (clientId !== undefined || secret !== undefined)
    throw wrongUsage("--client-id and --client-secret belong together (so do WEALTH_CONNECT_CLIENT_ID and _SECRET)");
  const file = await readCredentials(shell);
  const found = role === "operator" ? file?.operator : file?.demo;
  if (file && found) {
    if (![file.url, file.operator_url].some((known) => known !== undefined && isSameAddress(url, known)))
      throw failed(
        `the credentials in ${credentialsPath(shell)} are those of ${file.url} and are not sent to ${url}: leave that address out, or give --client-id and --client-secret for it (or WEALTH_CONNECT_CLIENT_ID and WEALTH_CONNECT_CLIENT_SECRET)`,
      );
    return { url, client_id: found.client_id, client_secret: found.client_secret };
  }
  const lack = file
    ? `${credentialsPath(shell)} holds no ${role === "operator" ? "operator" : "demo tenant"}`
    : `there is no ${credentialsPath(shell)}`;
  throw failed(
    `no credentials: give --client-id and --client-secret, or set WEALTH_CONNECT_CLIENT_ID and WEALTH_CONNECT_CLIENT_SECRET, or start a server of your own with wealth-connect serve (${lack})`,
  );
}

async function filedUrl(shell: Shell, role: CredentialRole | undefined): Promise<string | undefined> {
  const file = await readCredentials(shell);
  return (role === "operator" ? file?.operator_url : undefined) ?? file?.url;
}

/** Whether two addresses are the same except for letter case of the host and the scheme's default port. */
function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(other) && new URL(one).href === new URL(other.replace(/(?<!\/)\/+$/, "")).href;
}
