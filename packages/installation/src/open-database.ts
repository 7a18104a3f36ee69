import { type OpenedStorage, openStorage, type StorageOptions } from "@org/storage-postgres";
import type { Config } from "./config.js";
import { makeFolder } from "./make-folder.js";

/**
 * Opens the installation's database: PostgreSQL at `DATABASE_URL` if set, otherwise the embedded one in `DATA_DIR`.
 * @param more.connections maximum number of PostgreSQL connections for work, `DATABASE_CONNECTIONS` by default
 * @param more.templateFile archive that a new embedded database is unpacked from, which saves creating it
 * @throws StorageError `in_use` when another process has the embedded database; an error of the file system when `DATA_DIR` cannot be used
 */
export async function openDatabase(
  config: Pick<
    Config,
    | "databaseUrl"
    | "dataDir"
    | "databaseConnections"
    | "databasePreparedStatements"
    | "statementsPerTenant"
    | "statementsWaitingPerTenant"
  >,
  clock: () => Date,
  more: Pick<StorageOptions, "onAvailabilityChange" | "onWaited" | "tracer"> & {
    readonly connections?: number;
    readonly templateFile?: string;
  } = {},
): Promise<OpenedStorage> {
  const { connections = config.databaseConnections, templateFile, ...told } = more;
  const { databaseUrl, dataDir, databasePreparedStatements: preparedStatements } = config;
  const { statementsPerTenant: perTenant, statementsWaitingPerTenant: waitingPerTenant } = config;
  if (databaseUrl === undefined) makeFolder(dataDir);
  return openStorage(
    databaseUrl === undefined
      ? { dataDir, ...(templateFile !== undefined && { templateFile }) }
      : { databaseUrl, connections },
    clock,
    { ...told, preparedStatements, perTenant, waitingPerTenant },
  );
}
