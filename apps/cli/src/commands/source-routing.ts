import type { Command } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };

const route = z.looseObject({
  route_id: z.string(),
  when: z.record(z.string(), z.unknown()),
  to: z.record(z.string(), z.unknown()),
});
const retried = { retried: z.number(), taken: z.number() };
const done = z.looseObject({});

/** Retrying every held file may take a while. */
const RETRY_SECONDS = 600;

/** `sources routes`: the rules that say who a source's files are for. */
export function addSourceRoutingCommands(sources: Command, shell: Shell): void {
  const routes = sources.command("routes").description("rules: which account, BIC, sender or file name is for whom");

  withServer(routes.command("list"))
    .description("list the rules of a source, oldest first")
    .argument("<source>")
    .action(async (name: string, options: Flags) => {
      const found = await call("/list-routes", { source: name }, z.object({ items: z.array(route) }), options);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ route_id, when, to }) => [route_id, worded(when) || "everything", worded(to)]);
      shell.print(table(["route_id", "when", "to"], rows));
    });

  withServer(routes.command("add"), RETRY_SECONDS)
    .description("add a rule, and try what is held of the source again; all conditions have to hold")
    .argument("<source>")
    .option("--account <number>", "number of the account")
    .option("--servicer <bic>", "BIC of who keeps the account")
    .option("--sender <name>", "sender, as the file states it")
    .option("--name <pattern>", "name of the file: * stands for any characters, ? for one")
    .option("--to-letter <id>")
    .option("--to-connection <id>")
    .option("--to-connector <id>", "whichever letter of this connector names the account")
    .option("--tenant <id>", "with --to-connector: letters of this tenant only")
    .action(async (name: string, options: Flags & Readonly<Record<string, string | undefined>>) => {
      const { account, servicer, sender, toLetter, toConnection, toConnector, tenant } = options;
      if ([toLetter, toConnection, toConnector].filter((each) => each !== undefined).length !== 1)
        throw wrongUsage("give exactly one of --to-letter, --to-connection and --to-connector");
      const when = { account, servicer, sender, name: options.name };
      const to = { letter_id: toLetter, connection_id: toConnection, connector_id: toConnector, tenant_id: tenant };
      const added = await call("/add-route", { source: name, when, to }, z.object({ route, ...retried }), options);
      if (options.json) return shell.print(JSON.stringify(added, null, 2));
      shell.print(`${added.route.route_id}: of ${added.retried} held files ${added.taken} were taken`);
    });

  withServer(routes.command("remove"))
    .description("remove a rule; what was taken by it stays")
    .argument("<route-id>")
    .action(async (route_id: string, options: Flags) => {
      const answer = await call("/remove-route", { route_id }, done, options);
      shell.print(options.json ? JSON.stringify(answer) : "removed");
    });

  async function call<S extends z.ZodType>(path: string, body: object, schema: S, flags: Flags): Promise<z.output<S>> {
    const server = await connectToServer(shell, flags, "operator");
    return server.call(`/operator/v1/sources${path}`, body, schema);
  }
}

function worded(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}
