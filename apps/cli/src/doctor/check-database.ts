import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, checkContent, type Finding, fail, ok, warn } from "@org/installation";
import { openInstallation } from "../installation.js";

/**
 * What the database says, asked directly. `in_use` when a server has the embedded one: then only that server can tell.
 * Nothing is created or changed.
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
    if (!(error instanceof Error) || error.name !== "StorageError") throw error;
    if ("code" in error && error.code === "in_use") return "in_use";
    return [fail(check, error.message, "check DATABASE_URL, the network, and that the database runs")];
  }
}
