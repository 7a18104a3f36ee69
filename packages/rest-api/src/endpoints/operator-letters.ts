import {
  type Actor,
  documentKinds,
  letterDetailsSchema,
  letterSchema,
  letterSearchSchema,
  MAX_NOTE_CHARACTERS,
  mailSchema,
  moment,
  parseMoment,
  signatureEvidences,
  uuidField,
} from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { pageSchema } from "../paging.js";
import { actorIn, operatorEndpoint, tenantId } from "./operator-endpoint.js";

const { status } = letterSchema.shape;
const note = z.string().max(MAX_NOTE_CHARACTERS).optional();

/** What is known of a document: `signature` is evidence found in the PDF, not a check of who signed. */
const documentSchema = z.object({
  kind: z.enum(documentKinds),
  size: z.int().describe("Bytes of the PDF."),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z
    .enum(signatureEvidences)
    .describe(
      "none: no signature in the PDF; present: there is one; intact: moreover the PDF is as it was when it was last signed. Certificates are not checked.",
    ),
});

/** A letter with what the tenant does not see: whose it is, who to contact, and every move of it. */
export const operatorLetterSchema = letterSchema.extend({
  tenant_id: z.guid(),
  contact_info: z.record(z.string(), z.string()),
  status_since: z.string().describe("Since when it has been in its status; RFC 3339."),
  details: z.object(letterDetailsSchema.shape).nullable().describe("Of a generated letter, until it ends."),
  documents: z.array(documentSchema),
  mails: z.array(mailSchema).describe("Oldest first."),
  remarks: z.array(z.string()).describe("What you have to know or do, in words."),
  history: z.array(
    z.object({
      move_id: z.guid(),
      letter_id: z.guid(),
      at: z.string(),
      actor: z.string(),
      event: z.string(),
      from: status.nullable(),
      to: status,
      note: z.string().nullable(),
    }),
  ),
});
export const oneLetter = z.object({ letter: operatorLetterSchema });
export const letterId = uuidField;

/** `/operator/v1/letters`: moving letters along (contract §7, §8). */
export const letterOperationEndpoints: readonly Endpoint<Actor>[] = [
  operatorEndpoint({
    path: "/operator/v1/letters/search",
    operation: "searchTenantLetters",
    summary: "Search the letters of a tenant",
    body: letterSearchSchema.extend({
      tenant_id: tenantId,
      in_status_before: moment
        .optional()
        .describe("Only letters that have been in their status since before this date (UTC) or datetime."),
    }),
    output: pageSchema(letterSchema),
    fails: ["NOT_FOUND"],
    handle: async (services, { who }, { tenant_id, in_status_before, ...search }) =>
      services.letters.search(await actorIn(services, who, tenant_id), search, {
        in_status_before: in_status_before === undefined ? null : (parseMoment(in_status_before)?.from ?? null),
      }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/show",
    operation: "showLetter",
    summary: "Show a letter with its documents and its history",
    body: z.strictObject({ letter_id: letterId }),
    output: oneLetter,
    fails: ["NOT_FOUND"],
    handle: async ({ letterOperations }, _call, { letter_id }) => ({ letter: await letterOperations.show(letter_id) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/advance",
    operation: "advanceLetter",
    summary: "Make the one next move of the main line",
    body: z.strictObject({
      letter_id: letterId,
      to: status.optional().describe("The status that is expected; another next one is refused."),
      note,
    }),
    output: oneLetter,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, ...options }) => ({
      letter: await letterOperations.advance(who, letter_id, options),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/block",
    operation: "blockLetter",
    summary: "Mark the connection of a letter as interrupted",
    body: z.strictObject({ letter_id: letterId, note }),
    output: oneLetter,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, body) => ({
      letter: await letterOperations.block(who, body.letter_id, body.note),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/resolve",
    operation: "resolveLetter",
    summary: "Resume a blocked letter where it was",
    body: z.strictObject({ letter_id: letterId, note }),
    output: oneLetter,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, body) => ({
      letter: await letterOperations.resolve(who, body.letter_id, body.note),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/cancel",
    operation: "cancelLetter",
    summary: "End a letter that never was Connected",
    description: "Irreversible. Its documents are deleted.",
    body: z.strictObject({ letter_id: letterId, note }),
    output: oneLetter,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, body) => ({
      letter: await letterOperations.cancel(who, body.letter_id, body.note),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/document",
    operation: "downloadLetterDocument",
    summary: "Download a document of a letter",
    description: "That it was downloaded, and by whom, is in the audit trail.",
    body: z.strictObject({
      letter_id: letterId,
      kind: z
        .enum(documentKinds)
        .default("letter")
        .describe("The signed letter, its annex, or what was generated to be signed."),
    }),
    output: z.object({
      letter_id: z.guid(),
      kind: z.enum(documentKinds),
      sha256: z.string().describe("Of the PDF, in hex."),
      size: z.int().min(0).describe("Bytes of the PDF."),
      data: z.string().describe("The PDF in Base64."),
    }),
    fails: ["NOT_FOUND"],
    async handle({ letterOperations }, { who }, { letter_id, kind }) {
      const { bytes, ...facts } = await letterOperations.document(who, letter_id, kind);
      return { ...facts, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/observe",
    operation: "observeLetter",
    summary: "Set the observations that the tenant sees",
    body: z.strictObject({
      letter_id: letterId,
      observations: z.string().max(MAX_NOTE_CHARACTERS).nullable().describe("Null clears them."),
    }),
    output: oneLetter,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, body) => ({
      letter: await letterOperations.observe(who, body.letter_id, body.observations),
    }),
  }),
];
