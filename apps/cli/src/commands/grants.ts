import type { Command } from "commander";
import { withServer } from "../command-options.js";
import { endGrant, listGrants } from "../oauth-client.js";
import { type ServerFlags, serverAccess } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true; readonly tenant?: string };

/** `grants list|end`: by an application for itself, or its tenant with `grants:manage`; by the operator for any tenant. */
export function addGrantCommands(program: Command, shell: Shell): void {
  const grants = program
    .command("grants")
    .description("which clients hold tokens of an application, or of all its tenant's");

  withOwner(grants.command("list"))
    .description("list grants that are alive, oldest first")
    .addHelpText(
      "after",
      "\nAn application sees its own; those of all its tenant's applications with the scope grants:manage.",
    )
    .option("--application <client-id>", "only those of this application")
    .action(async (options: Flags & { application?: string }) => {
      const { application } = options;
      const parameters = { ...ownerOf(options), ...(application === undefined ? {} : { application }) };
      const items = await listGrants(await accessOf(options), parameters, options.timeout);
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      const rows = items.map((grant) => [
        grant.grant_id,
        grant.client_name,
        grant.application.name,
        grant.flow,
        grant.scopes,
        grant.last_issued_at,
        grant.expires_at,
      ]);
      shell.print(table(["grant_id", "client", "application", "flow", "scopes", "last_issued_at", "expires_at"], rows));
    });

  withOwner(grants.command("end"))
    .description("end a grant: its refresh token at once, its access tokens within seconds")
    .argument("<grant-id>")
    .action(async (grant_id: string, options: Flags) => {
      const ended = await endGrant(await accessOf(options), { ...ownerOf(options), grant_id }, options.timeout);
      shell.print(options.json ? JSON.stringify(ended, null, 2) : details(ended));
    });

  function accessOf(options: Flags) {
    return serverAccess(shell, options, options.tenant === undefined ? "tenant" : "operator");
  }
}

function withOwner(command: Command): Command {
  return withServer(command).option("--tenant <id>", "act as the operator, on this tenant");
}

function ownerOf({ tenant }: Flags): Readonly<Record<string, string>> {
  return tenant === undefined ? {} : { tenant };
}
