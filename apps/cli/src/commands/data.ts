import {
  asOfSchema,
  calendarDate,
  currencyTotalSchema,
  type DataGroup,
  dataGroups,
  dataSorts,
  holdingSubtypes,
  holdingTypes,
  ofClient,
  portfolioTypes,
  sourceSchema,
  transactionKinds,
} from "@org/core";
import { type Command, Option } from "commander";
import { z } from "zod";
import { checked, wholeNumber, withServer } from "../command-options.js";
import { sourceText } from "../missing-data.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { type Cell, pageLine, table } from "../table.js";

/** The parameters of the endpoint, as options; `connection` is its `credentials_token`. */
interface Flags extends ServerFlags {
  readonly json?: true;
  readonly connection?: readonly string[];
  readonly totalsBy?: readonly DataGroup[];
  readonly totalsOnly?: true;
  readonly fields?: readonly string[];
}
const totalSchema = currencyTotalSchema.extend({ client_ref: z.string().nullish() });
type Total = z.infer<typeof totalSchema>;

const page = z.looseObject({
  totals: z.array(totalSchema),
  as_of: asOfSchema,
  sources: z.array(sourceSchema),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
  items: z.array(z.record(z.string(), z.unknown())),
});

const versioned = z.looseObject({ versions: z.array(z.record(z.string(), z.unknown())) });

/** What can be read, and the fields that a table shows unless `--fields` names others. */
const reads = {
  portfolios: {
    what: "portfolio accounts with their balances, connection by connection, oldest first",
    sorts: dataSorts.portfolio,
    groups: [...dataGroups.portfolio, ofClient.group],
    shown: ["id", "name", "type", "balance", "currency", "refAccount"],
  },
  investments: {
    what: "holdings with units and value, connection by connection, oldest first",
    sorts: dataSorts.investment,
    groups: [...dataGroups.investment, ofClient.group],
    shown: ["id", "name", "isin", "type", "amount", "balance", "currency", "valuation_date"],
  },
  transactions: {
    what: "transactions, newest first",
    sorts: dataSorts.transaction,
    groups: [...dataGroups.transaction, ofClient.group],
    shown: ["id", "operationDate", "description", "kind", "amount", "balance", "currency"],
  },
} as const;

/** `data portfolios|investments|transactions`: `/data/v1/list-*` as a tenant, and `data transaction`: `/data/v1/show-transaction`. */
export function addDataCommands(program: Command, shell: Shell): void {
  const data = program.command("data").description("what banks hold: portfolios, holdings and transactions");

  withBalance(read("portfolios")).addOption(oneOf("portfolio-type", "of this type", portfolioTypes));

  withBalance(read("investments"))
    .addOption(oneOf("inv-type", "of this type", holdingTypes))
    .addOption(oneOf("subtype", "of this subtype", holdingSubtypes))
    .option("--isin <isin...>", "with this ISIN")
    .option("--portfolio-id <id>", "of this portfolio");

  read("transactions")
    .addOption(oneOf("kind", "of this kind", transactionKinds))
    .option("--isin <isin...>", "of the security with this ISIN")
    .option("--investment-id <id>", "of this holding")
    .option("--start-date <day>", "from this day on (YYYY-MM-DD)", checked(calendarDate))
    .option("--end-date <day>", "up to this day", checked(calendarDate));

  withServer(data.command("transaction <id>"))
    .description("show one transaction, and what it said before it was corrected or withdrawn")
    .requiredOption("--connection <id>", "the bank connection that it is of")
    .action(show);

  function read(noun: keyof typeof reads): Command {
    const { what, sorts, groups } = reads[noun];
    const named = noun === "transactions" ? "description" : "name";
    return withServer(data.command(noun))
      .description(`list ${what}; options with ... take several values, each of which may match`)
      .option("--client-ref <client-ref...>", "of this client, by your own reference")
      .option("--connection <id...>", "of this bank connection; all of the tenant by default")
      .option("--name <text>", `with this text in the ${named}, whatever its case and accents`)
      .addOption(
        new Option(
          "--sort <order>",
          "- is descending; by balance, currency by currency, the largest total first",
        ).choices(sorts),
      )
      .addOption(oneOf("totals-by", "divide the totals by this, or by two", groups))
      .option("--totals-only", "no rows, only their totals")
      .option("--fields <name...>", "these fields of each row")
      .option("--snapshot <snapshot>", "of an earlier page, to read on in the same state of the data")
      .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
      .option("--page-size <number>", "rows on a page", wholeNumber(1, 500), 50)
      .action((options: Flags) => list(noun, options));
  }

  async function show(id: string, options: ServerFlags & Pick<Flags, "json"> & { connection: string }): Promise<void> {
    const server = await connectToServer(shell, options, "tenant");
    const of = { credentials_token: options.connection, transaction_id: id };
    const found = await server.call("/data/v1/show-transaction", of, versioned);
    if (options.json) return shell.print(JSON.stringify(found, null, 2));
    const columns = ["read_at", "ended_at", "ended_by", ...reads.transactions.shown.slice(1)];
    shell.print(
      table(
        columns,
        found.versions.map((version) => columns.map((column) => cellOf(version[column]))),
      ),
    );
  }

  async function list(noun: keyof typeof reads, options: Flags): Promise<void> {
    const server = await connectToServer(shell, options, "tenant");
    const found = await server.call(`/data/v1/list-${noun}`, bodyOf(options), page);
    if (options.json) return shell.print(JSON.stringify(found, null, 2));
    if (!options.totalsOnly) {
      const columns = options.fields ?? reads[noun].shown;
      const rows = found.items.map((row) => columns.map((column) => cellOf(row[column])));
      shell.print(table(columns, rows));
    }
    shell.print(pageLine(found, noun));
    shell.print(totalsOf(found.totals, options.totalsBy ?? []));
    const { oldest, newest } = found.as_of;
    if (oldest !== null) shell.print(oldest === newest ? `as of ${oldest}` : `as of ${oldest} to ${newest}`);
    for (const source of found.sources) if (source.state !== "ok") shell.note(sourceText(source));
  }
}

function withBalance(command: Command): Command {
  return command
    .option("--currency <code...>", "in this currency (ISO 4217)")
    .option("--min-balance <amount>", "with at least this balance");
}

function oneOf(name: string, what: string, values: readonly string[]): Option {
  return new Option(`--${name} <${name.split("-").at(-1)}...>`, what).choices(values);
}

/** The request: the options by the names of the endpoint's parameters. */
function bodyOf(options: Flags): object {
  const { json, url, clientId, clientSecret, timeout, connection, ...parameters } = options;
  const named = Object.entries(parameters).map(([name, value]) => [snakeCase(name), value]);
  return { ...Object.fromEntries(named), credentials_token: connection };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function totalsOf(totals: readonly Total[], groups: readonly DataGroup[]): string {
  const rows = totals.map((total) => [
    ...groups.map((group) => (group === "portfolio" ? (total.portfolio?.name ?? total.portfolio?.id) : total[group])),
    ...[total.balance, total.currency, total.rows, total.rows_without_balance ?? 0, total.rows_notional ?? 0],
  ]);
  return table([...groups, "total", "currency", "rows", "without_balance", "notional"], rows);
}

/** Facts such as identifiers are objects. */
function cellOf(value: unknown): Cell {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Cell);
}
