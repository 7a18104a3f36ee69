import type { Command } from "commander";
import { z } from "zod";
import { withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };

const registrationToken = z.looseObject({
  token_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});
const made = z.object({ registration_token: registrationToken, token: z.string() });
const page = z.object({ items: z.array(registrationToken) });
const revoked = z.object({ token_id: z.string() });

/** `apps registration-token create|list|revoke`: who may register an OAuth client where REGISTRATION=token. */
export function addRegistrationTokenCommands(apps: Command, shell: Shell): void {
  const tokens = apps
    .command("registration-token")
    .description("initial access tokens, which registering an OAuth client needs with REGISTRATION=token (operator)");

  withServer(tokens.command("create"))
    .description("make a token; it is shown this once")
    .argument("<name>", "what it is for, 1 to 100 characters")
    .option("--days <days>", "after how many days it expires, 1 to 365", "30")
    .action(async (name: string, options: Flags & { days: string }) => {
      const server = await connectToServer(shell, options, "operator");
      const request = { name, days: Number(options.days) };
      const { registration_token, token } = await server.call("/operator/v1/registration-tokens/create", request, made);
      shell.print(
        options.json
          ? JSON.stringify({ registration_token, token }, null, 2)
          : details({ ...registration_token, token }),
      );
      shell.note("The token is shown this once. Whoever has it may register clients: Authorization: Bearer wci_…");
    });

  withServer(tokens.command("list"))
    .description("list tokens that have not expired, oldest first")
    .action(async (options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const { items } = await server.call("/operator/v1/registration-tokens/list", {}, page);
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      const rows = items.map(({ token_id, name, created_at, expires_at }) => [token_id, name, created_at, expires_at]);
      shell.print(table(["token_id", "name", "created_at", "expires_at"], rows));
    });

  withServer(tokens.command("revoke"))
    .description("withdraw a token; clients that registered with it stay")
    .argument("<token-id>")
    .action(async (token_id: string, options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const done = await server.call("/operator/v1/registration-tokens/revoke", { token_id }, revoked);
      shell.print(options.json ? JSON.stringify(done, null, 2) : details(done));
    });
}
