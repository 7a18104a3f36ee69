import type { Command } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { keyValue, repeated, wholeNumber, withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, printable, table } from "../table.js";
import {
  addEndpointSwitches,
  DELIVERIES_OF_ALL,
  type EndpointFlags,
  failureText,
  lastFailure,
  listOfAll,
} from "./endpoint-commands.js";
import { addWebhookKeyCommands } from "./webhook-keys.js";

type Flags = ServerFlags & { readonly json?: true };

const endpoint = z.looseObject({
  id: z.string(),
  url: z.string(),
  types: z.array(z.string()),
  labels: z.record(z.string(), z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable(),
  failing_since: z.string().nullable(),
  delivered_at: z.string().nullable(),
  last_failure: lastFailure,
});
const delivery = z.looseObject({
  id: z.string(),
  event_id: z.string(),
  type: z.string(),
  created_at: z.string(),
  state: z.string(),
  attempt: z.number(),
  at: z.string().nullable(),
  status: z.number().nullable(),
  ms: z.number().nullable(),
  error: z.string().nullable(),
  next_at: z.string().nullable(),
});
const oneEndpoint = z.object({ endpoint });
const deliveryPage = z.object({ items: z.array(delivery), next_page_token: z.string().nullable() });
const replayed = z.object({ queued: z.number(), next_after: z.string().nullable() });

const PAGE_SIZE = 500;
/** An attempt may take 15 seconds, and starts within two. */
const TEST = { everyMs: 500, rounds: 40 };

interface SettingFlags extends Flags {
  readonly type?: readonly string[];
  readonly label?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly disable?: true;
  readonly enable?: true;
}

/**
 * `webhooks create|list|update|delete|test|rotate-secret|deliveries|replay`: one of a tenant's applications manages where its events are sent,
 * and operators inspect it.
 */
export function addWebhookCommands(program: Command, shell: Shell): void {
  const webhooks = program.command("webhooks").description("have events sent to your own endpoints, signed");
  addWebhookKeyCommands(webhooks, shell);

  withSettings(webhooks.command("create"))
    .description("have events sent to an address; shows the secret that signs them, this once")
    .argument("<url>", "https address")
    .option("--disable", "send nothing to it yet")
    .action(async (url: string, options: SettingFlags) => {
      const answer = z.object({ endpoint, secret: z.string() });
      const made = await call("create-endpoint", { url, ...settingsOf(options) }, answer, options);
      if (options.json) return shell.print(JSON.stringify(made, null, 2));
      shell.print(details({ ...shown(made.endpoint), secret: made.secret }));
      shell.note("keep the secret: it is not shown again");
    });

  withServer(webhooks.command("list"))
    .description("list endpoints, oldest first; with --tenant or --all as an operator sees them")
    .option("--tenant <id or name>", "those of this tenant (operator)")
    .option("--all", "those of all tenants (operator)")
    .option("--state <state>", "enabled, failing or disabled; several times for more (operator)", repeated)
    .action(async (options: Flags & EndpointFlags) => {
      if (options.tenant !== undefined || options.all || options.state) return listOfAll(shell, options);
      const found = await call("list-endpoints", {}, z.object({ items: z.array(endpoint) }), options);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map((item) => [
        ...[item.id, item.url, item.types, stateOf(item), item.failing_since, failureText(item.last_failure)],
        item.delivered_at,
      ]);
      shell.print(table(["id", "url", "types", "", "failing since", "last failure", "delivered"], rows));
    });

  withSettings(webhooks.command("update"))
    .description("change an endpoint, or disable or enable it; what is not named stays")
    .argument("<id>")
    .option("--to <url>", "send to another address")
    .option("--enable", "send to it again, what happens from now on")
    .option("--disable", "send nothing more to it; what waits is withdrawn")
    .action(async (id: string, { to, ...options }: SettingFlags & { to?: string }) => {
      const change = { id, ...(to !== undefined && { url: to }), ...settingsOf(options) };
      const { endpoint: changed } = await call("update-endpoint", change, oneEndpoint, options);
      shell.print(options.json ? JSON.stringify({ endpoint: changed }, null, 2) : details(shown(changed)));
    });

  withServer(webhooks.command("delete"))
    .description("delete an endpoint and the record of its deliveries")
    .argument("<id>")
    .option("--yes", "do it without asking")
    .action(async (id: string, options: Flags & { yes?: true }) => {
      await confirm(shell, options.yes, () => `Deletes the endpoint ${id}: nothing more is sent to it.`);
      const answer = await call("delete-endpoint", { id }, z.looseObject({}), options);
      shell.print(options.json ? JSON.stringify(answer) : `${id} is deleted`);
    });

  withServer(webhooks.command("test"))
    .description("send a webhook.test to an endpoint, and say what became of it; exits with 1 unless it was delivered")
    .argument("<id>")
    .action(async (id: string, options: Flags) => {
      const { event_id } = await call("test-endpoint", { id }, z.object({ event_id: z.string() }), options);
      const query = { endpoint_id: id, event_id };
      let tried: z.infer<typeof delivery> | undefined;
      for (let round = 0; round < TEST.rounds && !tried?.at; round += 1) {
        await shell.sleep(TEST.everyMs);
        [tried] = (await call("list-deliveries", { query }, deliveryPage, options)).items;
      }
      if (options.json) shell.print(JSON.stringify(tried ?? { event_id }, null, 2));
      if (!tried?.at) throw failed("it was not tried yet: see wealth-connect webhooks deliveries");
      const what = printable(`${tried.status ?? "no answer"} after ${tried.ms} ms`);
      if (tried.state !== "delivered")
        throw failed(`${what}${tried.error === null ? "" : `: ${printable(tried.error)}`}`);
      if (!options.json) shell.print(`delivered: ${what}`);
    });

  withServer(webhooks.command("rotate-secret"))
    .description("give an endpoint a new secret, shown this once; the one before signs too for 24 hours")
    .argument("<id>")
    .action(async (id: string, options: Flags) => {
      const answer = z.object({ secret: z.string(), previous_until: z.string() });
      const made = await call("rotate-secret", { id }, answer, options);
      shell.print(options.json ? JSON.stringify(made, null, 2) : details(made));
    });

  addEndpointSwitches(webhooks, shell);

  withServer(webhooks.command("deliveries"))
    .description("list what was sent to an endpoint, or is to be, newest event first")
    .argument("<id>")
    .option("--operator", "of any tenant's endpoint (operator)")
    .option("--oldest-first", "oldest event first")
    .option("--event <id>", "of this event only")
    .option("--state <state>", "pending, delivered, failed or withdrawn; several times for more", repeated)
    .option("--type <type>", "of this type, or family such as letter.*; several times for more", repeated)
    .option("--limit <number>", "how many at most", wholeNumber(1, 100_000), 100)
    .action(async (id: string, options: Flags & DeliveryFlags) => {
      const query = { endpoint_id: id, event_id: options.event, state_in: options.state, type_in: options.type };
      const items: z.infer<typeof delivery>[] = [];
      let page_token: string | null = null;
      do {
        const order = options.oldestFirst ? "oldest" : "newest";
        const search = { query, order, page_size: Math.min(options.limit, PAGE_SIZE), page_token };
        const next: z.infer<typeof deliveryPage> = options.operator
          ? await (await connectToServer(shell, options, "operator")).call(DELIVERIES_OF_ALL, search, deliveryPage)
          : await call("list-deliveries", search, deliveryPage, options);
        items.push(...next.items);
        page_token = next.next_page_token;
      } while (page_token !== null && items.length < options.limit);
      const found = items.slice(0, options.limit);
      if (options.json) return shell.print(JSON.stringify({ items: found }, null, 2));
      const rows = found.map(({ event_id, type, created_at, state, attempt, at, status, ms, error, next_at }) => [
        ...[event_id, type, created_at, state, attempt, at, status, ms, error, next_at],
      ]);
      shell.print(
        table(["event", "type", "happened", "state", "tries", "last", "status", "ms", "error", "next"], rows),
      );
    });

  withServer(webhooks.command("replay"))
    .description("send kept events to an endpoint once more, oldest first; what waits already is left alone")
    .argument("<id>")
    .option("--since <time>", "from this date or datetime on")
    .option("--until <time>", "up to this date or datetime")
    .option("--event <id>", "this event; several times for more", repeated)
    .option("--type <type>", "of this type, or family such as letter.*; several times for more", repeated)
    .action(async (id: string, { since, until, event, type, ...options }: Flags & ReplayFlags) => {
      let queued = 0;
      let after: string | null = null;
      do {
        const request = { endpoint_id: id, since, until, event_ids: event, types: type, after };
        const next: z.infer<typeof replayed> = await call("replay", request, replayed, options);
        queued += next.queued;
        after = next.next_after;
      } while (after !== null);
      shell.print(options.json ? JSON.stringify({ queued }) : `${queued} events are sent once more`);
    });

  async function call<S extends z.ZodType>(name: string, body: object, answer: S, flags: Flags): Promise<z.output<S>> {
    const server = await connectToServer(shell, flags, "tenant");
    return server.call(`/events/v1/${name}`, body, answer);
  }
}

interface DeliveryFlags {
  readonly event?: string;
  readonly state?: readonly string[];
  readonly type?: readonly string[];
  readonly limit: number;
  readonly oldestFirst?: true;
  readonly operator?: true;
}

interface ReplayFlags {
  readonly since?: string;
  readonly until?: string;
  readonly event?: readonly string[];
  readonly type?: readonly string[];
}

function withSettings(command: Command): Command {
  return withServer(command)
    .option(
      "--type <type>",
      "send this type, or family such as letter.*; several times for more; all by default",
      repeated,
    )
    .option("--label <key=value>", "only events of objects with this label; several times for more", keyValue)
    .option("--description <text>", "what it is for");
}

function settingsOf({ type, label, description, disable, enable }: SettingFlags) {
  if (enable && disable) throw wrongUsage("--enable and --disable exclude each other");
  return {
    ...(type && { types: type }),
    ...(label && { labels: label }),
    ...(description !== undefined && { description }),
    ...(disable && { enabled: false }),
    ...(enable && { enabled: true }),
  };
}

function shown({ id, url, types, labels, description, ...rest }: z.infer<typeof endpoint>) {
  const named = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const { failing_since, delivered_at } = rest;
  const last_failure = failureText(rest.last_failure);
  return {
    id,
    url,
    types,
    labels: named,
    description,
    state: stateOf(rest),
    failing_since,
    delivered_at,
    last_failure,
  };
}

function stateOf({ enabled, disabled_reason }: Pick<z.infer<typeof endpoint>, "enabled" | "disabled_reason">): string {
  return enabled ? "enabled" : `disabled (${disabled_reason})`;
}
