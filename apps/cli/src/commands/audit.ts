import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { auditLineSchema, uuidField } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { fileErrorReason } from "../input.js";
import { startProgress } from "../progress.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";
import { addAuditChainCommands, chainRecords } from "./audit-chain.js";

interface Flags extends ServerFlags {
  readonly json?: true;
  readonly since?: string;
  readonly until?: string;
  readonly tenant?: string;
  readonly installation?: true;
  readonly action?: string;
  readonly actor?: string;
  readonly object?: string;
  readonly trace?: string;
}
type Line = z.infer<typeof page>["items"][number];

const page = z.object({ items: z.array(z.looseObject(auditLineSchema.shape)), next_page_token: z.string().nullable() });
const PAGE_SIZE = 1_000;

/** `audit list|export|head|verify`. */
export function addAuditCommands(program: Command, shell: Shell): void {
  const audit = program.command("audit").description("who did what, when and from where (operator)");

  withConditions(audit.command("list"))
    .description("show the audit trail, newest first")
    .option("--limit <number>", "lines to show at most", wholeNumber(1, 100_000), 50)
    .action(async (options: Flags & { limit: number }) => {
      const server = await connectToServer(shell, options, "operator");
      const search = { ...(await searchOf(shell, server, options)), page_size: Math.min(options.limit, PAGE_SIZE) };
      const items: Line[] = [];
      for await (const found of pagesOf(server, search)) {
        items.push(...found.slice(0, options.limit - items.length));
        if (items.length >= options.limit) break;
      }
      shell.print(options.json ? JSON.stringify({ items }, null, 2) : lineTable(items));
    });

  withConditions(audit.command("export"))
    .description("write the audit trail as NDJSON, oldest first, page by page, however long it is")
    .option("--output <file>", "a new file, for its owner only; standard output unless given")
    .addHelpText(
      "after",
      "\nOne JSON object a line, with --json too. Without conditions but a time it is a piece of the hash chain, in its order, with\na hash for each line, and ends with the head: audit verify FILE checks it. Servers write the trail a second behind, refusals\na minute: an export that goes on where another ended had better end two minutes ago (--until).",
    )
    .action(async (options: Flags & { output?: string }) => {
      const server = await connectToServer(shell, options, "operator");
      const pages = await exportedPages(shell, server, options);
      await (options.output === undefined
        ? exportAll(shell, pages, async (lines) => shell.print(lines))
        : exportTo(shell, pages, resolve(shell.cwd, options.output)));
    });
  addAuditChainCommands(audit, shell);
}

function withConditions(command: Command): Command {
  return withServer(command, 60)
    .option("--since <time>", "from this date (UTC) or ISO 8601 datetime on")
    .option("--until <time>", "up to and including this date (UTC) or datetime")
    .option("--tenant <id or name>", "only lines of this tenant; the id also of a deleted one")
    .option("--installation", "only lines that belong to no tenant")
    .option("--action <action>", "only this one, such as grant.issued")
    .option("--actor <id>", "only what this application did")
    .option("--object <id>", "only what was done to this object")
    .option("--trace <id>", "only what one request did: the X-Trace-Id of its answer");
}

async function searchOf(shell: Shell, server: ServerApi, options: Flags): Promise<Readonly<Record<string, unknown>>> {
  const { since, until, action, actor, object, trace, tenant, installation } = options;
  if (tenant !== undefined && installation) throw wrongUsage("--tenant and --installation exclude each other");
  const conditions = Object.entries({ since, until, action, actor, object_id: object, trace_id: trace });
  return {
    ...Object.fromEntries(conditions.filter(([, value]) => value !== undefined)),
    ...(installation && { tenant_id: null }),
    ...(tenant !== undefined && {
      tenant_id: uuidField.safeParse(tenant).success ? tenant : await chooseTenant(shell, server, tenant),
    }),
  };
}

async function* pagesOf(server: ServerApi, search: object): AsyncGenerator<readonly Line[]> {
  let page_token: string | null = null;
  do {
    const found: z.infer<typeof page> = await server.call("/operator/v1/audit/list", { ...search, page_token }, page);
    yield found.items;
    page_token = found.next_page_token;
  } while (page_token !== null);
}

/** The exported pages, each with the time of its last line. */
type ExportedPages = AsyncIterable<{ readonly records: readonly object[]; readonly at: string | undefined }>;

/** A piece of the chain if all lines of a period are requested, otherwise only the lines. */
async function exportedPages(shell: Shell, server: ServerApi, options: Flags): Promise<ExportedPages> {
  const { since, until, tenant, installation, action, actor, object, trace } = options;
  if ([tenant, installation, action, actor, object, trace].every((condition) => condition === undefined))
    return chainRecords(server, { since, until });
  const conditions = await searchOf(shell, server, { ...options, until: until ?? shell.clock().toISOString() });
  return searchedPages(server, { ...conditions, order: "oldest", page_size: PAGE_SIZE });
}

async function* searchedPages(
  server: ServerApi,
  search: object,
): AsyncGenerator<{ records: readonly object[]; at: string | undefined }> {
  for await (const lines of pagesOf(server, search)) yield { records: lines, at: lines.at(-1)?.at };
}

/** Writes page after page; the progress bar shows the time of the last line, because the number of lines is unknown. */
async function exportAll(shell: Shell, pages: ExportedPages, write: (lines: string) => Promise<void>): Promise<void> {
  const progress = startProgress(shell, "exporting", 100, "% of the time");
  let count = 0;
  let first: number | undefined;
  const end = shell.clock().getTime();
  try {
    for await (const { records, at } of pages) {
      if (records.length > 0) await write(records.map((record) => JSON.stringify(record)).join("\n"));
      count += records.length;
      const reached = Date.parse(at ?? "");
      first ??= Number.isNaN(reached) ? undefined : reached;
      const share = Math.floor(((reached - (first ?? reached)) / Math.max(end - (first ?? 0), 1)) * 100);
      progress.update(Number.isFinite(share) ? share : 0, `${count} lines`);
    }
    progress.update(100, `${count} lines`);
  } finally {
    progress.stop();
  }
}

async function exportTo(shell: Shell, pages: ExportedPages, path: string): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw failed(
      `cannot write ${path}: ${error.code === "EEXIST" ? "it is there already" : fileErrorReason(error)}`,
      error,
    );
  });
  try {
    await exportAll(shell, pages, async (lines) => file.appendFile(`${lines}\n`));
    await file.sync();
  } finally {
    await file.close();
  }
}

function lineTable(lines: readonly Line[]): string {
  return table(
    ["at", "action", "object", "actor", "tenant", "address", "facts"],
    lines.map(({ at, action, object_type, object_id, actor, tenant_id, address, facts }) => [
      at,
      action,
      object_id === "" ? object_type : `${object_type} ${object_id}`,
      actor,
      tenant_id ?? "installation",
      address,
      Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])),
    ]),
  );
}
