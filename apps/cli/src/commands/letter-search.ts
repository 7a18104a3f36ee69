import { letterOrders, letterSchema, letterToDo } from "@org/core";
import { csvLines } from "@org/core/csv";
import { type Command, Option } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { keyValue, repeated, wholeNumber, withServer } from "../command-options.js";
import { startProgress } from "../progress.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { type Cell, pageLine, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";
import { mailInList, mailWords } from "./letter-answer.js";

type Pairs = Readonly<Record<string, string>>;

interface SearchFlags extends ServerFlags {
  readonly json?: true;
  readonly csv?: true;
  readonly ids?: true;
  readonly tenant?: string;
  readonly allTenants?: true;
  readonly connector?: string[];
  readonly custodian?: string;
  readonly text?: string;
  readonly stuck?: true;
  readonly sort?: string;
  readonly status?: string[];
  readonly id?: string[];
  readonly label?: Pairs;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
  readonly unmovedSince?: string;
  readonly page: number;
  readonly pageSize: number;
}

const counted = { page: z.number(), pages: z.number(), total: z.number() };
const tenantLetter = letterSchema.loose();
const foundLetterSchema = letterSchema.loose().extend({
  tenant_id: z.string(),
  tenant: z.string(),
  custodian: z.string(),
  contact_info: z.record(z.string(), z.string()),
  status_since: z.string(),
  days_in_status: z.number(),
  to_do: z.looseObject({ by: z.string(), what: z.string() }),
  mails: z.array(mailInList),
});
const tenantPage = z.looseObject({ items: z.array(tenantLetter), ...counted });
const foundLettersSchema = z.looseObject({ items: z.array(foundLetterSchema), ...counted });

/** How a search is requested page by page, and how its letters are shown. */
interface Search<Letter> {
  readonly pageSize: number;
  ask(page: number, pageSize: number): Promise<{ items: Letter[]; page: number; pages: number; total: number }>;
  readonly table: Columns<Letter>;
  readonly csv: Columns<Letter>;
}

type Columns<Letter> = readonly (readonly [head: string, cell: (letter: Letter) => Cell])[];

/** `letters search`, as a tenant or, across tenants, as the operator. */
export function addLetterSearch(letters: Command, shell: Shell): void {
  withServer(letters.command("search"))
    .description("search letters, newest first; options of one kind are ORed, kinds are ANDed")
    .option("--all-tenants", "search as the operator, over all tenants; so do the options marked with *")
    .option("--tenant <id or name>", "search as the operator, in this tenant")
    .option("--connector <id>", "of this connector, several times for more", repeated)
    .option("--custodian <text>", "* of custodians whose name has this in it")
    .option("--text <words>", "* with words that begin so in id, connector, labels, contacts or observations")
    .option("--stuck", "* only Blocked ones, and those without the mail that their status calls for")
    .option("--status <status>", "in this status, several times for more", repeated)
    .option("--id <id>", "with this id, several times for more", repeated)
    .option("--label <key=value>", "with this label, several times for more (all must be there)", keyValue)
    .option("--created-from <time>", "created then or later (ISO 8601 date or datetime)")
    .option("--created-to <time>", "created until then; a date counts whole")
    .option("--updated-from <time>", "last changed then or later")
    .option("--updated-to <time>", "last changed until then")
    .option("--unmoved-since <time>", "* in their status since before then")
    .addOption(new Option("--sort <order>", "* by age or change").choices(letterOrders))
    .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
    .option("--page-size <number>", "rows on a page: 100 at most, 500 as the operator", wholeNumber(1, 500), 20)
    .option("--csv", "all that match, as CSV (RFC 4180)")
    .option("--ids", "all that match, an id a line: for letters advance --file -")
    .action(async (options: SearchFlags) => {
      if ([options.json, options.csv, options.ids].filter(Boolean).length > 1)
        throw wrongUsage("give one of --json, --csv and --ids");
      if (isForOperators(options)) await show(await asOperator(options), options);
      else await show(await asTenant(options), options);
    });

  async function show<Letter extends { id: string }>(search: Search<Letter>, options: SearchFlags): Promise<void> {
    if (options.csv || options.ids) return printAll(search, options.csv === true);
    const found = await search.ask(options.page, options.pageSize);
    if (options.json) return shell.print(JSON.stringify(found, null, 2));
    shell.print(
      table(
        search.table.map(([head]) => head),
        found.items.map((letter) => search.table.map(([, cell]) => cell(letter))),
      ),
    );
    shell.print(pageLine(found, "letters"));
  }

  /** A letter that a new one pushed to the next page is printed only once. */
  async function printAll<Letter extends { id: string }>(search: Search<Letter>, asCsv: boolean): Promise<void> {
    const seen = new Set<string>();
    const lines = (rows: readonly (readonly Cell[])[]) => shell.print(csvLines(rows).replace(/\n$/, ""));
    if (asCsv) lines([search.csv.map(([head]) => head)]);
    let progress: ReturnType<typeof startProgress> | undefined;
    try {
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const found = await search.ask(page, search.pageSize);
        pages = found.pages;
        if (pages > 1) progress ??= startProgress(shell, "reading", found.total, "letters");
        const fresh = found.items.filter(({ id }) => !seen.has(id));
        for (const { id } of fresh) seen.add(id);
        if (asCsv && fresh.length > 0) lines(fresh.map((letter) => search.csv.map(([, cell]) => cell(letter))));
        if (!asCsv) for (const { id } of fresh) shell.print(id);
        progress?.update(seen.size);
      }
    } finally {
      progress?.stop();
    }
  }

  async function asTenant(options: SearchFlags): Promise<Search<z.infer<typeof tenantLetter>>> {
    const server = await connectToServer(shell, options, "tenant");
    const query = queryOf(options);
    return {
      pageSize: 100,
      ask: (page, page_size) => server.call("/letters/v1/search-letters", { query, page, page_size }, tenantPage),
      table: tenantTable,
      csv: tenantCsv,
    };
  }

  async function asOperator(options: SearchFlags): Promise<Search<z.infer<typeof foundLetterSchema>>> {
    const server: ServerApi = await connectToServer(shell, options, "operator");
    const body = {
      query: queryOf(options),
      ...(options.tenant !== undefined && { tenant_id: await chooseTenant(shell, server, options.tenant) }),
      in_status_before: options.unmovedSince,
      custodian: options.custodian,
      text: options.text,
      stuck: options.stuck,
      order: options.sort,
    };
    return {
      pageSize: 500,
      ask: (page, page_size) =>
        server.call("/operator/v1/letters/search", { ...body, page, page_size }, foundLettersSchema),
      table: foundLetterTable,
      csv: foundLetterCsv,
    };
  }
}

/** Whether a search is the operator's: it filters by tenant, or uses a filter that only operators may use. */
function isForOperators(options: SearchFlags): boolean {
  const { tenant, allTenants, custodian, text, stuck, unmovedSince, sort } = options;
  return [tenant, allTenants, custodian, text, stuck, unmovedSince, sort].some((option) => option !== undefined);
}

const tenantTable: Columns<z.infer<typeof tenantLetter>> = [
  ["id", ({ id }) => id],
  ["status", ({ status }) => status],
  ["connector_id", ({ connector_id }) => connector_id],
  ["labels", ({ labels }) => pairsOf(labels)],
  ["connection_id", ({ connection_id }) => connection_id],
  ["created_at", ({ created_at }) => created_at],
  ["to_do", ({ status }) => toDoWords(letterToDo[status])],
];

const foundLetterTable: Columns<z.infer<typeof foundLetterSchema>> = [
  ["id", ({ id }) => id],
  ["tenant", ({ tenant }) => tenant],
  ["custodian", ({ custodian }) => custodian],
  ["status", ({ status }) => status],
  ["days", ({ days_in_status }) => days_in_status],
  ["labels", ({ labels }) => pairsOf(labels)],
  ["mail", ({ mails }) => mailWords(mails.at(-1))],
  ["to_do", ({ to_do }) => toDoWords(to_do)],
];

const tenantCsv: Columns<z.infer<typeof tenantLetter>> = [
  ["id", ({ id }) => id],
  ["connector_id", ({ connector_id }) => connector_id],
  ["status", ({ status }) => status],
  ["to_do_by", ({ status }) => letterToDo[status].by],
  ["to_do", ({ status }) => letterToDo[status].what],
  ["labels", ({ labels }) => pairsOf(labels)],
  ["connection_id", ({ connection_id }) => connection_id],
  ["observations", ({ observations }) => observations],
  ["created_at", ({ created_at }) => created_at],
  ["updated_at", ({ updated_at }) => updated_at],
];

const foundLetterCsv: Columns<z.infer<typeof foundLetterSchema>> = [
  ["id", ({ id }) => id],
  ["tenant_id", ({ tenant_id }) => tenant_id],
  ["tenant", ({ tenant }) => tenant],
  ["connector_id", ({ connector_id }) => connector_id],
  ["custodian", ({ custodian }) => custodian],
  ["status", ({ status }) => status],
  ["status_since", ({ status_since }) => status_since],
  ["days_in_status", ({ days_in_status }) => days_in_status],
  ["to_do_by", ({ to_do }) => to_do.by],
  ["to_do", ({ to_do }) => to_do.what],
  ["mail_kind", ({ mails }) => mails.at(-1)?.kind],
  ["mail_state", ({ mails }) => mails.at(-1)?.state],
  ["mail_at", ({ mails }) => mails.at(-1)?.settled_at ?? mails.at(-1)?.created_at],
  ["mail_recipient", ({ mails }) => mails.at(-1)?.recipient],
  ["mail_error", ({ mails }) => mails.at(-1)?.last_error],
  ["labels", ({ labels }) => pairsOf(labels)],
  ["contact_info", ({ contact_info }) => pairsOf(contact_info)],
  ["connection_id", ({ connection_id }) => connection_id],
  ["observations", ({ observations }) => observations],
  ["created_at", ({ created_at }) => created_at],
  ["updated_at", ({ updated_at }) => updated_at],
];

function toDoWords({ by, what }: { readonly by: string; readonly what: string }): string {
  return by === "nobody" ? what : `${by}: ${what}`;
}

function queryOf(options: SearchFlags): object {
  const created = periodOf(options.createdFrom, options.createdTo);
  const updated = periodOf(options.updatedFrom, options.updatedTo);
  return {
    ...(options.connector && { connector_id_in: options.connector }),
    ...(options.status && { status_in: options.status }),
    ...(options.id && { id_in: options.id }),
    ...(options.label && { labels: options.label }),
    ...(created && { creation_date: created }),
    ...(updated && { last_update: updated }),
  };
}

function periodOf(start: string | undefined, end: string | undefined): object | null {
  if (start === undefined && end === undefined) return null;
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

function pairsOf(record: Pairs): string[] {
  return Object.entries(record).map(([key, value]) => `${key}=${value}`);
}
