import { letterSchema } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { CliError } from "../cli-error.js";
import { keyValue, withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { readInput } from "../input.js";
import { type LetterUpload, letterSending } from "../letter-upload.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { chooseTenant } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true };
type Pairs = Readonly<Record<string, string>>;

interface SubmitFlags extends Flags {
  readonly connector: string;
  readonly tenant?: string;
  readonly label?: Pairs;
  readonly clientRef?: string;
  readonly annex?: string;
  readonly bankerEmail?: string;
  readonly contact?: Pairs;
  readonly idempotencyKey?: string;
}

/** Ten megabytes over a slow line, twice. */
const UPLOAD_SECONDS = 300;

const found = z.looseObject({ items: z.array(letterSchema.loose()) });

/** A tenant's commands for letters (S2 §4). */
export function addLetterRequests(letters: Command, shell: Shell): void {
  withServer(letters.command("submit"), UPLOAD_SECONDS)
    .description("submit a signed letter; large files show how far they are on stderr")
    .argument("<file>", "the signed letter as PDF, - reads it from standard input")
    .requiredOption("--connector <id>", "the custodian, as connectors list shows it")
    .option("--tenant <id or name>", "submit as the operator, for this tenant")
    .option("--label <key=value>", "a label, several times for more", keyValue)
    .option("--client-ref <client-ref>", "whose it is, by your own reference")
    .option("--annex <file>", "a further PDF, which is kept and not sent to the custodian")
    .option("--banker-email <address>", "who to write to at the custodian")
    .option("--contact <key=value>", "further contact information, several times for more", keyValue)
    .option("--idempotency-key <key>", "makes a repeated submission answer the first one's letter, for 24 hours")
    .action(async (file: string, options: SubmitFlags) => {
      const upload = await submissionOf(file, options);
      const server = await connectToServer(shell, options, options.tenant === undefined ? "tenant" : "operator");
      const owner =
        options.tenant === undefined ? {} : { tenant_id: await chooseTenant(shell, server, options.tenant) };
      const made = await submit(server, { ...upload, fields: { ...owner, ...upload.fields } }, options.idempotencyKey);
      shell.print(options.json ? JSON.stringify(made) : made.letter_id);
    });

  withServer(letters.command("discontinue"))
    .description("cancel a letter, or discontinue it with its connection and data; this cannot be undone")
    .argument("<letter-id>")
    .option("--yes", "do it without asking")
    .action(async (letter_id: string, options: Flags & { yes?: true }) => {
      const server = await connectToServer(shell, options, "tenant");
      await confirm(shell, options.yes, () => endingOf(server, letter_id));
      const done = await server.call(
        "/letters/v1/discontinue-letter",
        { letter_id },
        z.object({ success: z.literal(true) }),
      );
      shell.print(options.json ? JSON.stringify(done) : `${letter_id} is ended`);
    });

  /** The confirmation question before ending a letter; it describes the letter if the application may read it. */
  async function endingOf(server: ServerApi, letter_id: string): Promise<string> {
    const search = { query: { id_in: [letter_id] } };
    const { items } = await server.call("/letters/v1/search-letters", search, found).catch((error: unknown) => {
      if (error instanceof CliError) return { items: [] };
      throw error;
    });
    const [letter] = items;
    const what = letter ? `${letter_id}, ${letter.status}, for ${letter.connector_id}` : letter_id;
    const gone = letter?.connection_id == null ? "its documents" : "its documents, its connection and all data of it";
    return `This ends letter ${what}, and deletes ${gone}. It cannot be undone.`;
  }

  async function submit(server: ServerApi, upload: LetterUpload, key: string | undefined) {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const { sending, stop } = letterSending(shell, upload);
    try {
      const answer = z.object({ letter_id: z.string() });
      const path = "tenant_id" in upload.fields ? "/operator/v1/letters/submit" : "/letters/v1/create-signed";
      return await server.send(path, { ...sending, headers }, answer);
    } finally {
      stop();
    }
  }

  async function submissionOf(file: string, options: SubmitFlags): Promise<LetterUpload> {
    const contact = {
      ...options.contact,
      ...(options.bankerEmail !== undefined && { banker_email: options.bankerEmail }),
    };
    const fields = {
      connector_id: options.connector,
      ...(options.label && { labels: options.label }),
      ...(options.clientRef !== undefined && { client_ref: options.clientRef }),
      ...(Object.keys(contact).length > 0 && { contact_info: contact }),
    };
    const data = await readInput(shell, file);
    const annex = options.annex === undefined ? {} : { annex: await readInput(shell, options.annex) };
    return { fields, documents: { data, ...annex } };
  }
}
