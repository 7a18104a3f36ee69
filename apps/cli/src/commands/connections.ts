import { attentionSchema, credentialStatusSchema, refreshAnswerSchema, refreshStateSchema } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { failed } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, pageLine, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

interface Flags extends ServerFlags {
  readonly json?: true;
  readonly tenant?: string;
}
interface ListFlags extends Flags {
  readonly bank?: string;
  readonly readyOnly?: true;
  readonly attentionOnly?: true;
  readonly page: number;
  readonly pageSize: number;
}
type Status = z.infer<typeof credentialStatusSchema>;

const page = z.looseObject({
  items: z.array(
    z.looseObject({
      connection_id: z.string(),
      bank: z.string(),
      status: credentialStatusSchema.optional(),
      attention: attentionSchema.nullable(),
    }),
  ),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
});
const one = z.looseObject({
  connection_id: z.string(),
  status: credentialStatusSchema,
  refresh: refreshStateSchema.optional(),
});
type Refreshed = z.infer<typeof refreshAnswerSchema>;

/** How often and how long `refresh --wait` polls: a refresh ends or is abandoned within five minutes. */
const POLL_MS = 2_000;
const MAX_POLLS = 180;

/** `connections list|status|refresh`. */
export function addConnectionCommands(program: Command, shell: Shell): void {
  const connections = program
    .command("connections")
    .description("bank connections: their status, and refreshing them (operator)");

  withTenant(connections.command("list"))
    .description("list the bank connections of a tenant, oldest first")
    .option("--bank <text>", "only banks whose name holds this text")
    .option("--ready-only", "leave out blocked and pending ones")
    .option("--attention-only", "only those that need somebody, and what to do")
    .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
    .option("--page-size <number>", "rows on a page", wholeNumber(1, 500), 50)
    .action(async (options: ListFlags) => {
      const server = await connectToServer(shell, options, "operator");
      const found = await server.call(
        "/operator/v1/connections/list",
        {
          tenant_id: await chooseTenant(shell, server, options.tenant),
          bank: options.bank ?? null,
          ready_only: options.readyOnly ?? false,
          attention_only: options.attentionOnly ?? false,
          include_status: true,
          page: options.page,
          page_size: options.pageSize,
        },
        page,
      );
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ connection_id, bank, status, attention }) => [
        connection_id,
        bank,
        ...(options.attentionOnly
          ? [attention?.state, attention?.message, attention?.next_action]
          : [status && stateOf(status), status?.last_update, attention?.message]),
      ]);
      const columns = options.attentionOnly
        ? ["state", "message", "next_action"]
        : ["state", "last_update", "attention"];
      shell.print(table(["connection_id", "bank", ...columns], rows));
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
      const { status, refresh } = found;
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
          refresh: refresh?.state,
          next_refresh: refresh?.next_at,
          last_refresh: refresh?.last_attempt_at,
          last_refresh_outcome: refresh?.last_outcome,
        }),
      );
    });

  withServer(connections.command("refresh"))
    .description("refresh one connection now, of any tenant; at most every 15 minutes")
    .argument("<connection-id>")
    .option("--wait", "wait until it has ended, also when that takes minutes")
    .addHelpText(
      "after",
      "\nExits with 1 when the refresh failed or the customer has to log in again, or to enter a new key.",
    )
    .action(async (connection_id: string, options: ServerFlags & { json?: true; wait?: true }) => {
      const server = await connectToServer(shell, options, "operator");
      const asked = await server.call("/operator/v1/connections/refresh", { connection_id }, refreshAnswerSchema);
      const found = options.wait && asked.outcome === "under_way" ? await ended(server, asked) : asked;
      if (options.json) shell.print(JSON.stringify(found, null, 2));
      else
        shell.print(
          details({
            connection_id: found.connection_id,
            outcome: found.outcome,
            state: stateOf(found.status),
            errored: erroredParts(found.status),
            last_update: found.status.last_update,
            next_refresh: found.refresh.next_at,
          }),
        );
      if (found.outcome === "failed")
        throw failed(
          'the bank could not be reached, or its answer cannot be used; the server\'s log says which ("msg":"refresh"). It will be retried automatically',
        );
      if (found.outcome === "relogin_needed")
        throw failed("the bank wants its customer: open a Connect session for this connection");
    });

  /** Polls until no refresh is running. */
  async function ended(server: ServerApi, { connection_id }: Refreshed): Promise<Refreshed> {
    for (let look = 0; look < MAX_POLLS; look += 1) {
      await shell.sleep(POLL_MS);
      const { status, refresh } = await server.call("/operator/v1/connections/status", { connection_id }, one);
      if (refresh && refresh.state !== "under_way")
        return { connection_id, outcome: refresh.last_outcome ?? "failed", status, refresh };
    }
    throw failed("the refresh has not ended; see wealth-connect connections status");
  }
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

/** Names every part that could not be read last time, such as `product.portfolio`. */
function erroredParts({ errored }: Status): string[] {
  return Object.entries(errored).flatMap(([group, parts]) =>
    Object.entries(parts).flatMap(([part, failed]) => (failed ? [`${group}.${part}`] : [])),
  );
}
