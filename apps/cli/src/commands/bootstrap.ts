import type { Command } from "commander";
import { failed } from "../cli-error.js";
import { withJson } from "../command-options.js";
import type { Shell } from "../shell.js";
import { details } from "../table.js";

/** `bootstrap`. */
export function addBootstrapCommand(program: Command, shell: Shell): void {
  withJson(program.command("bootstrap"))
    .description("create the first operator's application, directly in the database; its secret is shown this once")
    .option("--name <name>", "name of the application", "Operator")
    .option("--another", "create one although there is one already, for instance because its secret is lost")
    .addHelpText(
      "after",
      "\nOpens the database itself (DATABASE_URL and ENCRYPTION_KEYS, or the embedded one in DATA_DIR) and needs no server.\nRun migrate first.",
    )
    .action(async (options: { json?: true; name: string; another?: true }) => {
      const { applicationsOf, audited, withInstallation } = await import("../installation.js");
      const made = await withInstallation(shell, (config, opened) =>
        audited(opened, shell, async (audit) => {
          const applications = await applicationsOf(config, opened, shell, audit);
          const [present] = await applications.list({ tenant_id: null, limit: 1 });
          if (present && !options.another)
            throw failed(
              `there is an operator's application already (${present.client_id}): use it with apps create --operators, or bootstrap --another when its secret is lost`,
            );
          return applications.create({ tenant_id: null, name: options.name });
        }),
      );
      const { client_id } = made.application;
      const document = { client_id, client_secret: made.client_secret };
      shell.print(options.json ? JSON.stringify(document, null, 2) : details(document));
      shell.note("The secret is shown this once: keep it in a safe place.");
    });
}
