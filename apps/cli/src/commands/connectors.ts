import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { connectorSchema } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { failed } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { fileErrorReason } from "../input.js";
import { startProgress } from "../progress.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { pageLine, printable, table } from "../table.js";

const entry = connectorSchema.extend({ provider: z.string(), ways: z.array(z.string()) }).loose();
const matched = z.object({ items: z.array(entry) });
const catalogue = z.looseObject({
  items: z.array(entry),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
});
const imported = z.object({
  inserted: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  unserved_total: z.number(),
  unserved: z.array(z.object({ id: z.string(), provider: z.string() })),
});

const NEWLINE = 0x0a;

/** The server takes longer for a file than for other requests. */
const UPLOAD_SECONDS = 600;

type ListFlags = ServerFlags & {
  readonly json?: true;
  readonly name?: string;
  readonly unserved?: true;
  readonly page: number;
  readonly pageSize: number;
};

/** `connectors list|import|join|separate|rematch`. */
export function addConnectorCommands(program: Command, shell: Shell): void {
  const connectors = program.command("connectors").description("the catalogue of banks (operator)");

  withServer(connectors.command("list"))
    .description("list the catalogue by id")
    .option("--name <text>", "only connectors whose name holds this text")
    .option("--unserved", "only connectors that are not available because the server has no such provider")
    .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
    .option("--page-size <number>", "rows on a page", wholeNumber(1, 500), 50)
    .action(async (options: ListFlags) => {
      const server = await connectToServer(shell, options, "operator");
      const { name = null, unserved, page, pageSize: page_size } = options;
      const query = { name, page, page_size, ...(unserved && { unserved }) };
      const found = await server.call("/operator/v1/connectors/list", query, catalogue);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map((row) => [
        row.id,
        row.name,
        row.type,
        row.countries,
        row.available ? "yes" : "no",
        row.provider,
        row.ways.filter((id) => id !== row.id),
      ]);
      shell.print(table(["id", "name", "type", "countries", "available", "provider", "other ways"], rows));
      shell.print(pageLine(found, "connectors"));
    });

  withServer(connectors.command("import"), UPLOAD_SECONDS)
    .description(
      "import catalogue rows (NDJSON), all or none; rows are inserted or replaced by id, and not available while no provider serves them",
    )
    .argument(
      "<file>",
      "one JSON object a line: id, name, country or countries, type, available, provider; other keys are kept",
    )
    .action(async (path: string, options: ServerFlags & { json?: true }) => {
      const file = resolve(shell.cwd, path);
      const size = await sizeOf(file, path);
      const server = await connectToServer(shell, options, "operator");
      const done = await importFile(server, file, size);
      shell.print(
        options.json
          ? JSON.stringify(done)
          : `${done.inserted} inserted, ${done.updated} updated, ${done.unchanged} unchanged`,
      );
      for (const line of unservedLines(done)) shell.note(line);
    });

  const decisions = [
    ["join", "one", "say that connectors reach one institution; customers are offered its ways in this order"],
    ["separate", "separate", "say that each of these connectors reaches an institution of its own"],
    ["rematch", "identifiers", "let the identifiers of these connectors say again which institution they reach"],
  ] as const;
  for (const [name, as, description] of decisions)
    withServer(connectors.command(name))
      .description(description)
      .argument("<id...>", "ids of connectors, at most 20")
      .action(async (connector_ids: readonly string[], options: ServerFlags & { json?: true }) => {
        const server = await connectToServer(shell, options, "operator");
        const done = await server.call("/operator/v1/connectors/match", { connector_ids, as }, matched);
        if (options.json) return shell.print(JSON.stringify(done, null, 2));
        shell.print(
          table(
            ["id", "name", "ways"],
            done.items.map((row) => [row.id, row.name, row.ways]),
          ),
        );
      });

  async function importFile(server: ServerApi, file: string, size: number): Promise<z.infer<typeof imported>> {
    const progress = startProgress(shell, "importing", Math.max(size, 1), "bytes");
    const body = () =>
      counted(createReadStream(file), (bytes, rows) => {
        progress.update(bytes, bytes < size ? `${rows} rows` : `${rows} rows sent, the server is storing them`);
      });
    try {
      return await server.send(
        "/operator/v1/connectors/import",
        { contentType: "application/x-ndjson", body },
        imported,
      );
    } finally {
      progress.stop();
    }
  }
}

function unservedLines({ unserved_total, unserved }: z.infer<typeof imported>): string[] {
  if (unserved_total === 0) return [];
  const more = unserved_total - unserved.length;
  return [
    `warning: ${unserved_total} of them are not available, since the server has no such provider:`,
    ...unserved.map(({ id, provider }) => `  ${printable(id)}: ${printable(provider)}`),
    ...(more > 0 ? [`  and ${more} more: wealth-connect connectors list --unserved`] : []),
  ];
}

async function sizeOf(file: string, path: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isFile()) return found.size;
  } catch (error) {
    throw failed(`cannot read ${path}: ${fileErrorReason(error)}`, error);
  }
  throw failed(`cannot read ${path}: it is not a file`);
}

/** Forwards a file, reporting bytes and lines after each piece. */
async function* counted(
  file: AsyncIterable<Buffer>,
  tell: (bytes: number, rows: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let rows = 0;
  for await (const chunk of file) {
    yield chunk;
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
    tell(bytes, rows);
  }
}
