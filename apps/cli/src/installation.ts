import { randomBytes, randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { Runtime } from "@org/core";
import {
  type Config,
  ConfigError,
  createAuditTrail,
  createRuntime,
  hasProviderOnly,
  keyringOf,
  loadInstallationKeys,
  openBucket,
  openDatabase,
  readConfig,
} from "@org/installation";
import { type Applications, type Audit, createApplications } from "@org/oauth-server";
import { createPeopleOperations, type PeopleOperations } from "@org/people";
import type { OpenedStorage } from "@org/storage-postgres";
import { type CliError, failed } from "./cli-error.js";
import type { Shell } from "./shell.js";

/** The server's settings from this environment. @throws ConfigError listing every problem */
export function configOf(shell: Shell): Config {
  const config = readConfig(shell.env);
  return { ...config, dataDir: resolve(shell.cwd, config.dataDir) };
}

/** Opens the installation's database for one person at a terminal. @throws StorageError `in_use` when a server has the embedded one */
export function openInstallation(config: Config, { clock }: Pick<Shell, "clock">): Promise<OpenedStorage> {
  return openDatabase(config, clock, { connections: 2 });
}

/**
 * Opens the installation's own database for one task, with or without a running server (contract §8).
 * @throws CliError when the environment, the keys or the database do not allow it
 */
export async function withInstallation<T>(
  shell: Shell,
  work: (config: Config, opened: OpenedStorage) => Promise<T>,
): Promise<T> {
  try {
    const config = configOf(shell);
    const opened = await openInstallation(config, shell);
    try {
      return await work(config, opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw inWords(error);
  }
}

/** Time, ids, keys and the document bucket, the same as for the installation's servers. */
export async function runtimeOf(
  config: Config,
  { serverKeys }: Pick<OpenedStorage, "serverKeys">,
  { clock }: Pick<Shell, "clock">,
): Promise<Runtime> {
  const keyring = keyringOf(config);
  const keys = await loadInstallationKeys(serverKeys, keyring, clock);
  const { documents, staleAfterDays } = config;
  return createRuntime({ keys, keyring, clock, staleAfterDays, bucket: documents && openBucket(documents) });
}

/** The administration of applications, whose events go to `audit`, and of people, directly on the database. */
export async function administrationOf(
  config: Config & { readonly publicUrl: string },
  { serverKeys, oauthStore, peopleStores }: OpenedStorage,
  { clock }: Pick<Shell, "clock">,
  audit: Audit,
): Promise<{ applications: Applications; people: PeopleOperations }> {
  const keyring = keyringOf(config);
  const keys = await loadInstallationKeys(serverKeys, keyring, clock);
  const secretHashKeys = keys.secretHash;
  const { publicUrl, staleAfterDays } = config;
  return {
    applications: createApplications({ store: oauthStore, secretHashKeys, clock, random: randomBytes, audit }),
    people: createPeopleOperations({
      store: peopleStores.directory,
      runtime: createRuntime({ keys, keyring, clock, staleAfterDays }),
      publicUrl,
      hasProviderOnly: (tenantId) => hasProviderOnly(config, tenantId),
    }),
  };
}

/** Runs work on applications whose events go to the installation's audit trail. */
export async function audited<T>(
  { storage, oauthStore }: OpenedStorage,
  shell: Pick<Shell, "note" | "clock">,
  work: (audit: Audit) => Promise<T>,
): Promise<T> {
  const trail = createAuditTrail({
    trail: storage.auditTrail,
    applications: oauthStore.applications,
    newId: randomUUID,
    clock: shell.clock,
    log: { info: () => undefined, error: (_fields: object, message: string) => shell.note(message) },
    onLost: () => undefined,
  });
  return work(trail.audit).finally(() => trail.close());
}

/** Translates errors that the person at the terminal can correct; all others are defects and stay as they are. */
function inWords(error: unknown): CliError | unknown {
  if (error instanceof ConfigError) return failed(`the environment is not usable: ${error.problems.join("; ")}`, error);
  if (!(error instanceof Error)) return error;
  if (error.name === "StorageError") return failed(error.message, error);
  if (error.name === "KeyringError") return failed(`${error.message} (see wealth-connect doctor)`, error);
  if (/certificate|\bSSL\b|\bSASL\b|\bTLS\b/i.test(error.message)) return failed(tlsRefusal(error), error);
  // The driver gives the server's own words, such as a privilege that the login lacks.
  return "severity" in error
    ? failed(`the database refused: ${error.message} (see wealth-connect doctor)`, error)
    : error;
}

/** What to change in `DATABASE_URL` if no TLS connection was established. */
function tlsRefusal({ message }: Error): string {
  const advice = message.includes("does not support SSL")
    ? "turn TLS on at the server (ssl = on), or take sslmode out of the URL where the network is your own"
    : "see its sslmode, sslrootcert and password";
  return `DATABASE_URL: ${message}: ${advice}`;
}
