import { letterSchema } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };

const answer = z.looseObject({
  letter: letterSchema.loose().extend({
    tenant_id: z.string(),
    contact_info: z.record(z.string(), z.string()),
    /** Only `show` answers them. */
    documents: z
      .array(z.looseObject({ kind: z.string(), size: z.number(), sha256: z.string(), signature: z.string() }))
      .optional(),
    history: z.array(
      z.looseObject({
        at: z.string(),
        actor: z.string(),
        event: z.string(),
        from: z.string().nullable(),
        to: z.string(),
        note: z.string().nullable(),
      }),
    ),
  }),
});

/** What an operator does with letters (contract §7, §8). */
export function addLetterOperations(letters: Command, shell: Shell): void {
  withServer(letters.command("show"))
    .description(
      "show a letter with its documents and its history (operator); signature is what the PDF shows: none, present, or intact (unchanged since it was signed); nobody's certificate is checked",
    )
    .argument("<letter-id>")
    .action((letter_id: string, options: Flags) => act("show", { letter_id }, options));

  withServer(letters.command("advance"))
    .description(
      "make the one next move of the main line: Signed, SentToCustodian, AcceptedByCustodian, ConnectionSetup, WaitingForData, Connected; or Discontinued, Revoked (operator)",
    )
    .argument("<letter-id>")
    .option("--to <status>", "the status that you expect; another next one is refused")
    .option("--note <text>", "kept in the history")
    .action((letter_id: string, { to, note, ...options }: Flags & { to?: string; note?: string }) =>
      act("advance", { letter_id, to, note }, options),
    );

  withServer(letters.command("block"))
    .description("mark the connection of a letter as interrupted (operator)")
    .argument("<letter-id>")
    .option("--note <text>", "kept in the history")
    .action((letter_id: string, { note, ...options }: Flags & { note?: string }) =>
      act("block", { letter_id, note }, options),
    );

  withServer(letters.command("resolve"))
    .description("resume a blocked letter where it was (operator)")
    .argument("<letter-id>")
    .option("--note <text>", "kept in the history")
    .action((letter_id: string, { note, ...options }: Flags & { note?: string }) =>
      act("resolve", { letter_id, note }, options),
    );

  withServer(letters.command("observe"))
    .description("set the observations that the tenant sees (operator)")
    .argument("<letter-id>")
    .argument("[text]", "the observations")
    .option("--clear", "remove them")
    .action((letter_id: string, text: string | undefined, { clear, ...options }: Flags & { clear?: true }) => {
      if ((text === undefined) !== (clear === true)) throw wrongUsage("give the observations, or --clear");
      return act("observe", { letter_id, observations: text ?? null }, options);
    });

  async function act(operation: string, body: object, options: Flags): Promise<void> {
    const server = await connectToServer(shell, options, "operator");
    const done = await server.call(`/operator/v1/letters/${operation}`, body, answer);
    if (options.json) return shell.print(JSON.stringify(done, null, 2));
    const { history, documents, labels, contact_info, ...letter } = done.letter;
    const pairs = (record: Readonly<Record<string, string>>) =>
      Object.entries(record).map(([key, value]) => `${key}=${value}`);
    shell.print(
      details({
        id: letter.id,
        status: letter.status,
        tenant_id: letter.tenant_id,
        connector_id: letter.connector_id,
        connection_id: letter.connection_id,
        labels: pairs(labels),
        contact_info: pairs(contact_info),
        observations: letter.observations,
        created_at: letter.created_at,
        updated_at: letter.updated_at,
      }),
    );
    if (documents) {
      const known = documents.map(({ kind, size, sha256, signature }) => [kind, size, sha256, signature]);
      shell.print(`\n${table(["document", "size", "sha256", "signature"], known)}`);
    }
    const rows = history.map(({ at, actor, event, from, to, note }) => [at, actor, event, from, to, note]);
    shell.print(`\n${table(["at", "actor", "event", "from", "to", "note"], rows)}`);
  }
}
