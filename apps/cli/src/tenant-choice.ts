import { z } from "zod";
import { failed, wrongUsage } from "./cli-error.js";
import type { ServerApi } from "./server-api.js";
import { readCredentials } from "./settings.js";
import type { Shell } from "./shell.js";

/** A tenant as the operator endpoints return it. */
export const listedTenantSchema = z.object({
  tenant_id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  created_at: z.string(),
});
const list = z.object({ items: z.array(listedTenantSchema) });

/** All tenants, oldest first. */
export async function listTenants(server: ServerApi): Promise<readonly z.infer<typeof listedTenantSchema>[]> {
  return (await server.call("/operator/v1/tenants/list", {}, list)).items;
}

/**
 * The id of the tenant that a command is about: the one requested by id or name, else the demo tenant of the credentials file, else the only
 * one.
 * @throws CliError when there is none with that name, or more than one to choose from
 */
export async function chooseTenant(shell: Shell, server: ServerApi, asked: string | undefined): Promise<string> {
  const tenants = await listTenants(server);
  const wanted = asked ?? (await readCredentials(shell))?.demo?.tenant;
  const found = tenants.find(
    ({ tenant_id, name }) => wanted === tenant_id || wanted?.toLowerCase() === name.toLowerCase(),
  );
  if (found) return found.tenant_id;
  if (asked !== undefined) throw failed(`there is no tenant ${asked}: see wealth-connect tenants list`);
  const [only, ...more] = tenants;
  if (only && more.length === 0) return only.tenant_id;
  throw wrongUsage("--tenant is required, by id or name: see wealth-connect tenants list");
}
