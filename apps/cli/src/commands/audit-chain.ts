import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import {
  auditLineSchema,
  type ChainFault,
  type ChainHead,
  chainHeadSchema,
  chainItemSchema,
  chainPageSchema,
  createChainCheck,
} from "@org/core";
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { failed } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { fileErrorReason } from "../input.js";
import { startProgress } from "../progress.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";

type Page = z.infer<typeof chainPageSchema>;
type Item = z.infer<typeof chainItemSchema>;
type Check = ReturnType<typeof createChainCheck>;

const PAGE_SIZE = 1_000;
const place = z.object({ sequence: z.int().min(0), hash: z.string() });

/** `audit head|verify`. */
export function addAuditChainCommands(audit: Command, shell: Shell): void {
  withServer(audit.command("head"), 60)
    .description("show where the hash chain of the audit trail ends; keep it where the database's owner cannot write")
    .action(async (options: ServerFlags & { json?: true }) => {
      const server = await connectToServer(shell, options, "operator");
      const head = await server.call("/operator/v1/audit/head", {}, chainHeadSchema);
      const { sequence, hash, sealed_at, waiting } = head;
      shell.print(
        options.json
          ? JSON.stringify(head, null, 2)
          : `${sequence}:${hash}\n${sealed_at ?? "nothing is chained yet"}${waiting > 0 ? `, ${waiting} lines wait` : ""}`,
      );
    });

  withServer(audit.command("verify"), 60)
    .description("check the hash chain of the audit trail, line by line")
    .argument("[file]", "an export (audit export) to check instead of the server's trail; needs no server")
    .option("--head <sequence:hash>", "a head that was kept (audit head, the log); may be given again", keptHeads, [])
    .addHelpText(
      "after",
      "\nExit 0: the chain is whole. Exit 1: it names the first line that was changed, added, taken away or cut off.",
    )
    .action(async (path: string | undefined, options: ServerFlags & { json?: true; head: readonly ChainHead[] }) => {
      const result =
        path === undefined
          ? await verifyServer(shell, await connectToServer(shell, options, "operator"), options.head)
          : await verifyFile(resolve(shell.cwd, path), options.head);
      if (options.json) shell.print(JSON.stringify(result, null, 2));
      if (result.fault) {
        const { sequence, audit_id, message } = result.fault;
        throw failed(
          `the audit trail is broken at sequence ${sequence}${audit_id ? ` (${audit_id})` : ""}: ${message}`,
        );
      }
      if (!options.json) shell.print(inWords(result));
    });
}

/** The chain from `since` to `until`, page by page, as exported; see docs/reference/log-and-audit-trail.md. */
export async function* chainRecords(
  server: ServerApi,
  time: { since?: string | undefined; until?: string | undefined },
): AsyncGenerator<{ records: readonly object[]; at: string | undefined }> {
  let isFirst = true;
  let head: ChainHead | undefined;
  for await (const { after, items, strangers, waiting } of pagesOf(server, time)) {
    head = items.at(-1) ?? head ?? after;
    const records = [
      ...(isFirst ? [{ chain: "begins", after }] : []),
      ...items.map(recordOf),
      ...strangers.map((line) => ({ ...line, chain: "stranger" })),
      ...waiting.map((line) => ({ ...line, sequence: null, hash: null })),
    ];
    isFirst = false;
    yield { records, at: items.at(-1)?.line?.at };
  }
  if (head) yield { records: [{ chain: "ends", head: { sequence: head.sequence, hash: head.hash } }], at: undefined };
}

async function* pagesOf(server: ServerApi, time: object): AsyncGenerator<Page> {
  let search: object = time;
  for (;;) {
    const page: Page = await server.call(
      "/operator/v1/audit/chain",
      { ...search, page_size: PAGE_SIZE },
      chainPageSchema,
    );
    yield page;
    if (page.next_after === null) return;
    search = { after: page.next_after, ...(page.through !== null && { through: page.through }) };
  }
}

function recordOf({ line, sequence, hash, ...erased }: Item): object {
  return line ? { ...line, sequence, hash } : { ...erased, sequence, hash };
}

interface Verified {
  readonly intact: boolean;
  readonly fault: ChainFault | null;
  readonly report: ReturnType<Check["report"]>;
  /** Lines at the end that are not chained yet, so that nothing is proven about them. */
  readonly waiting: number;
}

async function verifyServer(shell: Shell, server: ServerApi, known: readonly ChainHead[]): Promise<Verified> {
  const check = createChainCheck(undefined, known);
  const { sequence: last } = await server.call("/operator/v1/audit/head", {}, chainHeadSchema);
  const progress = startProgress(shell, "checking", 100, "%");
  let waiting = 0;
  try {
    for await (const page of pagesOf(server, {})) {
      const fault = firstFault(check, page);
      if (fault) return verified(check, fault, 0);
      waiting = page.waiting.length;
      const { lines } = check.report();
      progress.update(Math.min(Math.floor((lines / Math.max(last, 1)) * 100), 100), `${lines} lines`);
    }
  } finally {
    progress.stop();
  }
  return verified(check, check.end(), waiting);
}

function firstFault(check: Check, { items, strangers }: Pick<Page, "items" | "strangers">): ChainFault | null {
  for (const item of items) {
    const fault = check.add(item);
    if (fault) return fault;
  }
  return strangers[0] ? check.stranger(strangers[0]) : null;
}

function verified(check: Check, fault: ChainFault | null, waiting: number): Verified {
  return { intact: fault === null, fault, report: check.report(), waiting };
}

const begins = z.object({ chain: z.literal("begins"), after: place });
const ends = z.object({ chain: z.literal("ends"), head: place });
const stranger = auditLineSchema.extend({ chain: z.literal("stranger") });
const waits = auditLineSchema.extend({ sequence: z.null() });
const lineRecord = auditLineSchema.extend(place.shape);
const erasedRecord = chainItemSchema.omit({ line: true });
const recordSchema = z.union([begins, ends, stranger, waits, lineRecord, erasedRecord]);

async function verifyFile(path: string, known: readonly ChainHead[]): Promise<Verified> {
  let check: Check | undefined;
  let isWhole = false;
  let waiting = 0;
  let number = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      if (text === "") continue;
      const record = recordSchema.parse(JSON.parse(text));
      if ("chain" in record && record.chain === "begins") {
        check = createChainCheck(record.after, known);
        continue;
      }
      if (!check) throw new Error("an export for a tenant or with other conditions carries no hashes");
      if ("chain" in record && record.chain === "stranger") return verified(check, check.stranger(record), 0);
      if ("chain" in record) isWhole = check.report().head.hash === record.head.hash;
      else if (record.sequence === null) waiting += 1;
      else {
        const fault = check.add("content_hash" in record ? { ...record, line: null } : itemOf(record));
        if (fault) return verified(check, fault, 0);
      }
    }
  } catch (error) {
    throw failed(`cannot check ${path}${number > 0 ? `, line ${number}` : ""}: ${fileErrorReason(error)}`, error);
  }
  if (!check) throw failed(`cannot check ${path}: it is empty`);
  const { head } = check.report();
  const cut = { sequence: head.sequence, audit_id: null, message: "the file ends before the head that it names" };
  return verified(check, isWhole ? check.end() : cut, waiting);
}

function itemOf({ sequence, hash, ...line }: z.infer<typeof lineRecord>): Item {
  return { sequence, hash, audit_id: line.audit_id, refused_at: null, content_hash: null, line };
}

function inWords({ report: { first, head, lines, erased, erased_until }, waiting }: Verified): string {
  return [
    `intact: ${lines} places, ${first} to ${head.sequence}`,
    `head ${head.sequence}:${head.hash}`,
    ...(erased > 0 ? [`${erased} refusals were deleted after their time, the youngest of ${erased_until}`] : []),
    ...(waiting > 0 ? [`${waiting} lines have no place yet`] : []),
  ].join("\n");
}

function keptHeads(text: string, before: readonly ChainHead[]): readonly ChainHead[] {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim().toLowerCase()) ?? [];
  if (sequence === undefined || hash === undefined)
    throw new InvalidArgumentError("a head is a sequence and 64 hex digits, as audit head shows them.");
  return [...before, { sequence: Number(sequence), hash }];
}
