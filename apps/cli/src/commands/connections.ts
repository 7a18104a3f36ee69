import { credentialStatusSchema } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { wholeNumber, withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, pageLine, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true; readonly tenant?: string };
type Status = z.infer<typeof credentialStatusSchema>;

const page = z.looseObject({
  items: z.array(z.looseObject({ connection_id: z.string(), bank: z.string(), status: credentialStatusSchema })),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
});
const one = z.looseObject({ connection_id: z.string(), status: credentialStatusSchema });

/** `connections list|status`. */
export function addConnectionCommands(program: Command, shell: Shell): void {
  const connections = program
    .command("connections")
    .description("how the bank connections of a tenant stand (operator)");

  withTenant(connections.command("list"))
    .description("list the bank connections of a tenant, oldest first")
    .option("--bank <text>", "only banks whose name holds this text")
    .option("--ready-only", "leave out blocked and pending ones")
    .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
    .option("--page-size <number>", "rows on a page", wholeNumber(1, 500), 50)
    .action(async (options: Flags & { bank?: string; readyOnly?: true; page: number; pageSize: number }) => {
      const server = await connectToServer(shell, options, "operator");
      const found = await server.call(
        "/operator/v1/connections/list",
        {
          tenant_id: await chooseTenant(shell, server, options.tenant),
          bank: options.bank ?? null,
          ready_only: options.readyOnly ?? false,
          include_status: true,
          page: options.page,
          page_size: options.pageSize,
        },
        page,
      );
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ connection_id, bank, status }) => [
        connection_id,
        bank,
        stateOf(status),
        status.last_update,
      ]);
      shell.print(table(["connection_id", "bank", "state", "last_update"], rows));
      shell.print(pageLine(found, "connections"));
    });

  withTenant(connections.command("status"))
    .description("show the status of one connection")
    .argument("<connection-id>")
    .action(async (connection_id: string, options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const tenant_id = await chooseTenant(shell, server, options.tenant);
      const found = await server.call("/operator/v1/connections/status", { tenant_id, connection_id }, one);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const { status } = found;
      shell.print(
        details({
          connection_id: found.connection_id,
          state: stateOf(status),
          errored: erroredParts(status),
          sca_required: status.sca_token === null ? "no" : "yes",
          reset_required: status.reset_token === null ? "no" : "yes",
          last_update: status.last_update,
          consent_expires_at: status.consent_expires_at,
          created_at: status.created_at,
        }),
      );
    });
}

function withTenant(command: Command): Command {
  return withServer(command).option(
    "--tenant <id or name>",
    "the tenant that owns them; the demo tenant, or the only one, unless given",
  );
}

function stateOf({ blocked, pending }: Status): string {
  return blocked ? "blocked" : pending ? "pending" : "ready";
}

/** `product.portfolio` for every part that could not be read last time. */
function erroredParts({ errored }: Status): string[] {
  return Object.entries(errored).flatMap(([group, parts]) =>
    Object.entries(parts).flatMap(([part, failed]) => (failed ? [`${group}.${part}`] : [])),
  );
}
