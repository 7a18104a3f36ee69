import type { Command } from "commander";
import { z } from "zod";
import { withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";
import { listTenants, tenantSchema } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true };

/** `tenants list|create`. */
export function addTenantCommands(program: Command, shell: Shell): void {
  const tenants = program.command("tenants").description("who owns connections, letters and data (operator)");

  withServer(tenants.command("list"))
    .description("list tenants, oldest first")
    .action(async (options: Flags) => {
      const items = await listTenants(await connectToServer(shell, options, "operator"));
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      shell.print(
        table(
          ["tenant_id", "name", "created_at"],
          items.map(({ tenant_id, name, created_at }) => [tenant_id, name, created_at]),
        ),
      );
    });

  withServer(tenants.command("create"))
    .description("create a tenant; an application for it comes from: apps create")
    .argument("<name>", "its name, 1 to 100 characters; names are unique")
    .action(async (name: string, options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const made = await server.call("/operator/v1/tenants/create", { name }, z.object({ tenant: tenantSchema }));
      shell.print(options.json ? JSON.stringify(made, null, 2) : details(made.tenant));
    });
}
