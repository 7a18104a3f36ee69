import { type OpenedStorage, openStorage } from "@org/storage-postgres";
import type { Config } from "./config.js";

/**
 * Opens the installation's database: PostgreSQL where `DATABASE_URL` names one, else the embedded one in `DATA_DIR`.
 * @param more.connections the most that are open at once to PostgreSQL, 10 unless told otherwise
 * @param more.templateFile what a new embedded database is unpacked from instead of being made
 * @throws StorageError `in_use` when another process has the embedded database
 */
export function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  clock: () => Date,
  { connections, templateFile }: { readonly connections?: number; readonly templateFile?: string } = {},
): Promise<OpenedStorage> {
  return openStorage(
    databaseUrl === undefined
      ? { dataDir, ...(templateFile !== undefined && { templateFile }) }
      : { databaseUrl, ...(connections !== undefined && { connections }) },
    clock,
  );
}
