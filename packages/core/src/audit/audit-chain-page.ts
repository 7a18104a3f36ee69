import { z } from "zod";
import { moment } from "../schemas/moment.js";
import { pageSizeSchema } from "../schemas/paging.js";
import { auditLineSchema } from "./audit-line.js";

const sequence = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const hash = z.string().describe("SHA-256, 64 hex digits.");

/** The part of the chain that an operator reads. */
export const chainSearchSchema = z.strictObject({
  after: sequence.nullish().describe("Goes on after this sequence; without it from the beginning."),
  through: sequence.nullish().describe("Ends with this sequence; without it with what waits for its place."),
  since: moment
    .optional()
    .describe("Without after: begins with the first place that holds a line from this date (UTC) or datetime on."),
  until: moment
    .optional()
    .describe(
      "Without through: ends with the last place that holds a line up to and including this date (UTC) or datetime.",
    ),
  page_size: pageSizeSchema(1_000, 1_000),
});

export type ChainSearch = z.output<typeof chainSearchSchema>;

/** One place in the chain. */
export const chainItemSchema = z.object({
  sequence: sequence.describe("From 1, without gaps, in the order in which lines were chained."),
  hash,
  audit_id: z.guid(),
  refused_at: z
    .string()
    .nullable()
    .describe("When it came, of a refusal that is deleted after its time; null for all others."),
  content_hash: z.string().nullable().describe("Of a refusal that was deleted; null for all others."),
  line: auditLineSchema.nullable().describe("Null when it was deleted."),
});

export type ChainItem = z.output<typeof chainItemSchema>;

/** Where the chain ends. */
export const chainHeadSchema = z.object({
  sequence,
  hash,
  sealed_at: z.string().nullable().describe("When its last line was chained; null while there is none."),
  waiting: z.int().describe("Lines that are not chained yet; counted up to 10,000."),
});

export type ChainHeadView = z.output<typeof chainHeadSchema>;

/** A page of the chain. */
export const chainPageSchema = z.object({
  after: z.object({ sequence, hash }).describe("What the first item goes on from."),
  items: z.array(chainItemSchema),
  strangers: z
    .array(auditLineSchema)
    .describe(
      "Lines that stand among these and are not in the chain: somebody with access to the database added them.",
    ),
  waiting: z.array(auditLineSchema).describe("After the last page: lines that are not chained yet, at most 1,000."),
  through: sequence.nullable().describe("Where until led to: through of the next page."),
  next_after: sequence.nullable().describe("after of the next page; null when this is the last."),
});

export type ChainPage = z.output<typeof chainPageSchema>;
