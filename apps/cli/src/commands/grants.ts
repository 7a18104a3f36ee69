import type { Command } from "commander";
import type { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { heldSchema, listedGrantSchema, listGrants, requestGrantEnd } from "../oauth-client.js";
import { type ServerFlags, serverAccess } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true; readonly tenant?: string };

/** `grants list|end`: by an application for itself, or its tenant with `grants:manage`; by the operator for any tenant. */
export function addGrantCommands(program: Command, shell: Shell): void {
  const grants = program
    .command("grants")
    .description("which clients hold tokens of an application, or of all applications of its tenant");

  withOwner(grants.command("list"))
    .description("list grants that are alive, oldest first")
    .addHelpText(
      "after",
      "\nAn application sees its own; those of all its tenant's applications with the scope grants:manage.",
    )
    .option("--application <client-id>", "only those of this application")
    .option("--client <client-id>", "only those that this client holds")
    .option("--by-client", "one line for each client and application, however many grants it holds")
    .action(async (options: Flags & { application?: string; client?: string; byClient?: true }) => {
      const { application, client, byClient } = options;
      if (byClient && client !== undefined) throw wrongUsage("--by-client and --client exclude each other");
      const part = { ...(application !== undefined && { application }), ...(client !== undefined && { client }) };
      const parameters = { ...ownerOf(options), ...part };
      if (byClient) return showClients(options, parameters);
      const items = await listGrants(await accessOf(options), listedGrantSchema, parameters, options.timeout);
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      const rows = items.map((grant) => [
        grant.grant_id,
        grant.client_name,
        grant.application.name,
        personOf(grant),
        grant.flow,
        grant.scopes,
        limitOf(grant),
        grant.last_issued_at,
        grant.expires_at,
      ]);
      shell.print(
        table(
          ["grant_id", "client", "application", "person", "flow", "scopes", "limit", "last_issued_at", "expires_at"],
          rows,
        ),
      );
    });

  withOwner(grants.command("end"))
    .description("end a grant, or all of a client: refresh tokens at once, access tokens within seconds")
    .argument("[grant-id]")
    .option("--client <client-id>", "end all that this client holds")
    .option("--application <client-id>", "with --client: only those of this application")
    .action(async (grantId: string | undefined, options: Flags & { client?: string; application?: string }) => {
      const { client, application } = options;
      if ((grantId === undefined) === (client === undefined)) throw wrongUsage("give a grant id, or --client");
      if (application !== undefined && client === undefined) throw wrongUsage("--application goes with --client");
      const which = {
        ...(grantId !== undefined && { grant_id: grantId }),
        ...(client !== undefined && { client }),
        ...(application !== undefined && { application }),
      };
      const ended = await requestGrantEnd(await accessOf(options), { ...ownerOf(options), ...which }, options.timeout);
      shell.print(options.json ? JSON.stringify(ended, null, 2) : details(ended));
    });

  async function showClients(options: Flags, parameters: Readonly<Record<string, string>>): Promise<void> {
    const query = { ...parameters, group: "client" };
    const items = await listGrants(await accessOf(options), heldSchema, query, options.timeout);
    if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
    const columns = [
      "client_id",
      "client",
      "application",
      "person",
      "flow",
      "grants",
      "scopes",
      "limit",
      "last_issued_at",
      "expires_at",
    ];
    const rows = items.map((held) => [
      ...[held.client_id, held.client_name, held.application.name, personOf(held), held.flow, held.grants],
      ...[held.scopes, limitOf(held), held.last_issued_at, held.expires_at],
    ]);
    shell.print(table(columns, rows));
  }

  function accessOf(options: Flags) {
    return serverAccess(shell, options, options.tenant === undefined ? "tenant" : "operator");
  }
}

/** The person who approved it with their own sign-in; empty for grants obtained with credentials. */
function personOf({ person }: { person?: { person_id: string; name: string | null } | null | undefined }): string {
  return person ? (person.name ?? person.person_id) : "";
}

/** The clients of the tenant that it is limited to; empty without a limit. */
function limitOf({ clients }: Pick<z.infer<typeof listedGrantSchema>, "clients">): string {
  if (!clients) return "";
  return (
    clients.map(({ client_ref, name }) => (name === null ? client_ref : `${client_ref} ${name}`)).join(", ") ||
    "none: it reaches nothing"
  );
}

function withOwner(command: Command): Command {
  return withServer(command).option("--tenant <id>", "act as the operator, on this tenant");
}

function ownerOf({ tenant }: Flags): Readonly<Record<string, string>> {
  return tenant === undefined ? {} : { tenant };
}
