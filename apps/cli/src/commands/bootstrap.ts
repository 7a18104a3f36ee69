import { systemActor } from "@org/core";
import type { Command } from "commander";
import { failed } from "../cli-error.js";
import { withJson } from "../command-options.js";
import type { Shell } from "../shell.js";
import { details } from "../table.js";

/** `bootstrap`. */
export function addBootstrapCommand(program: Command, shell: Shell): void {
  withJson(program.command("bootstrap"))
    .description(
      "create the first operator's application, and invite the first operator to the console, directly in the database",
    )
    .option("--name <name>", "name of the application", "Operator")
    .option("--email <address>", "the first operator's; unless given FIRST_OPERATOR_EMAIL, or what they say themselves")
    .option("--another", "create one although there is one already, for instance because its secret is lost")
    .addHelpText(
      "after",
      `
Opens the database itself (DATABASE_URL and ENCRYPTION_KEYS, or the embedded one in DATA_DIR) and needs no server.
Run migrate first. The secret and the link are shown this once. The link is at PUBLIC_URL, stands for three days and works once; where
an operator has signed in to the console, or has a link that stands, there is none: people reinvite makes another.`,
    )
    .action(async (options: { json?: true; name: string; email?: string; another?: true }) => {
      const { administrationOf, audited, withInstallation } = await import("../installation.js");
      const made = await withInstallation(shell, (config, opened) =>
        audited(opened, shell, async (audit) => {
          const publicUrl = config.publicUrl ?? "http://localhost:3000";
          const { applications, people } = await administrationOf({ ...config, publicUrl }, opened, shell, audit);
          const [present] = await applications.list({ tenant_id: null, limit: 1 });
          if (present && !options.another)
            throw failed(
              `there is an operator's application already (${present.client_id}): use it with apps create --operators, or bootstrap --another when its secret is lost`,
            );
          const email = options.email ?? config.firstOperatorEmail;
          const invited = await people.inviteFirst(systemActor, email);
          return { ...(await applications.create({ tenant_id: null, name: options.name })), invited };
        }),
      );
      const { client_id } = made.application;
      const invitation = made.invited && { link: made.invited.link, expires_at: made.invited.expires_at };
      const document = { client_id, client_secret: made.client_secret, first_operator: invitation };
      const shown = { client_id, client_secret: made.client_secret, ...invitation };
      shell.print(options.json ? JSON.stringify(document, null, 2) : details(shown));
      shell.note("The secret is shown this once: keep it in a safe place.");
      if (invitation)
        shell.note("The link signs the first operator in to the console: whoever opens it first becomes them.");
    });
}
