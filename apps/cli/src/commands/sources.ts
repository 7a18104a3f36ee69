import type { Command } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { readInput } from "../input.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, printable, table } from "../table.js";
import { addSourceRoutingCommands } from "./source-routing.js";

type Flags = ServerFlags & { readonly json?: true };

const source = z.looseObject({
  source: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
  failures: z.number(),
  last_error: z.string().nullable(),
  due_at: z.string().nullable(),
  succeeded_at: z.string().nullable(),
});
const shown = z.object({ source: source.extend({ settings: z.record(z.string(), z.unknown()) }) });
const tested = z.looseObject({
  ok: z.boolean(),
  message: z.string(),
  host_key: z.string().nullable(),
  files: z.number().nullable(),
});
const ran = z.object({
  found: z.number(),
  taken: z.number(),
  held: z.number(),
  duplicates: z.number(),
  waiting: z.number(),
  unfit: z.number(),
  failed: z.number(),
  reason: z.string().nullable(),
  isWhole: z.boolean(),
});
const files = z.object({
  items: z.array(
    z.looseObject({
      file_id: z.string(),
      source: z.string(),
      name: z.string(),
      size: z.number(),
      state: z.string(),
      came_at: z.string(),
    }),
  ),
  next_page_token: z.string().nullable(),
});
const sourceToken = z.looseObject({
  token_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
});
const done = z.looseObject({});

/** Rows of one request. */
const PAGE_SIZE = 500;
/** A run takes as long as its source allows, 15 minutes at most. */
const RUN_SECONDS = 960;
const TEST_SECONDS = 120;

/** `sources list|show|set|test|remove|run|files|routes|token`: where custodians' files come from. */
export function addSourceCommands(program: Command, shell: Shell): void {
  const sources = program
    .command("sources")
    .description("where custodians' files come from, and which letters they are for (operator)");

  withServer(sources.command("list"))
    .description("list sources with how their last run went, in the order of their names")
    .action(async (options: Flags) => {
      const found = await call("/list", {}, z.object({ items: z.array(source) }), options);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ source: name, kind, enabled, succeeded_at, due_at, failures, last_error }) => [
        ...[name, kind, enabled ? "on" : "off", succeeded_at, due_at, failures, last_error],
      ]);
      shell.print(table(["source", "kind", "", "last success", "due", "failures", "last error"], rows));
    });

  withServer(sources.command("show"))
    .description("show a source with its settings, secrets left out")
    .argument("<name>")
    .action(async (name: string, options: Flags) => {
      printSource(await call("/show", { source: name }, shown, options), options);
    });

  withServer(sources.command("set"))
    .description("make a source, or set its settings in place of those before")
    .argument("<name>")
    .option("--file <file>", "the settings as a JSON object; - reads them from standard input")
    .option("--host-key <fingerprint>", "pin this key of its server too (SHA256:…), leaving all else as it is")
    .option("--off", "look into it no more, and take nothing that is sent")
    .action(async (name: string, options: Flags & { file?: string; hostKey?: string; off?: true }) => {
      const settings = options.file === undefined ? await known(name, options) : await readSettings(options.file);
      const { host_keys = [] } = settings as { host_keys?: unknown[] };
      const pinned = options.hostKey === undefined ? {} : { host_keys: [...new Set([...host_keys, options.hostKey])] };
      const body = { source: name, settings: { ...settings, ...pinned }, enabled: options.off === undefined };
      printSource(await call("/set", body, shown, options), options);
    });

  withServer(sources.command("test"), TEST_SECONDS)
    .description(
      "connect, log in and list the folder, taking nothing; shows the server's key; exits with 1 when it fails",
    )
    .argument("<name>")
    .option("--file <file>", "settings that are not stored, in place of those that are; - reads standard input")
    .action(async (name: string, options: Flags & { file?: string }) => {
      const settings = options.file === undefined ? {} : { settings: await readSettings(options.file) };
      const result = await call("/test", { source: name, ...settings }, tested, options);
      if (options.json) shell.print(JSON.stringify(result, null, 2));
      else if (result.ok) shell.print(printable(`ok: ${result.message}`));
      if (result.ok) return;
      if (result.host_key !== null)
        shell.note(
          printable(`once it is the right one: wealth-connect sources set ${name} --host-key ${result.host_key}`),
        );
      throw failed(printable(`${name}: ${result.message}`));
    });

  withServer(sources.command("run"), RUN_SECONDS)
    .description("look into a source now")
    .argument("<name>")
    .action(async (name: string, options: Flags) => {
      const result = await call("/run", { source: name }, ran, options);
      const { reason, isWhole: _, ...counts } = result;
      shell.print(options.json ? JSON.stringify(result, null, 2) : details(counts));
      if (result.failed > 0) throw failed(printable(`${result.failed} files could not be taken: ${reason}`));
    });

  withServer(sources.command("files"))
    .description("list files that came from sources, newest first")
    .option("--oldest-first", "oldest first")
    .option("--source <name>", "of this source only")
    .option("--state <state>", "taken, held, dropped or expired")
    .option("--limit <number>", "files to show at most", wholeNumber(1, 100_000), 100)
    .action(async (options: Flags & { source?: string; state?: string; oldestFirst?: true; limit: number }) => {
      const { source, state, oldestFirst, limit } = options;
      const search = { source, state, order: oldestFirst ? "oldest" : "newest", page_size: Math.min(limit, PAGE_SIZE) };
      const found: z.infer<typeof files>["items"] = [];
      let page_token: string | null = null;
      do {
        const next: z.infer<typeof files> = await call("/list-files", { ...search, page_token }, files, options);
        found.push(...next.items);
        page_token = next.next_page_token;
      } while (page_token !== null && found.length < limit);
      const items = found.slice(0, limit);
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      const rows = items.map(({ came_at, source: from, name, size, state, file_id }) => [
        ...[came_at, from, name, size, state, file_id],
      ]);
      shell.print(table(["came", "source", "name", "bytes", "state", "file_id"], rows));
    });

  withServer(sources.command("remove"))
    .description("remove a source with its rules and tokens; what was taken stays")
    .argument("<name>")
    .option("--yes", "do it without asking")
    .action(async (name: string, options: Flags & { yes?: true }) => {
      await confirm(shell, options.yes, () => `This removes the source ${name} with its rules and tokens.`);
      const answer = await call("/remove", { source: name }, done, options);
      shell.print(options.json ? JSON.stringify(answer) : "removed");
    });

  addSourceRoutingCommands(sources, shell);
  addTokenCommands();

  function addTokenCommands(): void {
    const token = sources
      .command("token")
      .description("tokens with which custodians send files: PUT /feeds/v1/TOKEN/NAME");

    withServer(token.command("create"))
      .description("make a token; it is shown this once")
      .argument("<source>")
      .argument("<name>", "whose it is, in your words")
      .option("--days <days>", "after how many days it expires; never without it", wholeNumber(1, 3_650))
      .action(async (name: string, whose: string, options: Flags & { days?: number }) => {
        const body = { source: name, name: whose, days: options.days };
        const made = await call(
          "/create-token",
          body,
          z.object({ source_token: sourceToken, token: z.string() }),
          options,
        );
        shell.print(
          options.json ? JSON.stringify(made, null, 2) : details({ ...made.source_token, token: made.token }),
        );
        shell.note("The token is shown this once. Whoever has it may send files to this source.");
      });

    withServer(token.command("list"))
      .description("list the tokens of a source, oldest first")
      .argument("<source>")
      .action(async (name: string, options: Flags) => {
        const found = await call("/list-tokens", { source: name }, z.object({ items: z.array(sourceToken) }), options);
        if (options.json) return shell.print(JSON.stringify(found, null, 2));
        const rows = found.items.map((each) => [each.token_id, each.name, each.created_at, each.expires_at]);
        shell.print(table(["token_id", "name", "created_at", "expires_at"], rows));
      });

    withServer(token.command("end"))
      .description("end a token, at once")
      .argument("<token-id>")
      .action(async (token_id: string, options: Flags) => {
        const answer = await call("/end-token", { token_id }, done, options);
        shell.print(options.json ? JSON.stringify(answer) : "ended");
      });
  }

  async function call<S extends z.ZodType>(path: string, body: object, schema: S, flags: Flags): Promise<z.output<S>> {
    const server = await connectToServer(shell, flags, "operator");
    return server.call(`/operator/v1/sources${path}`, body, schema);
  }

  /** A source's current settings without the placeholders of secrets, so that the secrets stay unchanged. */
  async function known(name: string, flags: Flags & { hostKey?: string; off?: true }) {
    if (flags.hostKey === undefined && flags.off === undefined) throw wrongUsage("give --file, --host-key or --off");
    const { settings } = (await call("/show", { source: name }, shown, flags)).source;
    const { password: _, private_key: __, passphrase: ___, ...rest } = settings;
    return rest;
  }

  function printSource(found: z.infer<typeof shown>, options: Flags): void {
    if (options.json) {
      shell.print(JSON.stringify(found, null, 2));
      return;
    }
    const { settings, source: name, kind, enabled, failures, last_error, due_at, succeeded_at } = found.source;
    shell.print(details({ source: name, kind, enabled, due_at, succeeded_at, failures, last_error }));
    shell.print(`\nsettings\n${JSON.stringify(settings, null, 2).split("\n").map(printable).join("\n")}`);
  }

  /** Error messages leave out the file's text, because it contains secrets. */
  async function readSettings(path: string): Promise<Record<string, unknown>> {
    const text = (await readInput(shell, path)).toString("utf8").replace(/^\uFEFF/, "");
    const parsed = z.record(z.string(), z.unknown()).safeParse(parseOrNull(text));
    if (!parsed.success) throw failed(`${path === "-" ? "standard input" : path} is no JSON object`);
    return parsed.data;
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
