import type { Command } from "commander";
import { z } from "zod";
import { withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { readJsonFile } from "../input.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };

const trusted = z.looseObject({
  issuer: z.string(),
  tenant_id: z.string().nullable(),
  client_ids: z.array(z.string()),
  token_seconds: z.number(),
  rules: z.array(z.looseObject({ client_id: z.string() })),
  changed_at: z.string(),
});
const found = z.looseObject({
  jwks_uri: z.string().nullable(),
  keys: z.array(z.looseObject({ kid: z.string().nullable(), kty: z.string(), alg: z.string().nullable() })),
});
const items = z.object({ items: z.array(trusted) });
const read = z.looseObject({ trusted_issuer: trusted, found });
const kept = read.extend({ grants_ended: z.number() });
const withdrawn = z.object({ grants_ended: z.number() });

/** `trusted-issuers list|trust|test|withdraw`: identity providers whose assertions about people are accepted at /token. */
export function addTrustedIssuerCommands(program: Command, shell: Shell): void {
  const issuers = program
    .command("trusted-issuers")
    .description("identity providers through which people's assistants sign in without a page (operator)");

  withServer(issuers.command("list"))
    .description("list identity providers that are trusted, in the order of their issuers")
    .action(async (options: Flags) => {
      const answer = await call("/list", {}, items, options);
      if (options.json) return shell.print(JSON.stringify(answer, null, 2));
      const rows = answer.items.map(({ issuer, tenant_id, client_ids, rules, token_seconds, changed_at }) => [
        ...[issuer, tenant_id ?? "any", client_ids.length, rules.length, token_seconds, changed_at],
      ]);
      shell.print(table(["issuer", "tenant", "clients", "rules", "token_seconds", "changed_at"], rows));
    });

  withServer(issuers.command("trust"))
    .description(
      "trust a provider, or replace the trust in it, after its keys were read; what it vouched for before ends",
    )
    .argument("<file>", "what is trusted, as JSON (docs/how-to/company-sign-in.md); - reads standard input")
    .action(async (file: string, options: Flags) => {
      const answer = await call("/trust", (await readJsonFile(shell, file)) as object, kept, options);
      print(answer, options);
      if (!options.json && answer.grants_ended > 0) shell.note(`${answer.grants_ended} grants ended`);
    });

  withServer(issuers.command("test"))
    .description("read the keys of a trusted provider now")
    .argument("<issuer>")
    .action(async (issuer: string, options: Flags) => print(await call("/test", { issuer }, read, options), options));

  withServer(issuers.command("withdraw"))
    .description("trust a provider no more, and end what it vouched for")
    .argument("<issuer>")
    .option("--yes", "do it without asking")
    .action(async (issuer: string, options: Flags & { yes?: true }) => {
      await confirm(shell, options.yes, () => `This ends all access for which ${issuer} vouched.`);
      const answer = await call("/withdraw", { issuer }, withdrawn, options);
      shell.print(options.json ? JSON.stringify(answer, null, 2) : details(answer));
    });

  async function call<S extends z.ZodType>(path: string, body: object, schema: S, flags: Flags): Promise<z.output<S>> {
    const server = await connectToServer(shell, flags, "operator");
    return server.call(`/operator/v1/trusted-issuers${path}`, body, schema);
  }

  function print(answer: z.infer<typeof read>, options: Flags): void {
    if (options.json) {
      shell.print(JSON.stringify(answer, null, 2));
      return;
    }
    const { issuer, tenant_id, client_ids, rules, token_seconds } = answer.trusted_issuer;
    const { jwks_uri, keys } = answer.found;
    shell.print(
      details({
        issuer,
        tenant: tenant_id ?? "any",
        client_ids,
        applications: [...new Set(rules.map((rule) => rule.client_id))],
        token_seconds,
        keys_from: jwks_uri ?? "given",
        keys: keys.map(({ kid, kty, alg }) => [kid ?? "(no kid)", kty, alg].filter(Boolean).join(" ")),
      }),
    );
  }
}
