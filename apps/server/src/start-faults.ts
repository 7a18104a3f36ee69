import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { prepareDropFolder } from "@org/feed-sources";
import {
  type Config,
  ConfigError,
  encryptionKeysFile,
  keyringOf,
  makeFolder,
  openDatabase,
  type ParsedEnvironment,
} from "@org/installation";
import { KeyringError } from "@org/keyring";
import { createLetterTemplate, LetterTemplateError } from "@org/letter-documents";
import { findAddressFaults } from "./addresses.js";
import { fileReason } from "./file-reason.js";
import { loadFeedFormats } from "./load-formats.js";
import { loadConfiguredProviders } from "./providers/load-providers.js";

/*
 * Reports what keeps a server from starting, as lines that begin with the setting to change. All faults are reported together, so that the
 * operator can correct them together.
 */

/**
 * Faults that can be found before the start. Addresses and the database are tried only if there are faults already; otherwise the start tries
 * them.
 */
export async function findStartFaults({ config, problems, faulty }: ParsedEnvironment): Promise<readonly string[]> {
  const checks: readonly (readonly [setting: string, check: () => unknown])[] = [
    ["DATA_DIR", () => prepareDataDir(config.dataDir)],
    ["ENCRYPTION_KEYS", () => checkKeyFile(config)],
    ["DROP_DIR", () => config.jobs && config.dropDir !== undefined && prepareDropDir(config.dropDir)],
    ["PROVIDERS", () => loadConfiguredProviders(config.providers, process.cwd())],
    ["FEED_FORMATS", () => loadFeedFormats(config.feedFormats, process.cwd())],
    ["LETTER_TEMPLATES", () => createLetterTemplate(config.letterTemplates)],
  ];
  const found = [...problems];
  for (const [setting, check] of checks)
    if (!faulty.has(setting)) found.push(...(await faultsOf(check, config, setting)));
  if (found.length === 0) return found;
  if (config.databaseUrl !== undefined) found.push(...(await faultsOf(() => reach(config), config, "DATABASE_URL")));
  return [...found, ...(await findAddressFaults(config, faulty))];
}

/** Why a start failed, and which addresses cannot be used besides; null for a defect. */
export async function explainStartFailure(error: unknown, { config, faulty }: ParsedEnvironment) {
  const lines = startFaultsOf(error, config);
  return lines && [...new Set([...lines, ...(await findAddressFaults(config, faulty))])];
}

/** The lines for an error that the operator can fix; null for a defect. `setting` is blamed if nothing more precise is known. */
export function startFaultsOf(
  error: unknown,
  { databaseUrl }: Pick<Config, "databaseUrl">,
  setting?: string,
): readonly string[] | null {
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof LetterTemplateError) return error.problems.map((problem) => `LETTER_TEMPLATES: ${problem}`);
  if (!(error instanceof Error)) return null;
  if (error.name === "KeyringError") return [`ENCRYPTION_KEYS: ${error.message} (see wealth-connect doctor)`];
  if (error.name === "StorageError")
    return [`${databaseUrl === undefined ? "DATA_DIR" : "DATABASE_URL"}: ${error.message}`];
  if ("severity" in error) return [`DATABASE_URL: the database refused: ${error.message} (see wealth-connect doctor)`];
  if (databaseUrl !== undefined && /certificate|\bSSL\b|\bSASL\b|\bTLS\b/i.test(error.message))
    return [`DATABASE_URL: ${error.message}`];
  if ("path" in error) return [`${setting ?? "DATA_DIR"}: ${String(error.path)}: ${fileReason(error)}`];
  return setting === undefined ? null : [`${setting}: ${error.message}`];
}

async function faultsOf(check: () => unknown, config: Config, setting: string): Promise<readonly string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return startFaultsOf(error, config, setting) ?? [`${setting}: ${String(error)}`];
  }
}

async function prepareDataDir(dir: string): Promise<void> {
  makeFolder(dir);
  await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Creates the folders of the drop folder. @throws ConfigError when it cannot be used */
export async function prepareDropDir(dir: string): Promise<void> {
  await prepareDropFolder(dir).catch((error: unknown) => {
    throw new ConfigError([`DROP_DIR: ${dir}: ${fileReason(error)}`]);
  });
}

/** Checks the key file of an embedded installation. Loading the keyring would create a missing file. */
function checkKeyFile(config: Config): void {
  const file = encryptionKeysFile(config);
  if (config.encryptionKeys !== undefined || !existsSync(file)) return;
  try {
    keyringOf(config);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new ConfigError(error.issues.map((issue) => `ENCRYPTION_KEYS: ${file}: ${issue}`));
  }
}

async function reach(config: Config): Promise<void> {
  const database = await openDatabase(config, () => new Date());
  await database.ping().finally(() => database.close());
}
