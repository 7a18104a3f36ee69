import { type Actor, defaulted, idField, invalid, opaqueId, parseOrRefuse, type Uuid } from "@org/core";
import { z } from "zod";
import { fileInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { excerptSchema, quarantinedFileSchema, quarantineSchema } from "../quarantine.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const target = z
  .strictObject({
    connection_id: opaqueId.optional().describe("The connection that the file is for; or letter_id."),
    letter_id: idField.optional().describe("The letter that the file is for, in WaitingForData or later."),
    name: z
      .string()
      .regex(/^[^\p{Cc}]{1,255}$/u, "must be 1 to 255 characters without control characters")
      .describe("Name of the file."),
  })
  .refine(({ connection_id, letter_id }) => (connection_id === undefined) !== (letter_id === undefined), {
    path: ["connection_id"],
    message: "exactly one of connection_id and letter_id is required",
  });

/** What became of a file that was taken. */
const ingestionSchema = z.object({
  status: z.enum(["ingested", "duplicate"]),
  connection_id: z.string(),
  format: z.string(),
  sha256: z.string(),
  portfolios: z.int().min(0),
  holdings: z.int().min(0),
  transactions: z.int().min(0),
  differences: z
    .int()
    .min(0)
    .describe("Holdings that are not what the statement before says with the movements since; reconcile lists them."),
  gap_days: z
    .int()
    .min(0)
    .describe("Business days without a statement since the one before, of the account with most."),
  warnings: z
    .array(z.object({ place: z.string(), message: z.string() }))
    .describe("What is odd about the file and left it readable, such as a wrong check digit; at most some dozen."),
  parts: z
    .array(
      z.object({
        name: z.string().describe("Its path in the container."),
        sha256: z.string(),
        status: z.enum(["ingested", "duplicate"]),
        format: z.string(),
        portfolios: z.int().min(0),
        holdings: z.int().min(0),
        transactions: z.int().min(0),
      }),
    )
    .optional()
    .describe("What became of the files in a container, in its order; the numbers beside it are their sums."),
});

const time = z.string().describe("RFC 3339.");

/** A statement of which pages are missing. */
const waitingSchema = z.object({
  tenant_id: z.string(),
  connection_id: z.string(),
  letter_id: z.string().nullable().describe("Of the connection; null where it has none."),
  statement: z.string().describe("Names the statement within its connection."),
  title: z
    .string()
    .nullable()
    .describe("What its format tells it by, such as account, day and number; null where that was not kept."),
  pages: z.array(z.int()).readonly().describe("Pages that are here."),
  missing: z
    .array(z.int())
    .readonly()
    .describe(
      "Pages that are known to be missing, at most 100. With none, and a last page, the file only has to be sent again.",
    ),
  last_page: z.int().nullable().describe("Null while the last page is missing."),
  state: z.enum(["waiting", "overdue"]).describe("overdue: for a week no page has come."),
  first_at: time,
  latest_at: time,
  until: time.describe("When it becomes overdue, and when an overdue one is deleted."),
});

const quarantined = z.string().min(1).max(1_000).describe("The file as `moved_to` of the list names it.");

/** `/operator/v1/datafeeds`: custodian files (contract §9 "Data feeds"). */
export const dataFeedEndpoints = [
  defineEndpoint({
    path: "/operator/v1/datafeeds/ingest",
    operation: "ingestDataFeed",
    summary: "Take one custodian file, whole or not at all, once",
    order: "warnings as they came up while the file was read",
    description:
      "A statement in any format of docs/data-feeds.md, or a zip or gzip of several, recognised from the file. Portfolios that are not in it stay as they are. A file already taken answers status duplicate and changes nothing.",
    scopes: ["operator"],
    input: fileInput,
    query: target,
    output: ingestionSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle({ dataFeeds }, { who, query }, bytes) {
      const { connection_id, letter_id, name } = parseOrRefuse(target, query);
      if (bytes.length === 0) throw invalid({ field: "file", error_type: "RequiredField", message: "is required" });
      const id = connection_id === undefined ? { letter_id: letter_id as Uuid } : { connection_id };
      return dataFeeds.ingest(who, id, { name, bytes });
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/list-quarantine",
    operation: "listQuarantine",
    summary: "List files of the drop folder that were refused, newest first, with their reasons",
    order: "newest first, by name",
    description: "The files are in the folder quarantine of DROP_DIR.",
    body: z.strictObject({ limit: defaulted(z.int().min(1).max(1_000), 100).describe("Files to answer at most.") }),
    output: quarantineSchema,
    handle: ({ quarantine }, _context, { limit }) => quarantine.list(limit),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/show-quarantined",
    operation: "showQuarantined",
    summary: "Show a file that was refused in the drop folder, with a piece of its text around the fault",
    order: "lines as the file has them",
    description: "It shows data of a client: who looked is in the audit trail.",
    body: z.strictObject({ file: quarantined }),
    output: z.object({ file: quarantinedFileSchema, excerpt: excerptSchema }),
    fails: ["NOT_FOUND"],
    handle: ({ quarantine }, { who }, { file }) => quarantine.show(who, file),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/retry-quarantined",
    operation: "retryQuarantined",
    summary: "Take a file that was refused in the drop folder after all",
    order: "warnings as they came up while the file was read",
    description:
      "For the connection or letter in whose folder it lay, unless another is named. One that is refused again stays, with the new reason.",
    body: z
      .strictObject({ file: quarantined, connection_id: target.shape.connection_id, letter_id: target.shape.letter_id })
      .refine(({ connection_id, letter_id }) => connection_id === undefined || letter_id === undefined, {
        path: ["connection_id"],
        message: "only one of connection_id and letter_id may be given",
      }),
    output: ingestionSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ quarantine }, { who }, { file, connection_id, letter_id }) => {
      if (connection_id !== undefined) return quarantine.retry(who, file, { connection_id });
      return quarantine.retry(who, file, letter_id === undefined ? null : { letter_id });
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/drop-quarantined",
    operation: "dropQuarantined",
    summary: "Delete a file that was refused in the drop folder",
    description: "Irreversible; who did it is in the audit trail.",
    body: z.strictObject({ file: quarantined }),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND"],
    async handle({ quarantine }, { who }, { file }) {
      await quarantine.drop(who, file);
      return { success: true };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/list-waiting",
    operation: "listWaitingStatements",
    summary: "List statements whose pages have not all come",
    order: "the longest waiting first",
    description: "Nothing that they hold is shown before the last page is here.",
    body: z.strictObject({
      limit: defaulted(z.int().min(1).max(1_000), 100).describe("Statements to answer at most."),
    }),
    output: z.object({
      items: z.array(waitingSchema).readonly(),
      waiting: z.int().min(0).describe("How many wait, in all."),
      overdue: z.int().min(0),
    }),
    handle: ({ feedWaiting }, _context, { limit }) => feedWaiting.list(limit),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/drop-waiting",
    operation: "dropWaitingStatement",
    summary: "Delete the pages of a statement that nobody waits for any more",
    description: "Irreversible; who did it is in the audit trail. Pages that are sent again wait again.",
    body: z.strictObject({ connection_id: idField, statement: z.string().min(1).max(100) }),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND"],
    async handle({ feedWaiting }, { who }, body) {
      await feedWaiting.drop(who, body);
      return { success: true };
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];
