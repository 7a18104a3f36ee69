import {
  applyConnectorFilter,
  type ConnectorFilter,
  ConnectorFilterError,
  explainConnector,
  parseConnectorFilter,
} from "@org/connector-filter";
import { connectorFilterWarnings } from "@org/connector-filter/warnings";
import { connectorSchema } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { type CatalogueEntry, readCatalogue } from "../catalogue-file.js";
import { failed, wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { readJsonFile } from "../input.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";

interface FilterFlags extends ServerFlags {
  readonly filter: string;
  readonly connectors?: string;
  readonly json?: true;
}

const page = z.object({
  items: z.array(connectorSchema),
  next_page_token: z.string().nullable(),
  warnings: z.array(z.object({ field: z.string(), message: z.string() })).default([]),
});

/** The connectors found, and warnings about filters without effect. */
interface Found {
  readonly items: readonly CatalogueEntry[];
  readonly warnings: readonly { readonly field: string; readonly message: string }[];
}

/** `filter preview|explain`. */
export function addFilterCommands(program: Command, shell: Shell): void {
  const filter = program.command("filter").description("try connector filters, on a file or a server's catalogue");

  withFilter(filter.command("preview"))
    .description("list the connectors that a filter leaves, in catalogue order")
    .action(async (options: FilterFlags) => {
      const wanted = await readFilter(options.filter);
      const { items, warnings } = await (options.connectors === undefined
        ? previewOnServer(options, wanted)
        : readCatalogue(shell, options.connectors).then((catalogue) => previewHere(catalogue, wanted)));
      const warned = warnings.length > 0 && { warnings };
      if (options.json) return shell.print(JSON.stringify({ items, total: items.length, ...warned }, null, 2));
      for (const { field, message } of warnings) shell.note(`warning: ${field}: ${message}`);
      shell.print(`${connectorTable(items)}\n${items.length} connectors`);
    });

  withFilter(filter.command("explain"))
    .description("say for each connector whether a filter leaves it, and which rule decided")
    .argument("[connector-id]", "explain this one only")
    .option("--connector <id>", "the same")
    .action(async (named: string | undefined, options: FilterFlags & { connector?: string }) => {
      if (named !== undefined && options.connector !== undefined && named !== options.connector)
        throw wrongUsage("name one connector, as an argument or with --connector");
      const only = named ?? options.connector;
      const wanted = await readFilter(options.filter);
      const catalogue = await (options.connectors === undefined
        ? listOnServer(options)
        : readCatalogue(shell, options.connectors));
      const asked = catalogue.filter(({ id }) => only === undefined || id === only);
      if (asked.length === 0 && only !== undefined) throw failed(`there is no connector ${only}`);
      const items = asked.map((connector) => ({ connector_id: connector.id, ...explainConnector(connector, wanted) }));
      if (options.json) shell.print(JSON.stringify({ items, total: items.length }, null, 2));
      else
        shell.print(
          table(
            ["connector", "included", "rule", "reason"],
            items.map(({ connector_id, included, rule, reason }) => [
              connector_id,
              included ? "yes" : "no",
              rule,
              reason,
            ]),
          ),
        );
    });

  function withFilter(command: Command): Command {
    return withServer(command)
      .requiredOption("--filter <file>", 'the filter as JSON: {"rules": [...]}; - reads it from standard input')
      .option(
        "--connectors <file>",
        "catalogue as .ndjson or .json: everything happens here, without server and network",
      );
  }

  /** Also accepts a whole request body or session configuration that contains the filter. */
  async function readFilter(path: string): Promise<ConnectorFilter> {
    const document = (await readJsonFile(shell, path)) as {
      connector_filter?: unknown;
      configuration?: { connector_filter?: unknown };
    } | null;
    const inner = document?.connector_filter ?? document?.configuration?.connector_filter;
    try {
      return parseConnectorFilter(inner ?? document);
    } catch (error) {
      if (!(error instanceof ConnectorFilterError)) throw error;
      throw failed(`${path}: ${error.issues.map((issue) => `${issue.path} ${issue.message}`).join("; ")}`, error);
    }
  }

  function previewHere(catalogue: readonly CatalogueEntry[], wanted: ConnectorFilter): Found {
    const warnings = connectorFilterWarnings(catalogue, wanted);
    return {
      items: applyConnectorFilter(catalogue, wanted),
      warnings: warnings.map(({ path, message }) => ({ field: path, message })),
    };
  }

  function previewOnServer(flags: FilterFlags, wanted: ConnectorFilter): Promise<Found> {
    return everyPage(flags, "/connect/v2/connectors/preview-connector-filter", { connector_filter: wanted });
  }

  async function listOnServer(flags: FilterFlags): Promise<readonly CatalogueEntry[]> {
    return (await everyPage(flags, "/connect/v2/connectors/list-connectors", {})).items;
  }

  async function everyPage(flags: FilterFlags, path: string, body: object): Promise<Found> {
    const server = await connectToServer(shell, flags, "tenant");
    const items: CatalogueEntry[] = [];
    let warnings: Found["warnings"] = [];
    let token: string | null = null;
    do {
      const next: z.infer<typeof page> = await server.call(
        path,
        token === null ? body : { ...body, page_token: token },
        page,
      );
      items.push(...next.items);
      warnings = next.warnings;
      token = next.next_page_token;
    } while (token !== null);
    return { items, warnings };
  }
}

function connectorTable(items: readonly CatalogueEntry[]): string {
  return table(
    ["id", "name", "type", "countries", "available"],
    items.map(({ id, name, type, countries, available }) => [id, name, type, countries, available ? "yes" : "no"]),
  );
}
