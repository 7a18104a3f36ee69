import type { Command } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true };

/** Which endpoints an operator wants listed. */
export interface EndpointFlags {
  readonly tenant?: string;
  readonly all?: true;
  readonly state?: readonly string[];
}

/** Returns the deliveries of any tenant's endpoint to an operator. */
export const DELIVERIES_OF_ALL = "/operator/v1/webhooks/list-deliveries";

/** The last failed attempt. */
export const lastFailure = z.object({ at: z.string(), status: z.number().nullable(), error: z.string() }).nullable();

const endpoint = z.looseObject({
  id: z.string(),
  tenant_id: z.string(),
  host: z.string(),
  state: z.string(),
  disabled_reason: z.string().nullable(),
  disabled_at: z.string().nullable(),
  failing_since: z.string().nullable(),
  delivered_at: z.string().nullable(),
  last_failure: lastFailure,
});
type Endpoint = z.infer<typeof endpoint>;
const page = z.object({ items: z.array(endpoint), next_page_token: z.string().nullable() });
const PAGE_SIZE = 500;

/** `webhooks list --all|--tenant`: endpoints as an operator sees them. */
export async function listOfAll(shell: Shell, options: Flags & EndpointFlags): Promise<void> {
  const { tenant, all, state } = options;
  if (tenant !== undefined && all) throw wrongUsage("--tenant and --all exclude each other");
  const server = await connectToServer(shell, options, "operator");
  const tenant_id = tenant === undefined ? null : await chooseTenant(shell, server, tenant);
  const items: Endpoint[] = [];
  let page_token: string | null = null;
  do {
    const search = { tenant_id, ...(state && { state_in: state }), page_size: PAGE_SIZE, page_token };
    const next: z.infer<typeof page> = await server.call("/operator/v1/webhooks/list", search, page);
    items.push(...next.items);
    page_token = next.next_page_token;
  } while (page_token !== null);
  if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
  const rows = items.map((item) => [
    ...[item.id, item.tenant_id, item.host, stateOf(item), item.failing_since, failureText(item.last_failure)],
    item.delivered_at,
  ]);
  shell.print(table(["id", "tenant", "host", "", "failing since", "last failure", "delivered"], rows));
}

/** `webhooks enable|disable`: an operator resumes or stops the deliveries to an endpoint. */
export function addEndpointSwitches(webhooks: Command, shell: Shell): void {
  for (const [verb, description] of [
    ["enable", "send to any tenant's endpoint again, what happens from now on (operator)"],
    ["disable", "send nothing more to any tenant's endpoint; what waits is withdrawn (operator)"],
  ] as const)
    withServer(webhooks.command(verb))
      .description(description)
      .argument("<id>")
      .action(async (id: string, options: Flags) => {
        const server = await connectToServer(shell, options, "operator");
        const done = await server.call(`/operator/v1/webhooks/${verb}`, { id }, z.object({ endpoint }));
        if (options.json) return shell.print(JSON.stringify(done, null, 2));
        const { tenant_id, host, failing_since, delivered_at } = done.endpoint;
        const standing = { state: stateOf(done.endpoint), failing_since, delivered_at };
        const last_failure = failureText(done.endpoint.last_failure);
        shell.print(details({ id, tenant: tenant_id, host, ...standing, last_failure }));
      });
}

/** When and why the last attempt failed: `2026-03-02T09:00:00.000Z 503`, or an error code if no status was received. */
export function failureText(failure: z.infer<typeof lastFailure>): string | null {
  return failure && `${failure.at} ${failure.status ?? failure.error}`;
}

function stateOf({ state, disabled_reason, disabled_at }: Endpoint): string {
  return state === "disabled" ? `disabled (${disabled_reason}) at ${disabled_at}` : state;
}
