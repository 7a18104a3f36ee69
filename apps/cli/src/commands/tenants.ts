import type { Command } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { keyValue, repeated, withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { readInput } from "../input.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";
import { chooseTenant, listedTenantSchema, listTenants } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true };

type LimitFlags = Flags & {
  readonly installation?: true;
  readonly set?: Readonly<Record<string, string>>;
  readonly reset?: readonly string[];
  readonly yes?: true;
};

type ProfileFlags = Flags & {
  readonly displayName?: string;
  readonly legalName?: string;
  readonly address?: readonly string[];
  readonly privacyUrl?: string;
  readonly supportContact?: string;
  readonly logo?: string;
  readonly reset?: readonly string[];
};

const limitList = z.object({
  items: z.array(z.object({ name: z.string(), value: z.number(), source: z.string(), used: z.number().nullable() })),
});
const alone = z.object({ tenant: listedTenantSchema });
const withProfile = z.object({
  tenant: listedTenantSchema.extend({
    profile: z.looseObject({
      display_name: z.string().nullable(),
      legal_name: z.string().nullable(),
      postal_address: z.array(z.string()).nullable(),
      privacy_url: z.string().nullable(),
      support_contact: z.string().nullable(),
      logo: z.looseObject({ media_type: z.string(), width: z.number(), height: z.number() }).nullable(),
    }),
  }),
});

/** Deleting a tenant with years of data takes a while. */
const DELETION_SECONDS = 3_600;

/** `tenants list|create|show|update|disable|enable|limits|delete`. */
export function addTenantCommands(program: Command, shell: Shell): void {
  const tenants = program.command("tenants").description("who owns connections, letters and data (operator)");

  withServer(tenants.command("list"))
    .description("list tenants, oldest first")
    .action(async (options: Flags) => {
      const items = await listTenants(await connectToServer(shell, options, "operator"));
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      const rows = items.map((tenant) => Object.values(fieldsOf(tenant)));
      shell.print(table(["tenant_id", "name", "enabled", "created_at"], rows));
    });

  withServer(tenants.command("create"))
    .description("create a tenant; an application for it comes from: apps create")
    .argument("<name>", "its name, 1 to 100 characters; names are unique")
    .action(async (name: string, options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const made = await server.call("/operator/v1/tenants/create", { name }, alone);
      shell.print(options.json ? JSON.stringify(made, null, 2) : details(fieldsOf(made.tenant)));
    });

  withServer(tenants.command("show"))
    .description("show a tenant and how it shows itself to bank customers and custodians")
    .argument("[id or name]", "the demo tenant, or the only one, unless given")
    .action(async (tenant: string | undefined, options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const tenant_id = await chooseTenant(shell, server, tenant);
      const found = await server.call("/operator/v1/tenants/show", { tenant_id }, withProfile);
      shell.print(options.json ? JSON.stringify(found, null, 2) : details(profileOf(found.tenant)));
    });

  withServer(tenants.command("update"))
    .description("set how a tenant shows itself to bank customers and custodians; what is not named stays")
    .argument("<id or name>")
    .option("--display-name <text>", "what customers know it by; its name unless set")
    .option("--legal-name <text>", "its name in the register, for letters")
    .option("--address <line>", "a line of its postal address, for letters; again for each further line", repeated)
    .option("--privacy-url <url>", "https link to what it says about personal data")
    .option("--support-contact <contact>", "where customers get help: an e-mail address or an https link")
    .option(
      "--logo <file>",
      "a PNG, JPEG or WebP picture of at most 64 KiB and 1024 × 1024 pixels; - reads it from standard input",
    )
    .option("--reset <name>", "take one away again, such as logo; can be repeated", repeated)
    .action(async (tenant: string, options: ProfileFlags) => {
      const set = {
        ...(options.displayName !== undefined && { display_name: options.displayName }),
        ...(options.legalName !== undefined && { legal_name: options.legalName }),
        ...(options.address !== undefined && { postal_address: options.address }),
        ...(options.privacyUrl !== undefined && { privacy_url: options.privacyUrl }),
        ...(options.supportContact !== undefined && { support_contact: options.supportContact }),
        ...(options.logo !== undefined && { logo: (await readInput(shell, options.logo)).toString("base64") }),
      };
      const reset = (options.reset ?? []).map((name) => resetNames[name] ?? name);
      if (Object.keys(set).length + reset.length === 0)
        throw wrongUsage("nothing to change: name at least one option, see wealth-connect tenants update --help");
      const server = await connectToServer(shell, options, "operator");
      const tenant_id = await chooseTenant(shell, server, tenant);
      const changed = await server.call("/operator/v1/tenants/update", { tenant_id, set, reset }, withProfile);
      shell.print(options.json ? JSON.stringify(changed, null, 2) : details(profileOf(changed.tenant)));
    });

  for (const [verb, description] of [
    ["disable", "switch all applications of a tenant off; tokens end within seconds, for good"],
    ["enable", "let the applications of a tenant in again"],
  ] as const)
    withServer(tenants.command(verb))
      .description(description)
      .argument("<id or name>")
      .action(async (tenant: string, options: Flags) => {
        const server = await connectToServer(shell, options, "operator");
        const tenant_id = await chooseTenant(shell, server, tenant);
        const done = await server.call(`/operator/v1/tenants/${verb}`, { tenant_id }, alone);
        shell.print(options.json ? JSON.stringify(done, null, 2) : details(fieldsOf(done.tenant)));
      });

  withServer(tenants.command("limits"))
    .description("what a tenant may have at most and what it has; sets and resets it")
    .argument("[id or name]")
    .option("--installation", "of every tenant for which nothing else is set")
    .option("--set <name=value>", "a new value, 0 or more (history_days: 1 or more); can be repeated", keyValue)
    .option("--reset <name>", "back to the installation's value, or the one built in; can be repeated", repeated)
    .option("--yes", "shorten history_days without asking")
    .addHelpText(
      "after",
      "\ndocs/reference/limits.md says what each limit is. It counts within seconds; nothing is taken away, but valuations older than\nhistory_days: where that is shortened you are asked first.",
    )
    .action(async (tenant: string | undefined, options: LimitFlags) => {
      if (options.installation && tenant !== undefined)
        throw wrongUsage("--installation is for all tenants: leave the tenant out");
      const set = Object.fromEntries(
        Object.entries(options.set ?? {}).map(([name, value]) => [name, wholeNumberOf(name, value)]),
      );
      const server = await connectToServer(shell, options, "operator");
      const tenant_id = options.installation ? null : await chooseTenant(shell, server, tenant);
      const reset = options.reset ?? [];
      const days = await shortenedHistory(server, tenant_id, set, reset);
      if (days !== null)
        await confirm(
          shell,
          options.yes,
          () =>
            `This deletes for good what accounts were worth on each day before the last ${days}, of ${tenant_id === null ? "every tenant without a value of its own" : `tenant ${tenant_id}`}; the last value of an account stays.`,
        );
      const isChange = options.set !== undefined || options.reset !== undefined;
      const found = isChange
        ? await server.call("/operator/v1/tenants/change-limits", { tenant_id, set, reset }, limitList)
        : await server.call("/operator/v1/tenants/limits", { tenant_id }, limitList);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ name, value, source, used }) => [name, value, used, source]);
      shell.print(table(["limit", "value", "used", "set for"], rows));
    });

  withServer(tenants.command("delete"), DELETION_SECONDS)
    .description("delete a tenant with everything stored for it; cannot be undone, only the audit trail stays")
    .argument("<id or name>")
    .option("--yes", "do it; without this nothing is deleted")
    .addHelpText("after", "\nWhen it fails halfway the tenant is switched off: run it again.")
    .action(async (tenant: string, options: Flags & { yes?: true }) => {
      const server = await connectToServer(shell, options, "operator");
      const tenant_id = await chooseTenant(shell, server, tenant);
      if (!options.yes)
        throw wrongUsage(`this deletes tenant ${tenant_id} with all connections, letters and data: add --yes to do it`);
      const done = await server.call("/operator/v1/tenants/delete", { tenant_id, confirm: true }, z.looseObject({}));
      shell.print(options.json ? JSON.stringify(done, null, 2) : `deleted ${tenant_id}`);
    });
}

/** For how many days valuations would be kept, in words, if for fewer than now; null = for no fewer. */
async function shortenedHistory(
  server: ServerApi,
  tenant_id: string | null,
  set: Readonly<Record<string, number>>,
  reset: readonly string[],
): Promise<string | null> {
  const asked = set.history_days;
  if (asked === undefined && !reset.includes("history_days")) return null;
  const daysOf = async (of: string | null) => {
    const { items } = await server.call("/operator/v1/tenants/limits", { tenant_id: of }, limitList);
    return items.find(({ name }) => name === "history_days");
  };
  const now = await daysOf(tenant_id);
  // The installation's falls back to a setting of the server, which no answer tells while another value is set.
  if (asked === undefined && tenant_id === null) return now?.source === "installation" ? "HISTORY_DAYS days" : null;
  const next = asked ?? (await daysOf(null))?.value;
  return now && next !== undefined && next < now.value ? `${next} days` : null;
}

function wholeNumberOf(name: string, text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw wrongUsage(`--set ${name}: must be a whole number, 0 or more`);
  return value;
}

function fieldsOf({ tenant_id, name, enabled, created_at }: z.infer<typeof listedTenantSchema>) {
  return { tenant_id, name, enabled: enabled ? "yes" : "no", created_at };
}

/** The fields that `--reset` accepts, by the names of their options. */
const resetNames: Readonly<Record<string, string>> = {
  "display-name": "display_name",
  "legal-name": "legal_name",
  address: "postal_address",
  "privacy-url": "privacy_url",
  "support-contact": "support_contact",
};

function profileOf({ profile, ...tenant }: z.infer<typeof withProfile>["tenant"]) {
  const { logo } = profile;
  return {
    ...fieldsOf(tenant),
    display_name: profile.display_name,
    legal_name: profile.legal_name,
    postal_address: profile.postal_address,
    privacy_url: profile.privacy_url,
    support_contact: profile.support_contact,
    logo: logo && `${logo.media_type}, ${logo.width} × ${logo.height} pixels`,
  };
}
