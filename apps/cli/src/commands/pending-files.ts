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

const finding = z.looseObject({
  part: z.string(),
  account: z.string().nullable(),
  reason: z.string(),
  proposals: z.array(z.looseObject({ letter_id: z.string(), tenant_id: z.string(), why: z.string() })),
});
const heldFile = z.looseObject({
  state: z.literal("held"),
  file_id: z.string(),
  source: z.string(),
  name: z.string(),
  came_at: z.string(),
  held_until: z.string(),
  findings: z.array(finding),
});
const statement = z.looseObject({
  state: z.enum(["incomplete", "overdue"]),
  connection_id: z.string(),
  letter_id: z.string().nullable(),
  statement: z.string(),
  title: z.string().nullable(),
  pages: z.array(z.number()),
  missing: z.array(z.number()),
  last_page: z.number().nullable(),
  first_at: z.string(),
  until: z.string(),
});
const pending = z.object({
  items: z.array(z.discriminatedUnion("state", [heldFile, statement])),
  held: z.number(),
  incomplete: z.number(),
  overdue: z.number(),
});
type Pending = z.infer<typeof pending>["items"][number];

/** Retrying every held file may take a while. */
const RETRY_SECONDS = 600;

/** `datafeed pending|retry|route|drop`: custodians' pending files. */
export function addPendingFileCommands(datafeed: Command, shell: Shell): void {
  withServer(datafeed.command("pending"))
    .description(
      "list files that are not done, and why: held files, oldest first, with proposals, then statements of which pages are missing",
    )
    .option("--source <name>", "held files of this source only; drop-folder is the drop folder")
    .option("--limit <number>", "files and statements to show at most, of each", wholeNumber(1, 1_000), 100)
    .action(async ({ source, limit, ...options }: Flags & { source?: string; limit: number }) => {
      const found = await call("list", { source, limit }, pending, options);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const total = found.held + found.incomplete + found.overdue;
      if (source === undefined && total > found.items.length) shell.note(`${found.items.length} of ${total}`);
      shell.print(table(["since", "state", "until", "name", "reason", "proposals", "id"], found.items.flatMap(rowsOf)));
    });

  withServer(datafeed.command("retry"), RETRY_SECONDS)
    .description("try a held file again, once its cause is gone")
    .argument("<file-id>")
    .option("--letter <id>", "a file of the drop folder: for this letter instead of that in whose folder it lay")
    .option("--connection <id>", "for this connection instead")
    .action(async (file_id: string, options: Flags & { letter?: string; connection?: string }) => {
      const { letter: letter_id, connection: connection_id } = options;
      if (letter_id !== undefined && connection_id !== undefined)
        throw wrongUsage("give --letter or --connection, not both");
      const answer = z.looseObject({ outcome: z.string(), delivered: z.number(), findings: z.array(finding) });
      const result = await call("retry", { file_id, letter_id, connection_id }, answer, options);
      if (options.json) return shell.print(JSON.stringify(result, null, 2));
      shell.print(result.outcome);
      for (const { part, reason } of result.findings) shell.note(printable(`${part}: ${reason}`));
    });

  withServer(datafeed.command("route"), RETRY_SECONDS)
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
        const counts = z.object({ rules: z.number(), retried: z.number(), taken: z.number() });
        const answer = await call("route", { file_id, letter_id, connection_id, account }, counts, options);
        if (options.json) return shell.print(JSON.stringify(answer, null, 2));
        shell.print(`${answer.rules} rules; of ${answer.retried} held files ${answer.taken} were taken`);
      },
    );

  withServer(datafeed.command("drop"))
    .description("delete what is held of a file, or the pages of a statement; this cannot be undone")
    .argument("<id>", "as datafeed pending shows it")
    .option("--yes", "do it without asking")
    .action(async (id: string, options: Flags & { yes?: true }) => {
      await confirm(shell, options.yes, () => `This deletes what is kept of ${id}. It cannot be undone.`);
      const [, connection_id, of] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
      const body = connection_id === undefined ? { file_id: id } : { connection_id, statement: of };
      const answer = await call("drop", body, z.looseObject({}), options);
      shell.print(options.json ? JSON.stringify(answer) : "dropped");
    });

  async function call<S extends z.ZodType>(what: string, body: object, schema: S, flags: Flags): Promise<z.output<S>> {
    const server = await connectToServer(shell, flags, "operator");
    return server.call(`/operator/v1/datafeeds/${what}-pending`, body, schema);
  }
}

function rowsOf(file: Pending): (string | null)[][] {
  if (file.state !== "held") {
    const { first_at, state, until, title, connection_id } = file;
    const missing = [...file.missing, ...(file.last_page === null ? ["the last"] : [])].join(" ");
    const reason = `pages ${file.pages.join(" ")} are here, ${missing || "none"} missing`;
    return [[first_at, state, until, title, reason, null, `${connection_id}/${file.statement}`]];
  }
  const { came_at, state, held_until, name, source, findings, file_id } = file;
  return findings.map(({ part, reason, proposals }) => [
    ...[came_at, state, held_until, `${source}: ${part === name ? name : `${name}: ${part}`}`, reason],
    proposals.map(({ letter_id, why }) => `${letter_id} (${why})`).join(", "),
    file_id,
  ]);
}
