import { clientOrders, clientSchema } from "@org/core";
import { type Command, Option } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, pageLine, table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };
interface UpdateFlags extends Flags {
  readonly name?: string;
  readonly removeName?: true;
  readonly newClientRef?: string;
}
interface AssignFlags extends Flags {
  readonly nobody?: true;
  readonly connection?: readonly string[];
  readonly letter?: readonly string[];
}

const page = z.looseObject({
  items: z.array(clientSchema.loose()),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
});
const one = clientSchema.loose();
const assigned = z.looseObject({ assigned: z.number() });

/** `clients list|show|create|update|assign|delete`: `/clients/v1` as a tenant. */
export function addClientCommands(program: Command, shell: Shell): void {
  const clients = program
    .command("clients")
    .description("connections and letters by client, under your own references");

  withServer(clients.command("list"))
    .description(
      "list clients, in the order of their references or names, with how many connections and letters are theirs",
    )
    .option("--name <text>", "with this text in name or reference, whatever its case and accents")
    .addOption(
      new Option("--sort <order>", "by reference or by name; with - the other way round").choices(clientOrders),
    )
    .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
    .option("--page-size <number>", "rows on a page", wholeNumber(1, 500), 50)
    .action(async (options: Flags & { name?: string; sort?: string; page: number; pageSize: number }) => {
      const { name, sort: order, page: number, pageSize } = options;
      const found = await call(
        "list",
        { ...(name !== undefined && { name }), ...(order && { order }), page: number, page_size: pageSize },
        page,
        options,
      );
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map((client) => [
        ...[client.client_ref, client.name, client.connections, client.letters, client.created_at],
      ]);
      shell.print(table(["client_ref", "name", "connections", "letters", "created_at"], rows));
      shell.print(pageLine(found, "clients"));
    });

  withServer(clients.command("show"))
    .description("show one client")
    .argument("<client-ref>")
    .action(async (client_ref: string, options: Flags) =>
      showClient(await call("show", { client_ref }, one, options), options),
    );

  withServer(clients.command("create"))
    .description("make a client that has nothing yet; without it, one is made when its reference is first used")
    .argument("<client-ref>")
    .option("--name <name>", "the client's name")
    .action(async (client_ref: string, options: Flags & { name?: string }) => {
      const { name } = options;
      showClient(await call("create", { client_ref, ...(name !== undefined && { name }) }, one, options), options);
    });

  withServer(clients.command("update"))
    .description("change a client's name, or the reference everywhere it stands")
    .argument("<client-ref>")
    .option("--name <name>", "the new name")
    .option("--remove-name", "leave only the reference")
    .option("--new-client-ref <client-ref>", "the new reference")
    .action(async (client_ref: string, options: UpdateFlags) => {
      const { name, removeName, newClientRef } = options;
      if (name !== undefined && removeName) throw wrongUsage("--name and --remove-name exclude each other");
      if (name === undefined && !removeName && newClientRef === undefined)
        throw wrongUsage("nothing to change: give --name, --remove-name or --new-client-ref");
      const change = {
        client_ref,
        ...((name !== undefined || removeName) && { name: name ?? null }),
        ...(newClientRef !== undefined && { new_client_ref: newClientRef }),
      };
      showClient(await call("update", change, one, options), options);
    });

  withServer(clients.command("assign"))
    .description("say whose connections or letters are; a reference that is new makes a client")
    .argument("[client-ref]")
    .option("--nobody", "take them from the client that they have")
    .option("--connection <id...>", "these connections")
    .option("--letter <id...>", "these letters")
    .action(async (clientRef: string | undefined, options: AssignFlags) => {
      const { nobody, connection, letter } = options;
      if ((clientRef === undefined) === (nobody === undefined))
        throw wrongUsage("give a client's reference, or --nobody");
      if ((connection === undefined) === (letter === undefined)) throw wrongUsage("give --connection or --letter");
      const target = connection === undefined ? { letter_id: letter } : { connection_id: connection };
      const answer = await call("assign", { client_ref: clientRef ?? null, ...target }, assigned, options);
      shell.print(options.json ? JSON.stringify(answer, null, 2) : `${answer.assigned} assigned`);
    });

  withServer(clients.command("delete"))
    .description("delete a client with all connections and their data; letters end")
    .argument("<client-ref>")
    .option("--yes", "do it without asking")
    .action(async (client_ref: string, options: Flags & { yes?: true }) => {
      await confirm(shell, options.yes, async () => {
        const { connections, letters } = await call("show", { client_ref }, one, options);
        return `Deletes the client ${client_ref}, ${connections} connections with all that is stored for them, and ends ${letters} letters.`;
      });
      const deleted = await call("delete", { client_ref, confirm: true }, one, options);
      shell.print(options.json ? JSON.stringify(deleted, null, 2) : `${client_ref} is deleted`);
    });

  async function call<T extends z.ZodType>(
    verb: string,
    body: object,
    schema: T,
    options: Flags,
  ): Promise<z.output<T>> {
    const server = await connectToServer(shell, options, "tenant");
    return server.call(`/clients/v1/${verb}`, body, schema);
  }

  function showClient(client: z.output<typeof one>, options: Flags): void {
    const { client_ref, name, connections, letters, created_at } = client;
    shell.print(
      options.json ? JSON.stringify(client, null, 2) : details({ client_ref, name, connections, letters, created_at }),
    );
  }
}
