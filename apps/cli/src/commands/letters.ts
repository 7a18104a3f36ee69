import type { Command } from "commander";
import { wrongUsage } from "../cli-error.js";
import { keyValue, repeated, withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { letterAnswerSchema, printLetter } from "./letter-answer.js";
import { addLetterDocuments } from "./letter-documents.js";
import { addLetterGeneration } from "./letter-generation.js";
import { addLetterMoves } from "./letter-moves.js";
import { addLetterRequests } from "./letter-requests.js";
import { addLetterSearch } from "./letter-search.js";

type Flags = ServerFlags & { readonly json?: true };
type ContactFlags = Flags & {
  readonly bankerEmail?: string;
  readonly contact?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly mail?: true;
};

/** `letters search|submit` as a tenant or the operator, `discontinue` as a tenant, all others as the operator. */
export function addLetterCommands(program: Command, shell: Shell): void {
  const letters = program.command("letters").description("authorization letters: submit, follow and move them along");
  addLetterSearch(letters, shell);
  addLetterRequests(letters, shell);
  addOperations(letters, shell);
  addLetterMoves(letters, shell);
  addLetterDocuments(letters, shell);
  addLetterGeneration(letters, shell);
}

/** An operator's commands for letters (contract §7, §8). */
function addOperations(letters: Command, shell: Shell): void {
  withServer(letters.command("show"))
    .description(
      "show a letter with its documents and its history (operator); signature is what the PDF shows: none, present, or intact (unchanged since it was signed); nobody's certificate is checked",
    )
    .argument("<letter-id>")
    .action((letter_id: string, options: Flags) => act("show", { letter_id }, options));

  withServer(letters.command("contacts"))
    .description("correct whom a letter is mailed to at the custodian; what waits to be mailed follows (operator)")
    .argument("<letter-id>")
    .option("--banker-email <address>", "who to write to at the custodian")
    .option("--contact <key=value>", "further contact information, several times for more", keyValue)
    .option("--remove <key>", "an entry to take away, several times for more", repeated)
    .option("--mail", "mail the custodian once more what the letter's status calls for")
    .action(async (letter_id: string, { bankerEmail, contact, remove, mail, ...options }: ContactFlags) => {
      const contact_info = {
        ...contact,
        ...(bankerEmail !== undefined && { banker_email: bankerEmail }),
        ...Object.fromEntries((remove ?? []).map((key) => [key, null])),
      };
      if (Object.keys(contact_info).length === 0 && !mail)
        throw wrongUsage("give --banker-email, --contact, --remove or --mail");
      await act("contacts", { letter_id, contact_info, mail: mail === true }, options);
    });

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
    const done = await server.call(`/operator/v1/letters/${operation}`, body, letterAnswerSchema);
    printLetter(shell, done, options);
  }
}
