import { randomBytes, randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { createKeyring, type Keyring, parseKeyring } from "@org/keyring";
import { type Applications, type Audit, createApplications } from "@org/oauth-server";
import { createAuditTrail } from "@org/server/audit-trail";
import { type Config, ConfigError, readConfig } from "@org/server/config";
import { encryptionKeysOf } from "@org/server/key-material";
import { loadInstallationKeys } from "@org/server/keys";
import { type OpenedStorage, openStorage, type StorageLocation } from "@org/storage-postgres";
import { type CliError, failed } from "./cli-error.js";
import type { Shell } from "./shell.js";

/** The server's settings as this environment gives them. @throws ConfigError listing every problem */
export function configOf(shell: Shell): Config {
  const config = readConfig(shell.env);
  return { ...config, dataDir: resolve(shell.cwd, config.dataDir) };
}

/** Where the installation's database is. */
export function locationOf(config: Config): StorageLocation {
  return config.databaseUrl === undefined
    ? { dataDir: config.dataDir }
    : { databaseUrl: config.databaseUrl, connections: 2 };
}

/**
 * Opens the installation's own database for one piece of work, beside the server or without one (contract §8).
 * @throws CliError when the environment, the keys or the database do not allow it
 */
export async function withInstallation<T>(
  shell: Shell,
  work: (config: Config, opened: OpenedStorage) => Promise<T>,
): Promise<T> {
  try {
    const config = configOf(shell);
    const opened = await openStorage(locationOf(config), shell.clock);
    try {
      return await work(config, opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw inWords(error);
  }
}

/** The keyring of `ENCRYPTION_KEYS`. @throws KeyringError */
export function keyringOf(config: Config): Keyring {
  return createKeyring(parseKeyring(encryptionKeysOf(config)));
}

/** The administration of applications, directly on the database. Its events go to `audit`. */
export async function applicationsOf(
  config: Config,
  { serverKeys, oauthStore }: OpenedStorage,
  { clock }: Pick<Shell, "clock">,
  audit: Audit,
): Promise<Applications> {
  const { secretHash } = await loadInstallationKeys(serverKeys, keyringOf(config));
  return createApplications({
    store: oauthStore,
    secretHashKeys: [{ version: 1, key: secretHash }],
    clock,
    random: randomBytes,
    audit,
  });
}

/** Runs work on applications whose events go to the installation's audit trail. */
export async function audited<T>(
  { storage, oauthStore }: OpenedStorage,
  shell: Pick<Shell, "note">,
  work: (audit: Audit) => Promise<T>,
): Promise<T> {
  const trail = createAuditTrail({
    trail: storage.auditTrail,
    applications: oauthStore.applications,
    newId: randomUUID,
    log: { info: () => undefined, error: (_fields: object, message: string) => shell.note(message) },
    onLost: () => undefined,
  });
  return work(trail.audit).finally(() => trail.close());
}

/** Errors that say what the person at the terminal can do; all others are defects and stay as they are. */
function inWords(error: unknown): CliError | unknown {
  if (error instanceof ConfigError) return failed(`the environment is not usable: ${error.problems.join("; ")}`, error);
  if (!(error instanceof Error)) return error;
  if (error.name === "StorageError") return failed(error.message, error);
  if (error.name === "KeyringError") return failed(`${error.message} (see wealth-connect doctor)`, error);
  // The driver gives the server's own words, such as a privilege that the login lacks.
  return "severity" in error
    ? failed(`the database refused: ${error.message} (see wealth-connect doctor)`, error)
    : error;
}
