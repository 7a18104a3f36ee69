import { letterSchema } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { keyValue, repeated, wholeNumber, withServer } from "../command-options.js";
import { readInput } from "../input.js";
import { type LetterUpload, letterSending } from "../letter-upload.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { pageLine, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true };
type Pairs = Readonly<Record<string, string>>;

interface SearchFlags extends Flags {
  readonly tenant?: string;
  readonly connector?: string[];
  readonly status?: string[];
  readonly id?: string[];
  readonly label?: Pairs;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
  readonly unmovedSince?: string;
  readonly page: number;
  readonly pageSize: number;
}

interface SubmitFlags extends Flags {
  readonly connector: string;
  readonly label?: Pairs;
  readonly annex?: string;
  readonly bankerEmail?: string;
  readonly contact?: Pairs;
  readonly idempotencyKey?: string;
}

/** Ten megabytes over a slow line, twice. */
const UPLOAD_SECONDS = 300;

const page = z.looseObject({
  items: z.array(letterSchema.loose()),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
});

/** What a tenant does with letters (S2 §4). */
export function addLetterRequests(letters: Command, shell: Shell): void {
  withServer(letters.command("search"))
    .description("search letters, newest first; options of one kind are ORed, kinds are ANDed")
    .option("--tenant <id or name>", "search as the operator, in this tenant")
    .option("--connector <id>", "of this connector, several times for more", repeated)
    .option("--status <status>", "in this status, several times for more", repeated)
    .option("--id <id>", "with this id, several times for more", repeated)
    .option("--label <key=value>", "with this label, several times for more (all must be there)", keyValue)
    .option("--created-from <time>", "created then or later (ISO 8601 date or datetime)")
    .option("--created-to <time>", "created until then; a date counts whole")
    .option("--updated-from <time>", "last changed then or later")
    .option("--updated-to <time>", "last changed until then")
    .option("--unmoved-since <time>", "in their status since before then; with --tenant")
    .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
    .option("--page-size <number>", "rows on a page", wholeNumber(1, 100), 20)
    .action(async (options: SearchFlags) => {
      const body = { query: queryOf(options), page: options.page, page_size: options.pageSize };
      const found = await search(options, body);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map((letter) => [
        letter.id,
        letter.status,
        letter.connector_id,
        labelsOf(letter.labels),
        letter.connection_id,
        letter.created_at,
      ]);
      shell.print(table(["id", "status", "connector_id", "labels", "connection_id", "created_at"], rows));
      shell.print(pageLine(found, "letters"));
    });

  withServer(letters.command("submit"), UPLOAD_SECONDS)
    .description("submit a signed letter; large files show how far they are on stderr")
    .argument("<file>", "the signed letter as PDF, - reads it from standard input")
    .requiredOption("--connector <id>", "the custodian, as connectors list shows it")
    .option("--label <key=value>", "a label, several times for more", keyValue)
    .option("--annex <file>", "a further PDF, which is kept and not sent to the custodian")
    .option("--banker-email <address>", "who to write to at the custodian")
    .option("--contact <key=value>", "further contact information, several times for more", keyValue)
    .option("--idempotency-key <key>", "makes a repeated submission answer the first one's letter, for 24 hours")
    .action(async (file: string, options: SubmitFlags) => {
      const upload = await submissionOf(file, options);
      const server = await connectToServer(shell, options, "tenant");
      const made = await submit(server, upload, options.idempotencyKey);
      shell.print(options.json ? JSON.stringify(made) : made.letter_id);
    });

  withServer(letters.command("discontinue"))
    .description("cancel a letter, or discontinue it with its connection and data; this cannot be undone")
    .argument("<letter-id>")
    .action(async (letter_id: string, options: Flags) => {
      const server = await connectToServer(shell, options, "tenant");
      const done = await server.call(
        "/letters/v1/discontinue-letter",
        { letter_id },
        z.object({ success: z.literal(true) }),
      );
      shell.print(options.json ? JSON.stringify(done) : `${letter_id} is ended`);
    });

  async function submit(server: ServerApi, upload: LetterUpload, key: string | undefined) {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const { sending, stop } = letterSending(shell, upload);
    try {
      const answer = z.object({ letter_id: z.string() });
      return await server.send("/letters/v1/create-signed", { ...sending, headers }, answer);
    } finally {
      stop();
    }
  }

  async function search(options: SearchFlags, body: object): Promise<z.infer<typeof page>> {
    if (options.tenant === undefined) {
      if (options.unmovedSince !== undefined) throw wrongUsage("--unmoved-since is for operators: name a --tenant");
      const server = await connectToServer(shell, options, "tenant");
      return server.call("/letters/v1/search-letters", body, page);
    }
    const server = await connectToServer(shell, options, "operator");
    const tenant_id = await chooseTenant(shell, server, options.tenant);
    const in_status_before = options.unmovedSince;
    return server.call("/operator/v1/letters/search", { ...body, tenant_id, in_status_before }, page);
  }

  async function submissionOf(file: string, options: SubmitFlags): Promise<LetterUpload> {
    const contact = {
      ...options.contact,
      ...(options.bankerEmail !== undefined && { banker_email: options.bankerEmail }),
    };
    const fields = {
      connector_id: options.connector,
      ...(options.label && { labels: options.label }),
      ...(Object.keys(contact).length > 0 && { contact_info: contact }),
    };
    const data = await readInput(shell, file);
    const annex = options.annex === undefined ? {} : { annex: await readInput(shell, options.annex) };
    return { fields, documents: { data, ...annex } };
  }
}

function queryOf(options: SearchFlags): object {
  const created = periodOf(options.createdFrom, options.createdTo);
  const updated = periodOf(options.updatedFrom, options.updatedTo);
  return {
    ...(options.connector && { connector_id_in: options.connector }),
    ...(options.status && { status_in: options.status }),
    ...(options.id && { id_in: options.id }),
    ...(options.label && { labels: options.label }),
    ...(created && { creation_date: created }),
    ...(updated && { last_update: updated }),
  };
}

function periodOf(start: string | undefined, end: string | undefined): object | null {
  if (start === undefined && end === undefined) return null;
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

function labelsOf(labels: Pairs): string[] {
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}
