import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Config,
  checkContent,
  credentialsFile,
  encryptionKeysFile,
  type Finding,
  fail,
  ok,
  warn,
} from "@org/installation";
import { fileFault, OWN_FOLDER } from "../input.js";
import { openInstallation } from "../installation.js";

/**
 * Examines the database directly. `in_use` if a server holds the embedded one: then only that server can examine it. Nothing is created or
 * changed.
 */
export async function checkDatabase(config: Config, clock: () => Date): Promise<Finding[] | "in_use"> {
  const check = "database";
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, "pg")))
    return [
      warn(
        check,
        `there is no embedded database in ${config.dataDir} yet`,
        "wealth-connect serve makes it, or wealth-connect migrate",
      ),
    ];
  try {
    const opened = await openInstallation(config, { clock });
    try {
      await opened.ping();
      return [
        ok(check, `${opened.kind}, answers`),
        ...(await checkContent(config, opened, { clock, machine: "this machine" })),
      ];
    } finally {
      await opened.close();
    }
  } catch (error) {
    const fault = fileFault(error);
    if (fault !== null) return [fail(check, fault, OWN_FOLDER)];
    if (!(error instanceof Error) || error.name !== "StorageError") throw error;
    if ("code" in error && error.code === "in_use") return "in_use";
    return [fail(check, error.message, "check DATABASE_URL, the network, and that the database runs")];
  }
}

/** Files of this machine with secrets must be readable by their owner only. */
export async function checkFiles(dataDir: string): Promise<Finding[]> {
  const files = [credentialsFile(dataDir), encryptionKeysFile({ dataDir })];
  return (await Promise.all(files.map((path) => checkMode(basename(path), path)))).filter(
    (finding) => finding !== null,
  );
}

async function checkMode(name: string, path: string): Promise<Finding | null> {
  const found = await stat(path).catch(() => null);
  // Windows has no such modes: the folder's access list decides.
  if (!found || process.platform === "win32") return null;
  const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
  if ((found.mode & 0o077) === 0) return ok(name, `${path} has mode ${mode}`);
  return fail(name, `${path} has mode ${mode}: others on this machine can read secrets`, `chmod 600 ${path}`);
}
