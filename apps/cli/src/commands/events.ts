import { parseUuid } from "@org/core";
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { CliError, wrongUsage } from "../cli-error.js";
import { repeated, wholeNumber, withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

interface Flags extends ServerFlags {
  readonly json?: true;
  readonly tenant?: string;
  readonly installation?: true;
  readonly type?: readonly string[];
  readonly object?: string;
  readonly after?: string;
}

const event = z.looseObject({
  id: z.string(),
  type: z.string(),
  created_at: z.string(),
  tenant_id: z.string(),
  sequence: z.number(),
  data: z.record(z.string(), z.unknown()),
});
const page = z.object({ items: z.array(event), next_page_token: z.string().nullable() });
type Event = z.infer<typeof event>;

const PAGE_SIZE = 500;
const WAIT_SECONDS = 25;
/** The first and the longest pause before an unavailable server is tried again. */
const RECONNECT_MS = { first: 500, longest: 15_000 };

/** `events list|follow`: the events of a tenant; with an operator's application, of any tenant or of the installation. */
export function addEventCommands(program: Command, shell: Shell): void {
  const events = program
    .command("events")
    .description("what has happened: sessions, connections, data, letters, files");

  withConditions(events.command("list"))
    .description("list events, newest first")
    .option("--oldest-first", "oldest first")
    .option("--limit <number>", "how many at most", wholeNumber(1, 100_000), 100)
    .action(async (options: Flags & { limit: number; oldestFirst?: true }) => {
      const log = await openLog(shell, options);
      const search = { order: options.oldestFirst ? "asc" : "desc", page_size: Math.min(options.limit, PAGE_SIZE) };
      const query = conditionsOf(options);
      const found: Event[] = [];
      let page_token: string | null = null;
      do {
        const next: z.infer<typeof page> = await log(query, { ...search, page_token });
        found.push(...next.items);
        page_token = next.next_page_token;
      } while (page_token !== null && found.length < options.limit);
      const items = found.slice(0, options.limit);
      if (options.json) for (const item of items) shell.print(JSON.stringify(item));
      else shell.print(table(head, items.map(rowOf)));
    });

  withConditions(events.command("follow"))
    .description("print events as they happen, until it is interrupted")
    .addHelpText(
      "after",
      "\nIt waits for news, and goes on where it was when the server was away. Without --after it begins now. Keep the id of the last\nevent: --after goes on behind it, for as long as events are kept (30 days).",
    )
    .action(async (options: Flags) => {
      await follow(shell, options);
    });
}

function withConditions(command: Command): Command {
  return withServer(command, 60)
    .option("--tenant <id or name>", "of this tenant (operator)")
    .option("--installation", "the installation's own: mail, providers (operator)")
    .option("--type <type>", "only of this type, or family such as letter.*; several times for more", repeated)
    .option("--object <id>", "only what happened to this session, connection, letter, grant …")
    .option("--after <event-id>", "only what came after this event", eventId);
}

const head = ["sequence", "at", "type", "id", "data"];

function rowOf({ sequence, created_at, type, id, data }: Event) {
  return [sequence, created_at, type, id, JSON.stringify(data)];
}

interface Query {
  readonly after?: string;
  readonly type_in?: readonly string[];
  readonly object_id?: string;
}
type Log = (query: Query, search: Readonly<Record<string, unknown>>) => Promise<z.infer<typeof page>>;

/**
 * Returns a function that reads pages of the log that the flags name: an operator names a tenant or the installation, all others read their own.
 */
async function openLog(shell: Shell, options: Flags, interrupted?: AbortSignal): Promise<Log> {
  const { tenant, installation } = options;
  if (tenant !== undefined && installation) throw wrongUsage("--tenant and --installation exclude each other");
  const isOperator = tenant !== undefined || installation === true;
  const server = await connectToServer(shell, options, isOperator ? "operator" : "tenant", interrupted);
  const whose = tenant === undefined ? {} : { tenant_id: await chooseTenant(shell, server, tenant) };
  const path = isOperator ? "/operator/v1/list-events" : "/events/v1/list-events";
  return (query, search) => server.call(path, { query: { ...whose, ...query }, ...search }, page);
}

function conditionsOf({ type, object, after }: Flags): Query {
  return {
    ...(type && { type_in: type }),
    ...(object !== undefined && { object_id: object }),
    ...(after !== undefined && { after }),
  };
}

/** Prints events until the shell is interrupted, and continues after the last event if the server was unavailable meanwhile. */
async function follow(shell: Shell, options: Flags): Promise<void> {
  const interrupted = shell.interrupted();
  const over = new Promise<void>((resolve) => interrupted.addEventListener("abort", () => resolve()));
  const log = await openLog(shell, options, interrupted);
  let query = conditionsOf(options);
  let failures = 0;
  try {
    // Existing events were not requested: starts after the last event, or at the beginning if there is none.
    const last = query.after === undefined ? (await log({}, { order: "desc", page_size: 1 })).items[0] : undefined;
    if (last) query = { ...query, after: last.id };
    while (!interrupted.aborted) {
      try {
        const { items } = await log(query, { order: "asc", page_size: PAGE_SIZE, wait_seconds: WAIT_SECONDS });
        if (failures > 0) shell.note("the server is back");
        failures = 0;
        for (const item of items) {
          shell.print(options.json ? JSON.stringify(item) : rowOf(item).join("  "));
          query = { ...query, after: item.id };
        }
      } catch (error) {
        if (!(error instanceof CliError) || !error.isTemporary) throw error;
        if (failures === 0) shell.note(`${error.message}; will be retried`);
        await Promise.race([shell.sleep(Math.min(RECONNECT_MS.first * 2 ** failures, RECONNECT_MS.longest)), over]);
        failures += 1;
      }
    }
  } catch (error) {
    // A request in progress was aborted.
    if (!interrupted.aborted) throw error;
  }
}

function eventId(text: string): string {
  if (parseUuid(text.toLowerCase()) === null) throw new InvalidArgumentError("It must be the id of an event.");
  return text;
}
