import { type Actor, defaulted, idField } from "@org/core";
import type { FeedMappingView } from "@org/data-feeds";
import { z } from "zod";
import { type Endpoint, untypedAnswer } from "../endpoint.js";
import { triedAgainSchema } from "../feed-keys.js";
import { expectedVersion, versionField } from "../versions.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const mappingSchema = z.object({
  name: z.string(),
  title: z.string(),
  connector_id: z.string().nullable().describe("Whose files it is for, in any tenant."),
  connection_id: z
    .string()
    .nullable()
    .describe("Whose files alone it is for. Null with connector_id null: it comes with the server."),
  changed_at: z.string().nullable(),
  version: versionField,
});
const owner = {
  connector_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("For the files of this connector in any tenant; or connection_id."),
  connection_id: idField
    .optional()
    .describe("For the files of this connection; its mappings go before its connector's."),
};
const name = z.string().min(1).max(60);
const lineOfFile = z.object({ line: z.int(), cells: z.array(z.string()) });
/** What a row of a file is read as. */
const rowKind = z.enum(["holding", "transaction", "cash", "ignored"]);
const mapping = z.record(z.string(), z.unknown()).describe("As docs/reference/feed-mappings.md says.");
const file = {
  file: z
    .base64()
    .min(1)
    .max(900_000)
    .describe("The file, or its beginning, as Base64: what a page of a bank's table needs is a few kilobytes."),
  file_name: defaulted(z.string().max(255), "").describe("For mappings that take something from it."),
};

/** `/operator/v1/datafeed-mappings`: how CSV and fixed-width files are read. */
export const feedMappingEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/datafeed-mappings/list",
    reads: true,
    operation: "listFeedMappings",
    summary: "List mappings of CSV and fixed columns",
    order:
      "connectors' by connector_id and name, connections' by connection and name, then those that come with the server",
    description: "At most 1,000 stored ones.",
    body: z.strictObject({}),
    output: z.object({ items: z.array(mappingSchema) }),
    handle: async ({ feedMappings }) => ({ items: (await feedMappings.list()).map(viewOf) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeed-mappings/show",
    reads: true,
    operation: "showFeedMapping",
    summary: "Show a mapping",
    description: "Of a connector or a connection; with neither, one that comes with the server.",
    body: z.strictObject({ ...owner, name }),
    output: z.object({ mapping: mappingSchema.extend({ mapping }) }),
    fails: ["NOT_FOUND"],
    handle: ({ feedMappings }, _call, { name: wanted, ...target }) =>
      untypedAnswer(feedMappings.show(target, wanted).then((found) => ({ mapping: viewOf(found) }))),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeed-mappings/set",
    operation: "setFeedMapping",
    summary: "Keep a mapping for a connector or a connection, in place of the one of its name",
    description:
      "Faults of it are refused with their paths, the first hundred. It counts for the next file; files that are held for want of one are tried again.",
    body: z.strictObject({ ...owner, mapping, version: expectedVersion }),
    order: "connections as they got something",
    output: z.object({
      mapping: mappingSchema,
      ...triedAgainSchema.shape,
      connections: z
        .array(z.string())
        .readonly()
        .optional()
        .describe("Those that got something of the files that were tried again; left out: none did."),
    }),
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle({ feedMappings }, { who }, { mapping: stated, version, ...target }) {
      const { mapping: kept, ...tried } = await feedMappings.set(who, target, stated, version);
      return { mapping: viewOf(kept), ...tried };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeed-mappings/remove",
    operation: "removeFeedMapping",
    summary: "Remove a mapping; what was read by it stays",
    body: z.strictObject({ ...owner, name }),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND"],
    async handle({ feedMappings }, { who }, { name: wanted, ...target }) {
      await feedMappings.remove(who, target, wanted);
      return { success: true };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeed-mappings/test",
    reads: true,
    operation: "testFeedMapping",
    summary: "Show what a file would be read as by a mapping; nothing is kept",
    order: "rows and faults as in the file",
    description:
      "Refused, on `file`, where it takes longer than 20 seconds, more than 256 MB of memory, or says too much to be shown.",
    body: z.strictObject({
      mapping,
      ...file,
      limit: defaulted(z.int().min(1).max(500), 50).describe("Rows to show at most."),
    }),
    output: z.object({
      rows: z.array(z.object({ line: z.int(), is: rowKind, values: z.record(z.string(), z.unknown()) })),
      counts: z.record(rowKind, z.int().min(0)).describe("How many rows of the file are of each kind."),
      faults: z
        .array(
          z.object({
            place: z.string(),
            reason: z.string(),
            line: z.int().nullable(),
            column: z.string().nullable().describe("Its name, or its position from 1."),
          }),
        )
        .describe("The first 50. What does not only leave out its row refuses an account, or the file."),
      faults_total: z.int(),
      left_out: z.int().describe("How many of all faults only leave out their row."),
      warnings: z.array(z.object({ place: z.string(), message: z.string() })),
      portfolios: z.array(
        z.object({
          number: z.string().nullable(),
          name: z.string(),
          currency: z.string(),
          balance: z.string().nullable(),
        }),
      ),
    }),
    handle: async ({ feedMappings }, _call, { mapping: stated, file: content, file_name, limit }) =>
      untypedAnswer(feedMappings.test({ name: file_name, bytes: Buffer.from(content, "base64") }, stated, limit)),
  }),
  operatorEndpoint({
    path: "/operator/v1/datafeed-mappings/draft",
    reads: true,
    operation: "draftFeedMapping",
    summary: "Propose a mapping for a file, with how sure each part is and what is left to decide",
    order: "guesses and questions as they came up; tables and rows as in the file",
    body: z.strictObject({
      ...file,
      header_line: z.int().min(1).max(1_000_000).optional().describe("The line with the names of the columns."),
      roles: z
        .record(z.string().regex(/^[1-9]\d{0,3}$/), z.string().min(1).max(40).nullable())
        .optional()
        .describe("Roles of columns by position, from 1; null: it has none. Others are guessed."),
    }),
    output: z.object({
      mapping: z.record(z.string(), z.unknown()),
      guesses: z.array(
        z.object({
          path: z.string(),
          value: z.unknown(),
          sure: z.enum(["certain", "likely", "guess"]),
          why: z.string(),
        }),
      ),
      to_decide: z.array(
        z.object({
          path: z.string(),
          question: z.string(),
          options: z.array(z.unknown()).optional(),
          code: z.string().describe("What kind of question it is."),
          about: z.array(z.string()).describe("Names of columns, words and examples that it is about."),
          answers: z
            .array(
              z.object({
                says: z.enum(["column", "value", "thousands", "fraction", "day", "kind", "yes", "no", "by_money"]),
                value: z.string(),
                edits: z.array(z.record(z.string(), z.unknown())).describe("What it changes in the mapping."),
              }),
            )
            .describe("None: it is answered by the role of a column."),
        }),
      ),
      tables: z
        .array(
          z.object({
            line: z.int().describe("Of the header, from 1."),
            columns: z.array(
              z.object({
                name: z.string(),
                reference: z.union([z.string(), z.int()]),
                role: z.string().nullable(),
              }),
            ),
            rows: z.array(lineOfFile).describe("The first 100."),
          }),
        )
        .describe("The file as the tables that the mapping is for."),
      lines: z.array(lineOfFile).describe("The first lines of the file."),
    }),
    handle: async ({ feedMappings }, _call, { file: content, file_name, ...given }) =>
      untypedAnswer(feedMappings.draft({ name: file_name, bytes: Buffer.from(content, "base64") }, given)),
  }),
] as const satisfies readonly Endpoint<Actor>[];

function viewOf<View extends FeedMappingView>({ changed_at, ...view }: View) {
  return { ...view, changed_at: changed_at?.toISOString() ?? null };
}
