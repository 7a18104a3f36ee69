import type { Command } from "commander";
import { z } from "zod";
import { failed } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { readInput } from "../input.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, printable, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";
import { addLiveCheckCommand } from "./live-check.js";

type Flags = ServerFlags & { readonly json?: true; readonly tenant?: string };
type FileFlags = Flags & { readonly file?: string };

const providerSchema = z.looseObject({
  name: z.string(),
  title: z.string().nullable(),
  tenant_id: z.string().nullable(),
  state: z.string(),
  reason: z.string().nullable(),
  changed_at: z.string().nullable(),
  connectors: z.number(),
});
const list = z.object({ items: z.array(providerSchema) });
const alone = z.object({
  provider: providerSchema.extend({
    settings: z.unknown(),
    settings_schema: z.record(z.string(), z.unknown()).nullable(),
  }),
});
const tested = z.object({ ok: z.boolean(), message: z.string() });
const removed = z.object({ success: z.literal(true) });
const synced = z.object({
  inserted: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  taken_total: z.number(),
  taken: z.array(z.object({ id: z.string(), provider: z.string() })),
  unproposed_total: z.number(),
  unproposed: z.array(z.string()),
  left_out_total: z.number(),
  left_out: z.array(z.object({ id: z.string().nullable(), field: z.string().nullable(), reason: z.string() })),
});

/** An institution may answer slowly. */
const INSTITUTION_SECONDS = 120;

/** `providers list|show|set|test|remove|sync|live-check`. */
export function addProviderCommands(program: Command, shell: Shell): void {
  const providers = program
    .command("providers")
    .description("institution integrations and their settings (operator); the server's PROVIDERS loads them");
  const withTenant = (command: Command, seconds?: number) =>
    withServer(command, seconds).option("--tenant <id or name>", "its own settings, not the installation's");

  withTenant(providers.command("list"))
    .description("list providers with whether they are available, and why not; loaded ones first, by name")
    .action(async (options: Flags) => {
      const { server, owner } = await open(options);
      const found = await server.call("/operator/v1/providers/list", owner, list);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ name, tenant_id, state, connectors, title, reason }) => [
        ...[name, tenant_id, state, connectors, title, reason],
      ]);
      shell.print(table(["name", "tenant", "state", "connectors", "title", "reason"], rows));
    });

  withTenant(providers.command("show"))
    .description("show a provider with its settings, secrets left out, and what settings it takes")
    .argument("<name>")
    .action(async (name: string, options: Flags) => {
      const { server, owner } = await open(options);
      const found = await server.call("/operator/v1/providers/show", { name, ...owner }, alone);
      printProvider(found, options);
    });

  withTenant(providers.command("set"), INSTITUTION_SECONDS)
    .description("set the settings of a provider, in place of those before; in force on every server within 5 seconds")
    .argument("<name>")
    .requiredOption("--file <file>", "the settings as a JSON object; - reads them from standard input")
    .action(async (name: string, options: FileFlags) => {
      const settings = await readSettings(options.file);
      const { server, owner } = await open(options);
      const found = await server.call("/operator/v1/providers/set", { name, ...owner, settings }, alone);
      printProvider(found, options);
      if (found.provider.state !== "available")
        shell.note(printable(`${name} is ${found.provider.state}${because(found.provider.reason)}`));
    });

  withTenant(providers.command("test"), INSTITUTION_SECONDS)
    .description("ask the institution whether the settings are good; exits with 1 when they are not")
    .argument("<name>")
    .option("--file <file>", "settings that are not stored, in place of those that are; - reads standard input")
    .action(async (name: string, options: FileFlags) => {
      const settings = options.file === undefined ? undefined : await readSettings(options.file);
      const { server, owner } = await open(options);
      const result = await server.call("/operator/v1/providers/test", { name, ...owner, settings }, tested);
      if (options.json) shell.print(JSON.stringify(result, null, 2));
      else if (result.ok) shell.print(printable(`ok: ${result.message}`));
      if (!result.ok) throw failed(printable(`${name}: ${result.message}`));
    });

  withTenant(providers.command("remove"))
    .description(
      "remove the settings of a provider; its connections stay, and are not refreshed until it has some again",
    )
    .argument("<name>")
    .action(async (name: string, options: Flags) => {
      const { server, owner } = await open(options);
      const done = await server.call("/operator/v1/providers/remove", { name, ...owner }, removed);
      shell.print(options.json ? JSON.stringify(done) : "removed");
    });

  withTenant(providers.command("sync"), INSTITUTION_SECONDS)
    .description("import the catalogue rows that a provider proposes")
    .argument("<name>")
    .option("--withdraw", "make its rows that it does not propose unavailable, until it proposes them again")
    .action(async (name: string, options: Flags & { readonly withdraw?: true }) => {
      const { server, owner } = await open(options);
      const { withdraw } = options;
      const done = await server.call(
        "/operator/v1/providers/sync",
        { name, ...owner, ...(withdraw && { withdraw }) },
        synced,
      );
      shell.print(
        options.json
          ? JSON.stringify(done)
          : `${done.inserted} inserted, ${done.updated} updated, ${done.unchanged} unchanged`,
      );
      if (done.taken_total > 0)
        shell.note(`warning: ${done.taken_total} were left out, since another provider has their id:`);
      for (const { id, provider } of done.taken) shell.note(`  ${printable(id)}: ${printable(provider)}`);
      if (done.left_out_total > 0)
        shell.note(`warning: ${done.left_out_total} were left out, since they have a fault:`);
      for (const { id, field, reason } of done.left_out)
        shell.note(
          `  ${[printable(id ?? "a row without id"), field, reason].filter((part) => part !== null).join(": ")}`,
        );
      if (done.unproposed_total > 0)
        shell.note(
          withdraw
            ? `${done.unproposed_total} that it does not propose are no longer available:`
            : `warning: ${done.unproposed_total} are available though it does not propose them (--withdraw ends that):`,
        );
      for (const id of done.unproposed) shell.note(`  ${printable(id)}`);
    });

  addLiveCheckCommand(providers, shell);

  async function open(options: Flags): Promise<{ server: ServerApi; owner: { tenant_id?: string } }> {
    const server = await connectToServer(shell, options, "operator");
    const owner = options.tenant === undefined ? {} : { tenant_id: await chooseTenant(shell, server, options.tenant) };
    return { server, owner };
  }

  function printProvider(found: z.infer<typeof alone>, options: Flags): void {
    if (options.json) {
      shell.print(JSON.stringify(found, null, 2));
      return;
    }
    const { settings, settings_schema, name, title, tenant_id, state, reason, changed_at, connectors } = found.provider;
    shell.print(details({ name, title, tenant_id, state, reason, changed_at, connectors }));
    shell.print(`\nsettings\n${printedJson(settings)}`);
    if (settings === null && settings_schema !== null) shell.print(`\nit takes\n${printedJson(settings_schema)}`);
  }

  /** Error messages leave out the file's text, because it contains secrets. */
  async function readSettings(path = "-"): Promise<unknown> {
    const text = (await readInput(shell, path)).toString("utf8").replace(/^\uFEFF/, "");
    try {
      return JSON.parse(text);
    } catch (error) {
      const [place = ""] = /\b(?:at )?position \d+(?: \(line \d+ column \d+\))?/.exec(String(error)) ?? [];
      throw failed(`${path === "-" ? "standard input" : path} is not JSON${place === "" ? "" : `: ${place}`}`);
    }
  }
}

function because(reason: string | null): string {
  return reason === null ? "" : `: ${reason}`;
}

function printedJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split("\n").map(printable).join("\n");
}
