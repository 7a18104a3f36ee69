import type { Command } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { repeated, withServer } from "../command-options.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";
import { addRegistrationTokenCommands } from "./registration-tokens.js";

type Flags = ServerFlags & { readonly json?: true };

const application = z.looseObject({
  tenant_id: z.string().nullable(),
  client_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  enabled: z.boolean(),
  redirect_urls: z.array(z.string()),
  client_refs: z.array(z.string()).nullable(),
  dpop_bound_access_tokens: z.boolean(),
  secrets: z.array(z.looseObject({ secret_id: z.string(), created_at: z.string() })),
  created_at: z.string(),
});
/** What `apps update` changes. */
interface Changes {
  readonly redirectUrl?: string[];
  readonly redirectUrls: boolean;
  readonly clientRef?: string[];
  readonly clientLimit: boolean;
  readonly dpop?: boolean;
}
const alone = z.looseObject({ application });
const withSecret = alone.extend({ client_secret: z.string() });
const page = z.object({ items: z.array(application), next_page_token: z.string().nullable() });

/** `apps list|create|roll-secret|remove-secret|disable|enable|update|add-scope|registration-token`. */
export function addAppCommands(program: Command, shell: Shell): void {
  const apps = program.command("apps").description("applications that may ask for tokens (operator)");

  addRegistrationTokenCommands(apps, shell);
  withServer(apps.command("list"))
    .description("list applications, oldest first")
    .option("--tenant <id or name>", "only those of this tenant")
    .option("--operators", "only the operator's own")
    .action(async (options: Flags & { tenant?: string; operators?: true }) => {
      const server = await connectToServer(shell, options, "operator");
      const items = await listAll(server, await ownerOf(server, options));
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      const rows = items.map((app) => [
        app.client_id,
        app.name,
        app.tenant_id ?? "operator",
        app.enabled ? "yes" : "no",
        app.secrets.length,
        app.scopes,
      ]);
      shell.print(table(["client_id", "name", "tenant", "enabled", "secrets", "scopes"], rows));
    });

  withServer(apps.command("create"))
    .description("create an application; its secret is shown this once")
    .argument("<name>", "its name, 1 to 100 characters")
    .option("--tenant <id or name>", "the tenant that it belongs to; the demo tenant, or the only one, unless given")
    .option("--operators", "make an operator's application instead")
    .option(
      "--scope <scope>",
      "a scope it may have, several times for more; all but grants:manage unless given",
      repeated,
    )
    .option(
      "--redirect-url <url>",
      "where a Connect session may send the browser back to; several times for more",
      repeated,
    )
    .option("--client-ref <reference>", "a client that it is limited to, several times for more", repeated)
    .option("--dpop", "give it no access tokens but those that are bound to its key (DPoP)")
    .action(
      async (
        name: string,
        options: Flags & {
          tenant?: string;
          operators?: true;
          scope?: string[];
          redirectUrl?: string[];
          clientRef?: string[];
          dpop?: true;
        },
      ) => {
        const server = await connectToServer(shell, options, "operator");
        if (options.operators && options.tenant !== undefined)
          throw wrongUsage("--operators and --tenant exclude each other");
        const tenant_id = options.operators ? null : await chooseTenant(shell, server, options.tenant);
        const made = await server.call(
          "/operator/v1/applications/create",
          {
            tenant_id,
            name,
            ...(options.scope && { scopes: options.scope }),
            ...(options.redirectUrl && { redirect_urls: options.redirectUrl }),
            ...(options.clientRef && { client_refs: options.clientRef }),
            ...(options.dpop && { dpop_bound_access_tokens: true }),
          },
          withSecret,
        );
        showSecret(made, options);
      },
    );

  withServer(apps.command("roll-secret"))
    .description("add a second secret, shown this once; the first works on until it is removed")
    .argument("<client-id>")
    .action(async (client_id: string, options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      showSecret(await server.call("/operator/v1/applications/roll-secret", { client_id }, withSecret), options);
    });

  withServer(apps.command("remove-secret"))
    .description("remove a secret and end every token that was obtained with it")
    .argument("<client-id>")
    .argument("<secret-id>", "its id, as apps list --json shows it")
    .action((client_id: string, secret_id: string, options: Flags) =>
      change("remove-secret", { client_id, secret_id }, options),
    );

  withServer(apps.command("disable"))
    .description("switch an application off and end its tokens")
    .argument("<client-id>")
    .action((client_id: string, options: Flags) => change("disable", { client_id }, options));

  withServer(apps.command("enable"))
    .description("switch an application on again; tokens that were ended stay so")
    .argument("<client-id>")
    .action((client_id: string, options: Flags) => change("enable", { client_id }, options));

  withServer(apps.command("update"))
    .description(
      "replace the redirect URLs of an application, the clients that it is limited to, or whether it must use DPoP",
    )
    .argument("<client-id>")
    .option("--redirect-url <url>", "an URL to allow, several times for more", repeated)
    .option("--no-redirect-urls", "allow none")
    .option("--client-ref <reference>", "a client to limit it to, several times for more", repeated)
    .option("--no-client-limit", "limit it no more")
    .option("--dpop", "give it no access tokens but those that are bound to its key (DPoP), and end what it holds")
    .option("--no-dpop", "give it bearer tokens again where it proves no key")
    .action((client_id: string, options: Flags & Changes) => {
      const { redirectUrl, redirectUrls, clientRef, clientLimit, dpop } = options;
      if (redirectUrl && !redirectUrls) throw wrongUsage("--redirect-url and --no-redirect-urls exclude each other");
      if (clientRef && !clientLimit) throw wrongUsage("--client-ref and --no-client-limit exclude each other");
      const body = {
        client_id,
        ...((redirectUrl || !redirectUrls) && { redirect_urls: redirectUrl ?? [] }),
        ...((clientRef || !clientLimit) && { client_refs: clientRef ?? null }),
        ...(dpop !== undefined && { dpop_bound_access_tokens: dpop }),
      };
      if (Object.keys(body).length === 1)
        throw wrongUsage(
          "give --redirect-url, --no-redirect-urls, --client-ref, --no-client-limit, --dpop or --no-dpop",
        );
      return change("update", body, options);
    });

  withServer(apps.command("add-scope"))
    .description("let an application of a tenant ask for more; tokens and grants that there are stay as they are")
    .argument("<client-id>")
    .argument("<scope...>", "such as events:read, events:write")
    .action((client_id: string, scopes: readonly string[], options: Flags) =>
      change("add-scopes", { client_id, scopes }, options),
    );

  async function change(endpoint: string, body: object, options: Flags): Promise<void> {
    const server = await connectToServer(shell, options, "operator");
    const done = await server.call(`/operator/v1/applications/${endpoint}`, body, alone);
    shell.print(options.json ? JSON.stringify(done, null, 2) : details(fieldsOf(done.application)));
  }

  function showSecret(made: z.infer<typeof withSecret>, { json }: Flags): void {
    const text = details({ ...fieldsOf(made.application), client_secret: made.client_secret });
    shell.print(json ? JSON.stringify(made, null, 2) : text);
    shell.note("The secret is shown this once: keep it in a safe place.");
  }

  async function ownerOf(
    server: ServerApi,
    options: { tenant?: string; operators?: true },
  ): Promise<{ tenant_id?: string | null }> {
    if (options.operators && options.tenant !== undefined)
      throw wrongUsage("--operators and --tenant exclude each other");
    if (options.operators) return { tenant_id: null };
    return options.tenant === undefined ? {} : { tenant_id: await chooseTenant(shell, server, options.tenant) };
  }
}

async function listAll(
  server: ServerApi,
  owner: { tenant_id?: string | null },
): Promise<readonly z.infer<typeof application>[]> {
  const items: z.infer<typeof application>[] = [];
  let token: string | null = null;
  do {
    const body: object = token === null ? owner : { ...owner, page_token: token };
    const next: z.infer<typeof page> = await server.call("/operator/v1/applications/list", body, page);
    items.push(...next.items);
    token = next.next_page_token;
  } while (token !== null);
  return items;
}

function fieldsOf(app: z.infer<typeof application>) {
  return {
    client_id: app.client_id,
    name: app.name,
    tenant: app.tenant_id ?? "operator",
    enabled: app.enabled ? "yes" : "no",
    scopes: app.scopes,
    redirect_urls: app.redirect_urls,
    ...(app.client_refs && { clients: app.client_refs.length > 0 ? app.client_refs : "none: it reaches nothing" }),
    ...(app.dpop_bound_access_tokens && { dpop: "its access tokens must be bound to its key" }),
    secrets: app.secrets.map(({ secret_id, created_at }) => `${secret_id} (${created_at})`),
  };
}
