import { basename } from "node:path";
import {
  draftMapping,
  type FeedMapping,
  FeedMappingError,
  findMapping,
  type MappingTest,
  parseFeedMapping,
  shippedMappings,
  testMapping,
} from "@org/feed-mapping";
import { lacksOf } from "@org/feed-mapping/columns";
import { FeedRefusal } from "@org/provider-kit";
import type { Command } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { readInput, readJsonFile } from "../input.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { printable, table } from "../table.js";

interface OwnerFlags extends ServerFlags {
  readonly json?: true;
  readonly connector?: string;
  readonly connection?: string;
}

const view = z.looseObject({
  name: z.string(),
  title: z.string(),
  connector_id: z.string().nullable(),
  connection_id: z.string().nullable(),
  changed_at: z.string().nullable(),
});
const list = z.object({ items: z.array(view) });
const alone = z.object({ mapping: view.extend({ mapping: z.record(z.string(), z.unknown()) }) });
const kept = z.looseObject({ mapping: view, retried: z.number().default(0), taken: z.number().default(0) });
const removed = z.object({ success: z.literal(true) });

/** Files that wait for a mapping are retried one after the other. */
const RETRY_SECONDS = 600;

/** `datafeed mappings list|show|set|remove|test|draft`. */
export function addFeedMappingCommands(datafeed: Command, shell: Shell): void {
  const mappings = datafeed
    .command("mappings")
    .description("how CSV and files in fixed columns are read (docs/how-to/feed-mappings.md)");
  const withOwner = (command: Command, seconds?: number) =>
    withServer(command, seconds)
      .option("--connector <id>", "for the files of this connector, in any tenant")
      .option("--connection <id>", "for the files of this connection");

  withServer(mappings.command("list"))
    .description("list mappings: connectors' first, then connections', then those that come with the server")
    .action(async (options: OwnerFlags) => {
      const server = await connectToServer(shell, options, "operator");
      const found = await server.call("/operator/v1/datafeed-mappings/list", {}, list);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map((each) => [
        each.name,
        each.connector_id ?? each.connection_id ?? "(shipped)",
        each.title,
        each.changed_at,
      ]);
      shell.print(table(["name", "for", "title", "changed"], rows));
    });

  withOwner(mappings.command("show"))
    .description("print a mapping as JSON; without --connector and --connection, one that comes with the server")
    .argument("<name>")
    .action(async (name: string, options: OwnerFlags) => {
      const server = await connectToServer(shell, options, "operator");
      const found = await server.call("/operator/v1/datafeed-mappings/show", { ...ownerOf(options), name }, alone);
      shell.print(JSON.stringify(options.json ? found : found.mapping.mapping, null, 2));
    });

  withOwner(mappings.command("set"), RETRY_SECONDS)
    .description(
      "keep a mapping for a connector or a connection; it counts for the next file, and for those that wait for one",
    )
    .argument("<mapping.json>", "- reads standard input")
    .action(async (path: string, options: OwnerFlags) => {
      const owner = requireOwner(options);
      const mapping = await readMapping(path);
      requireCurrency(mapping);
      const server = await connectToServer(shell, options, "operator");
      const done = await server.call("/operator/v1/datafeed-mappings/set", { ...owner, mapping }, kept);
      shell.print(options.json ? JSON.stringify(done, null, 2) : printable(`${done.mapping.name} is kept`));
      if (done.retried > 0) shell.note(`of ${done.retried} files that waited for a mapping ${done.taken} were taken`);
    });

  withOwner(mappings.command("remove"), RETRY_SECONDS)
    .description("remove a mapping; what was read by it stays")
    .argument("<name>")
    .action(async (name: string, options: OwnerFlags) => {
      const owner = requireOwner(options);
      const server = await connectToServer(shell, options, "operator");
      const done = await server.call("/operator/v1/datafeed-mappings/remove", { ...owner, name }, removed);
      shell.print(options.json ? JSON.stringify(done) : "removed");
    });

  withOwner(mappings.command("test"))
    .description("show the rows of a file as they would be read, and every fault with its place; nothing is kept")
    .argument("<file>", "a file of the bank")
    .option(
      "--file <mapping.json>",
      "by this mapping; without it and --name, by the one that comes with the server and recognises the file",
    )
    .option(
      "--name <name>",
      "by the mapping of this name of --connector or --connection, or one that comes with the server",
    )
    .option("--limit <number>", "rows to show at most", wholeNumber(1, 500), 20)
    .action(async (path: string, options: OwnerFlags & { file?: string; name?: string; limit: number }) => {
      const bytes = await readInput(shell, path);
      const mapping = await mappingFor(bytes, options);
      const tested = testMapping(bytes, mapping, { fileName: basename(path), limit: options.limit });
      if (options.json) shell.print(JSON.stringify({ mapping: mapping.name, ...tested }, null, 2));
      else printTest(mapping, tested);
      const { faults_total, left_out } = tested;
      if (faults_total > left_out) throw failed(`${faults_total} faults: the file would be refused`);
      if (left_out > 0) throw failed(`${left_out} rows would be left out`);
      requireCurrency(mapping);
    });

  mappings
    .command("draft")
    .description("propose a mapping for a file: JSON on standard output, what is left to decide on standard error")
    .argument("<file>", "a file of the bank")
    .option("--json", "with how sure each part is")
    .action(async (path: string, options: { json?: true }) => {
      const bytes = await readInput(shell, path);
      const draft = orCliError(() => draftMapping(bytes, basename(path)));
      shell.print(JSON.stringify(options.json ? draft : draft.mapping, null, 2));
      if (options.json) return;
      for (const { path: part, value, sure, why } of draft.guesses)
        shell.note(printable(`${sure}: ${part} = ${JSON.stringify(value)} (${why})`));
      for (const { path: part, question, options: choices } of draft.to_decide)
        shell.note(printable(`decide: ${part}: ${question}${choices ? ` ${JSON.stringify(choices)}` : ""}`));
      const unread = draft.tables.flatMap(({ columns }) => columns.filter(({ role }) => role === null));
      if (unread.length > 0)
        shell.note(printable(`not read: ${unread.map(({ reference }) => JSON.stringify(reference)).join(", ")}`));
    });

  /** @throws CliError with every fault and its path */
  async function readMapping(path: string): Promise<FeedMapping> {
    const stated = await readJsonFile(shell, path);
    return orCliError(() => parseFeedMapping(stated));
  }

  async function mappingFor(
    bytes: Uint8Array,
    options: OwnerFlags & { readonly file?: string; readonly name?: string },
  ): Promise<FeedMapping> {
    const { file, name } = options;
    if (file !== undefined && name !== undefined) throw wrongUsage("give --file or --name, not both");
    if (file !== undefined) return readMapping(file);
    if (options.connector !== undefined || options.connection !== undefined) {
      if (name === undefined) throw wrongUsage("name the mapping with --name");
      const server = await connectToServer(shell, options, "operator");
      const found = await server.call("/operator/v1/datafeed-mappings/show", { ...ownerOf(options), name }, alone);
      return orCliError(() => parseFeedMapping(found.mapping.mapping));
    }
    const shipped =
      name === undefined ? findMapping(bytes, shippedMappings()) : shippedMappings().find((each) => each.name === name);
    if (shipped) return shipped;
    throw failed(
      name === undefined ? "no mapping that comes with the server recognises this file" : `there is no mapping ${name}`,
    );
  }

  function printTest(
    mapping: FeedMapping,
    { rows, counts, faults, faults_total, warnings, portfolios }: MappingTest,
  ): void {
    shell.print(
      table(
        ["line", "is", "date", "kind or type", "security", "units", "cash or value", "currency", "name or description"],
        rows.map(({ line, is, values }) => [
          ...[line, is, textOf(values.operation_date ?? values.valuation_date), textOf(values.kind ?? values.type)],
          ...[
            textOf(values.isin ?? values.holding_key),
            textOf(values.amount),
            textOf(values.balance),
            textOf(values.currency),
          ],
          textOf(values.name ?? values.description),
        ]),
      ),
    );
    for (const { number, name, currency, balance } of portfolios)
      shell.print(
        printable(`account ${number ?? "of the connection"}: ${name}, ${balance ?? "no balance"} ${currency}`),
      );
    const counted = Object.entries(counts).map(([is, count]) => `${count} ${is}`);
    shell.print(printable(`by ${mapping.name}: ${counted.join(", ")}`));
    for (const { place, message } of warnings) shell.note(printable(`warning: ${place}: ${message}`));
    for (const { place, reason } of faults) shell.note(printable(`fault: ${place}: ${reason}`));
    if (faults_total > faults.length) shell.note(`and ${faults_total - faults.length} more faults`);
  }
}

/** A draft has XXX where the file leaves the currency open. Amounts of several currencies would be added up as one. */
function requireCurrency(mapping: FeedMapping): void {
  if (lacksOf(mapping).includes("currency"))
    throw failed("the currency is not decided: values.currency is XXX, which stands for none");
}

function ownerOf({ connector, connection }: OwnerFlags): { connector_id?: string; connection_id?: string } {
  return {
    ...(connector !== undefined && { connector_id: connector }),
    ...(connection !== undefined && { connection_id: connection }),
  };
}

function requireOwner(options: OwnerFlags) {
  if ((options.connector === undefined) === (options.connection === undefined))
    throw wrongUsage("give exactly one of --connector and --connection");
  return ownerOf(options);
}

function orCliError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FeedMappingError)
      throw failed(error.faults.map(({ path, message }) => printable(`${path}: ${message}`)).join("\n"));
    if (error instanceof FeedRefusal) throw failed(printable(`${error.place}: ${error.reason}`));
    throw error;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
