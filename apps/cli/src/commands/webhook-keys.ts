import type { Command } from "commander";
import { z } from "zod";
import { withServer } from "../command-options.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };

const published = z.object({
  webhook_keys: z.array(
    z.looseObject({
      kid: z.string(),
      public_key: z.string(),
      since: z.string().nullable(),
      until: z.string().nullable(),
    }),
  ),
});

/** `webhooks keys list|rotate`. */
export function addWebhookKeyCommands(webhooks: Command, shell: Shell): void {
  const keys = webhooks.command("keys").description("Ed25519 keys that sign deliveries of events (operator)");

  withServer(keys.command("list"))
    .description("list the public keys, newest first, as /.well-known/webhooks-keys.json has them")
    .action(async (options: Flags) => show(await connectToServer(shell, options, "operator"), options));

  withServer(keys.command("rotate"))
    .description("make the next key: it signs after a minute, and the former one signs along for seven days")
    .action(async (options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      await server.call("/operator/v1/keys/rotate-server", { name: "webhook-signature" }, z.object({}));
      await show(server, options);
    });

  async function show(server: ServerApi, { json }: Flags): Promise<void> {
    const { webhook_keys } = await server.call("/operator/v1/keys/list", {}, published);
    if (json) return shell.print(JSON.stringify({ webhook_keys }, null, 2));
    shell.print(
      table(
        ["kid", "public_key", "since", "until"],
        webhook_keys.map(({ kid, public_key, since, until }) => [kid, public_key, since, until]),
      ),
    );
  }
}
