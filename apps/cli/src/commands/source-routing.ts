import type { Command } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { printable, table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };

const route = z.looseObject({
  route_id: z.string(),
  when: z.record(z.string(), z.unknown()),
  to: z.record(z.string(), z.unknown()),
});
const retried = { retried: z.number(), taken: z.number() };
const finding = z.looseObject({
  part: z.string(),
  account: z.string().nullable(),
  reason: z.string(),
  proposals: z.array(z.looseObject({ letter_id: z.string(), tenant_id: z.string(), why: z.string() })),
});
const heldFiles = z.object({
  items: z.array(
    z.looseObject({
      file_id: z.string(),
      source: z.string(),
      name: z.string(),
      came_at: z.string(),
      held_until: z.string(),
      findings: z.array(finding),
    }),
  ),
  total: z.number(),
});
const done = z.looseObject({});

/** Trying everything that is held again may take a while. */
const RETRY_SECONDS = 600;

/** `sources routes` and `sources held`: whom files are for, and what waits because nobody knows. */
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

  const held = sources
    .command("held")
    .description("files of sources and of the drop folder that wait for an operator, sealed");

  withServer(held.command("list"))
    .description("list held files, oldest first, with why and with proposals")
    .option("--source <name>", "of this source only")
    .option("--limit <number>", "files to show at most", wholeNumber(1, 1_000), 100)
    .action(async (options: Flags & { source?: string; limit: number }) => {
      const found = await call("/list-held", { source: options.source, limit: options.limit }, heldFiles, options);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.flatMap(({ came_at, name, file_id, findings, ...file }) =>
        findings.map(({ part, reason, proposals }) => [
          ...[came_at, file.source, part === name ? name : `${name}: ${part}`, reason],
          proposals.map(({ letter_id, why }) => `${letter_id} (${why})`).join(", "),
          file_id,
        ]),
      );
      shell.print(table(["came", "source", "name", "reason", "proposals", "file_id"], rows));
    });

  withServer(held.command("route"), RETRY_SECONDS)
    .description("make rules for the open accounts of a held file, and try what is held of its source again")
    .argument("<file-id>")
    .option("--to-letter <id>")
    .option("--to-connection <id>")
    .option("--account <number>", "this account only")
    .action(
      async (file_id: string, options: Flags & { toLetter?: string; toConnection?: string; account?: string }) => {
        if ((options.toLetter === undefined) === (options.toConnection === undefined))
          throw wrongUsage("give exactly one of --to-letter and --to-connection");
        const { toLetter: letter_id, toConnection: connection_id, account } = options;
        const body = { file_id, letter_id, connection_id, account };
        const answer = await call("/route-held", body, z.object({ rules: z.number(), ...retried }), options);
        if (options.json) return shell.print(JSON.stringify(answer, null, 2));
        shell.print(`${answer.rules} rules; of ${answer.retried} held files ${answer.taken} were taken`);
      },
    );

  withServer(held.command("retry"), RETRY_SECONDS)
    .description("try a held file again, once its cause is gone")
    .argument("<file-id>")
    .option("--letter <id>", "a file of the drop folder: for this letter instead of that in whose folder it lay")
    .option("--connection <id>", "for this connection instead")
    .action(async (file_id: string, options: Flags & { letter?: string; connection?: string }) => {
      const { letter: letter_id, connection: connection_id } = options;
      if (letter_id !== undefined && connection_id !== undefined)
        throw wrongUsage("give --letter or --connection, not both");
      const answer = z.looseObject({ outcome: z.string(), delivered: z.number(), findings: z.array(finding) });
      const result = await call("/retry-held", { file_id, letter_id, connection_id }, answer, options);
      if (options.json) return shell.print(JSON.stringify(result, null, 2));
      shell.print(result.outcome);
      for (const { part, reason } of result.findings) shell.note(printable(`${part}: ${reason}`));
    });

  withServer(held.command("drop"))
    .description("delete what is held of a file; this cannot be undone")
    .argument("<file-id>")
    .option("--yes", "do it without asking")
    .action(async (file_id: string, options: Flags & { yes?: true }) => {
      await confirm(shell, options.yes, () => `This deletes what is held of ${file_id}. It cannot be undone.`);
      const answer = await call("/drop-held", { file_id }, done, options);
      shell.print(options.json ? JSON.stringify(answer) : "dropped");
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
