import { mailStates } from "@org/core";
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { wholeNumber, withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true };

const mail = z.looseObject({
  mail_id: z.string(),
  letter_id: z.string(),
  kind: z.string(),
  state: z.string(),
  recipient: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  attempts: z.number(),
  last_error: z.string().nullable(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
});
const page = z.looseObject({ items: z.array(mail), next_page_token: z.string().nullable() });
const one = z.looseObject({ mail });

/** `mails list|retry|confirm|withdraw`: mail about letters, and what went wrong with it. */
export function addMailCommands(program: Command, shell: Shell): void {
  const mails = program
    .command("mails")
    .description("mail about letters: what waits, failed or is in doubt (operator)");

  withServer(mails.command("list"))
    .description("list mails, newest first")
    .option("--tenant <id or name>", "only of this tenant")
    .option("--state <state>", `${mailStates.join(", ")}; several times for more`, state)
    .option("--limit <number>", "how many at most", wholeNumber(1, 500), 100)
    .action(async (options: Flags & { tenant?: string; state?: string[]; limit: number }) => {
      const server = await connectToServer(shell, options, "operator");
      const body = {
        ...(options.tenant !== undefined && { tenant_id: await chooseTenant(shell, server, options.tenant) }),
        ...(options.state && { state_in: options.state }),
        page_size: options.limit,
      };
      const found = await server.call("/operator/v1/mails/list", body, page);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map((item) => [
        item.mail_id,
        item.kind,
        item.state,
        item.letter_id,
        item.settled_at ?? item.created_at,
        item.recipient,
        item.attempts,
        item.next_attempt_at,
        item.last_error,
      ]);
      const head = ["mail", "kind", "state", "letter", "at", "recipient", "attempts", "next_attempt_at", "last_error"];
      shell.print(table(head, rows));
      if (found.next_page_token !== null) shell.print(`there are more than ${options.limit}`);
    });

  withServer(mails.command("retry"))
    .description("send a mail that failed, waits or is in doubt again; one in doubt may arrive twice then")
    .argument("<mail-id>")
    .option("--to <address>", "another address than before")
    .action((mail_id: string, { to, ...options }: Flags & { to?: string }) =>
      act("retry", { mail_id, ...(to !== undefined && { recipient: to }) }, options),
    );

  withServer(mails.command("confirm"))
    .description("note that a mail that failed or is in doubt has reached its recipient")
    .argument("<mail-id>")
    .action((mail_id: string, options: Flags) => act("confirm", { mail_id }, options));

  withServer(mails.command("withdraw"))
    .description("decide that a mail that waits, failed or is in doubt is not sent; its letter can move on then")
    .argument("<mail-id>")
    .action((mail_id: string, options: Flags) => act("withdraw", { mail_id }, options));

  async function act(operation: string, body: object, options: Flags): Promise<void> {
    const server = await connectToServer(shell, options, "operator");
    const done = await server.call(`/operator/v1/mails/${operation}`, body, one);
    if (options.json) return shell.print(JSON.stringify(done, null, 2));
    const { mail_id, kind, state, recipient, letter_id } = done.mail;
    shell.print(details({ mail_id, kind, state, recipient, letter_id }));
  }
}

function state(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!(mailStates as readonly string[]).includes(text))
    throw new InvalidArgumentError(`It must be one of ${mailStates.join(", ")}.`);
  return [...(before ?? []), text];
}
