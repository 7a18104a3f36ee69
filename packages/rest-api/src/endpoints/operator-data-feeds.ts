import { type Actor, idField, invalid, opaqueId, parseOrRefuse, type Uuid } from "@org/core";
import { z } from "zod";
import { fileInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { fileName } from "../file-name.js";

const target = z
  .strictObject({
    connection_id: opaqueId.optional().describe("The connection that the file is for; or letter_id."),
    letter_id: idField.optional().describe("The letter that the file is for, in WaitingForData or later."),
    name: fileName.describe("Name of the file."),
  })
  .refine(({ connection_id, letter_id }) => (connection_id === undefined) !== (letter_id === undefined), {
    path: ["connection_id"],
    message: "exactly one of connection_id and letter_id is required",
  });

const count = z.int().min(0);
/** What a file, or a part of one, came to. */
const fileCounts = {
  portfolios: count,
  holdings: count,
  transactions: count.describe("Stored now."),
  repeated: count.describe("Transactions that the file says again."),
  corrected: count.describe("Transactions of earlier files that the file changes, completes or takes back."),
  kept: count.describe("Transactions of earlier files that the file says again, unchanged."),
  left_out: count.describe("Movements that could not be read; warnings name the first ones, reconcile lists them."),
};

/** Result of an ingested file. */
const ingestionSchema = z.object({
  status: z.enum(["ingested", "duplicate"]),
  connection_id: z.string(),
  format: z.string(),
  sha256: z.string(),
  ...fileCounts,
  differences: z
    .int()
    .min(0)
    .describe(
      "Holdings that are not what the statement before says with the movements since, in the pairs of statements that the file is about; reconcile lists them.",
    ),
  gap_days: z
    .int()
    .min(0)
    .describe("Business days without a statement since the one before, of the account with most."),
  refused_accounts: z
    .array(z.string())
    .describe("Numbers of accounts that could not be read and were left as they are known; warnings say why."),
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
        ...fileCounts,
      }),
    )
    .optional()
    .describe("What became of the files in a container, in its order; the numbers beside it are their sums."),
});

/** `/operator/v1/datafeeds`: custodian files (contract §9 "Data feeds"). */
export const dataFeedEndpoints = [
  defineEndpoint({
    path: "/operator/v1/datafeeds/ingest",
    operation: "ingestDataFeed",
    summary: "Take one custodian file, whole or not at all, once",
    order: "warnings as they came up while the file was read",
    description:
      "A statement in any format of docs/reference/data-feeds.md, or a zip or gzip of several, recognised from the file. Portfolios that are not in it stay as they are. A file already taken answers status duplicate and changes nothing.",
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
] as const satisfies readonly Endpoint<Actor>[];
