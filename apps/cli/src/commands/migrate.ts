import type { Command } from "commander";
import { withJson } from "../command-options.js";
import type { Shell } from "../shell.js";

/** `migrate`. */
export function addMigrateCommand(program: Command, shell: Shell): void {
  withJson(program.command("migrate"))
    .description("bring the database of this installation to the state that this version needs")
    .addHelpText(
      "after",
      "\nOpens the database itself: DATABASE_URL with a role that may create tables, or the embedded one in DATA_DIR.\nRun it before the first start and after every update; the server never migrates PostgreSQL by itself.",
    )
    .action(async (options: { json?: true }) => {
      const { withInstallation } = await import("../installation.js");
      const { migrate, migrationState } = await import("@org/storage-postgres");
      const done = await withInstallation(shell, async (_config, { pool }) => {
        const applied = await migrate(pool);
        return { applied, current: (await migrationState(pool)).current };
      });
      if (options.json) shell.print(JSON.stringify(done, null, 2));
      else
        shell.print(
          [...done.applied.map((name) => `applied ${name}`), `the database is at migration ${done.current}`].join("\n"),
        );
    });
}
