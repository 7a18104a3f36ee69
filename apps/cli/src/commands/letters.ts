import type { Command } from "commander";
import { wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { oneLetter, printLetter } from "./letter-answer.js";
import { addLetterDocuments } from "./letter-documents.js";
import { addLetterGeneration } from "./letter-generation.js";
import { addLetterRequests } from "./letter-requests.js";

type Flags = ServerFlags & { readonly json?: true };

/** `letters search|submit|discontinue` as a tenant, `show|advance|block|resolve|cancel|observe|documents|request|details|sign` as the operator. */
export function addLetterCommands(program: Command, shell: Shell): void {
  const letters = program.command("letters").description("authorization letters: submit, follow and move them along");
  addLetterRequests(letters, shell);
  addOperations(letters, shell);
  addLetterDocuments(letters, shell);
  addLetterGeneration(letters, shell);
}

/** What an operator does with letters (contract §7, §8). */
function addOperations(letters: Command, shell: Shell): void {
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

  withServer(letters.command("cancel"))
    .description("end a letter that never was Connected, with its documents; this cannot be undone (operator)")
    .argument("<letter-id>")
    .option("--note <text>", "kept in the history")
    .action((letter_id: string, { note, ...options }: Flags & { note?: string }) =>
      act("cancel", { letter_id, note }, options),
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
    const done = await server.call(`/operator/v1/letters/${operation}`, body, oneLetter);
    printLetter(shell, done, options);
  }
}
