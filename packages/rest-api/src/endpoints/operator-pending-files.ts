import { type Actor, defaulted, idField, opaqueId, type Uuid } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { excerptSchema } from "../excerpt.js";
import { heldFileSchema, heldTextSchema, sourceArrivalSchema, sourceRetrySchema } from "../feed-sources.js";
import { operatorEndpoint } from "./operator-endpoint.js";
import { sourceField } from "./operator-sources.js";

const id = z.string().min(1).max(200).pipe(idField);
const time = z.string().describe("RFC 3339.");

const oneTarget = {
  letter_id: idField.optional().describe("The letter that it is for; or connection_id."),
  connection_id: opaqueId.optional().describe("The connection that it is for; or letter_id."),
};

/** A statement with missing pages. */
const incompleteSchema = z.object({
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
  state: z.enum(["incomplete", "overdue"]).describe("overdue: for a week no page has come."),
  first_at: time,
  latest_at: time,
  until: time.describe("When it becomes overdue, and when an overdue one is deleted."),
});

/** A held file, or a statement with missing pages. */
const pendingSchema = z.discriminatedUnion("state", [
  heldFileSchema.extend({ state: z.literal("held") }),
  incompleteSchema,
]);

/** `/operator/v1/datafeeds/*-pending`: custodians' unfinished files, in one list. */
export const pendingFileEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/datafeeds/list-pending",
    reads: true,
    operation: "listPendingFiles",
    summary: "List custodians' files that are not done: those that are held, and statements of which pages are missing",
    order: "held files, oldest first, then statements, the longest waiting first",
    description:
      "Held: of a source or of the drop folder, with what is open about it and with proposals. Of a statement nothing is shown before the last page is here.",
    body: z.strictObject({
      source: sourceField.nullish().describe("Held files of this source only."),
      limit: defaulted(z.int().min(1).max(1_000), 100).describe("Files and statements to answer at most, of each."),
    }),
    output: z.object({
      items: z.array(pendingSchema),
      held: z.int().min(0).describe("How many there are in all, of all sources."),
      incomplete: z.int().min(0),
      overdue: z.int().min(0),
    }),
    async handle({ feedSources, feedWaiting }, _call, { source = null, limit }) {
      const held = await feedSources.held({ source, limit });
      const statements = await feedWaiting.list(limit);
      return {
        items: [
          ...held.items.map((file) => ({ ...file, state: "held" as const })),
          ...(source === null ? statements.items : []),
        ],
        held: held.total,
        incomplete: statements.waiting,
        overdue: statements.overdue,
      };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/show-pending",
    reads: true,
    operation: "showPendingFile",
    summary: "Show a held file, with a piece of its text around what is open about it",
    order: "findings in the order of the file",
    description: "It shows data of a client: who looked is in the audit trail.",
    body: z.strictObject({ file_id: id }),
    output: z.object({ file: heldFileSchema, excerpt: excerptSchema }),
    fails: ["NOT_FOUND"],
    handle: ({ feedSources }, { who }, { file_id }) => feedSources.showHeld(who, file_id),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/show-pending-text",
    reads: true,
    operation: "showPendingFileText",
    summary: "Show the beginning of a held file whole, to make a mapping from it",
    order: "connectors in the order of the source's rules",
    description: "It shows data of a client: who looked is in the audit trail.",
    body: z.strictObject({ file_id: id }),
    output: heldTextSchema,
    fails: ["NOT_FOUND"],
    handle: ({ feedSources }, { who }, { file_id }) => feedSources.readHeld(who, file_id),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/retry-pending",
    operation: "retryPendingFile",
    summary: "Try a held file again, once its cause is gone",
    order: "findings in the order of the file",
    description:
      "A file of the drop folder is for the connection or letter in whose folder it lay, unless another is named. One that cannot be taken stays held, with what is open about it now.",
    body: z
      .strictObject({
        file_id: id,
        letter_id: idField.optional().describe("The letter that a file of the drop folder is for instead."),
        connection_id: opaqueId.optional().describe("The connection that a file of the drop folder is for instead."),
      })
      .refine(({ connection_id, letter_id }) => connection_id === undefined || letter_id === undefined, {
        path: ["connection_id"],
        message: "only one of connection_id and letter_id may be given",
      }),
    output: sourceArrivalSchema,
    fails: ["NOT_FOUND"],
    handle: ({ feedSources }, { who }, { file_id, letter_id, connection_id }) => {
      const target = connection_id !== undefined ? { connection_id } : letter_id !== undefined ? { letter_id } : null;
      return feedSources.retryHeld(who, file_id, target);
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/route-pending",
    operation: "routePendingFile",
    summary: "Make rules for the open accounts of a held file, and try everything that is held of its source again",
    body: z
      .strictObject({
        file_id: id,
        account: z.string().trim().min(1).max(60).optional().describe("This account only."),
        ...oneTarget,
      })
      .refine(({ letter_id, connection_id }) => (letter_id === undefined) !== (connection_id === undefined), {
        path: ["letter_id"],
        message: "exactly one of letter_id and connection_id is required",
      }),
    output: z.object({ rules: z.int().min(1), ...sourceRetrySchema.shape }),
    fails: ["NOT_FOUND"],
    handle: ({ feedSources }, { who }, { file_id, account, letter_id, connection_id }) => {
      const target = connection_id === undefined ? { letter_id: letter_id as Uuid } : { connection_id };
      return feedSources.routeHeld(who, file_id, target, account ?? null);
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeeds/drop-pending",
    operation: "dropPendingFile",
    summary: "Delete what is held of a file, or the pages of a statement that is not whole",
    description:
      "Irreversible; who did it is in the audit trail. What of a file was taken stays; pages that are sent again wait again.",
    body: z
      .strictObject({
        file_id: id.optional().describe("A held file."),
        connection_id: idField.optional().describe("Of a statement."),
        statement: z.string().min(1).max(100).optional(),
      })
      .refine(
        ({ file_id, connection_id, statement }) =>
          (file_id === undefined) === (connection_id !== undefined && statement !== undefined) &&
          (connection_id === undefined) === (statement === undefined),
        { path: ["file_id"], message: "is needed, or connection_id and statement" },
      ),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND"],
    async handle({ feedSources, feedWaiting }, { who }, { file_id, connection_id, statement }) {
      if (file_id !== undefined) await feedSources.dropHeld(who, file_id);
      else await feedWaiting.drop(who, { connection_id: connection_id as Uuid, statement: statement as string });
      return { success: true };
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];
