import type { Command } from "commander";
import { wrongUsage } from "../cli-error.js";
import { keyValue, repeated, withServer } from "../command-options.js";
import { readInput, readJsonFile } from "../input.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { chooseTenant } from "../tenant-choice.js";
import { letterAnswerSchema, printLetter } from "./letter-answer.js";

type Flags = ServerFlags & { readonly json?: true };
type Pairs = Readonly<Record<string, string>>;

interface DetailFlags extends Flags {
  readonly file?: string;
  readonly name?: string;
  readonly address?: readonly string[];
  readonly account?: readonly string[];
  readonly birthDate?: string;
  readonly taxId?: string;
  readonly email?: string;
  readonly language?: string;
}

interface RequestFlags extends Flags {
  readonly connector: string;
  readonly tenant?: string;
  readonly label?: Pairs;
  readonly clientRef?: string;
  readonly bankerEmail?: string;
  readonly contact?: Pairs;
}

/** Letters that the service generates (S2 §1, the other entry point), up to status Signed, by the operator. */
export function addLetterGeneration(letters: Command, shell: Shell): void {
  withServer(letters.command("request"))
    .description("begin a letter that is to be generated; then: details, advance, advance, sign (operator)")
    .requiredOption("--connector <id>", "the custodian, as connectors list shows it")
    .option("--tenant <id or name>", "whose letter it is; the demo tenant by default")
    .option("--label <key=value>", "a label, several times for more", keyValue)
    .option("--client-ref <client-ref>", "whose it is, by the tenant's reference of a client")
    .option("--banker-email <address>", "who to write to at the custodian")
    .option("--contact <key=value>", "further contact information, several times for more", keyValue)
    .action(async ({ connector, tenant, label, clientRef, bankerEmail, contact, ...options }: RequestFlags) => {
      const server = await connectToServer(shell, options, "operator");
      const body = {
        tenant_id: await chooseTenant(shell, server, tenant),
        connector_id: connector,
        ...(label && { labels: label }),
        ...(clientRef !== undefined && { client_ref: clientRef }),
        contact_info: { ...contact, ...(bankerEmail !== undefined && { banker_email: bankerEmail }) },
      };
      printLetter(shell, await server.call("/operator/v1/letters/request", body, letterAnswerSchema), options);
    });

  withServer(letters.command("details"))
    .description("say who a generated letter is for, or correct it until the letter is generated (operator)")
    .argument("<letter-id>")
    .option("--file <file>", "the details as JSON (full_name, address, accounts, …), - reads standard input")
    .option("--name <text>", "the client's name as the custodian knows it")
    .option("--address <line>", "a line of the postal address, several times for more", repeated)
    .option("--account <number>", "an account that the letter is for, several times for more; none = all", repeated)
    .option("--birth-date <date>", "YYYY-MM-DD")
    .option("--tax-id <text>", "tax or identity number")
    .option("--email <address>", "where the letter is sent to be signed")
    .option("--language <code>", "en, es, fr or de")
    .action(async (letter_id: string, options: DetailFlags) => {
      const details = await detailsOf(options);
      const server = await connectToServer(shell, options, "operator");
      printLetter(
        shell,
        await server.call("/operator/v1/letters/details", { letter_id, details }, letterAnswerSchema),
        options,
      );
    });

  withServer(letters.command("sign"))
    .description("attach the signed letter that came back: SentToUser becomes Signed (operator)")
    .argument("<letter-id>")
    .argument("<file>", "the signed letter as PDF, - reads it from standard input")
    .option("--annex <file>", "a further PDF, which is kept and not sent to the custodian")
    .action(async (letter_id: string, file: string, { annex, ...options }: Flags & { annex?: string }) => {
      const base64 = async (path: string) => (await readInput(shell, path)).toString("base64");
      const body = {
        letter_id,
        data: await base64(file),
        ...(annex !== undefined && { annex: await base64(annex) }),
      };
      const server = await connectToServer(shell, options, "operator");
      printLetter(shell, await server.call("/operator/v1/letters/sign", body, letterAnswerSchema), options);
    });

  async function detailsOf(options: DetailFlags): Promise<unknown> {
    const { file, name, address, account, birthDate, taxId, email, language } = options;
    const given = {
      ...(name !== undefined && { full_name: name }),
      ...(address && { address }),
      ...(account && { accounts: account }),
      ...(birthDate !== undefined && { birth_date: birthDate }),
      ...(taxId !== undefined && { tax_id: taxId }),
      ...(email !== undefined && { email }),
      ...(language !== undefined && { language }),
    };
    if (file === undefined) return given;
    if (Object.keys(given).length > 0) throw wrongUsage("give the details in --file or one by one, not both");
    return readJsonFile(shell, file);
  }
}
