import {
  type Actor,
  bulkMoves,
  CoreError,
  defaulted,
  documentKinds,
  idField,
  letterDetailsSchema,
  letterOrders,
  letterParties,
  letterSchema,
  letterSearchSchema,
  letterStatusSchema,
  letterToDoCodes,
  MAX_BULK_LETTERS,
  MAX_NOTE_CHARACTERS,
  mailKinds,
  mailSchema,
  movesOfMany,
  operatorMoves,
  optional,
  pageSizeSchema,
  pdfField,
  remarkCodes,
  runInSteps,
  uuidField,
} from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { outcomeSchema, reasonSchema } from "../envelopes/envelope.js";
import { documentAnswer, letterDocumentSchema } from "../letter-documents.js";
import { pageSchema } from "../paging.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";
import { letterFilters, searchLetters } from "./operator-letter-filters.js";

const status = letterStatusSchema;
export const letterId = idField;
const note = optional(z.string().max(MAX_NOTE_CHARACTERS));
/** The version that the author of a change has seen. */
export const letterVersion = optional(z.int().min(0)).describe(
  "The letter's version as you know it: the change is refused (409, on `version`) when somebody else made one meanwhile.",
);
const moveBody = z.strictObject({ letter_id: letterId, note, version: letterVersion });
/** The letters of one bulk request, and what to do with each. */
const manyMoves = {
  letter_ids: z.array(uuidField).min(1).max(MAX_BULK_LETTERS),
  to: status
    .nullish()
    .describe(
      "Of advance: the status that is expected; a letter whose next one is another is refused, and one that has it already stays as it is.",
    ),
};
/** What a move does to one letter besides the change of status. */
export const effects = z.object({
  mail: z
    .object({ kind: z.enum(mailKinds), recipient: z.string().nullable() })
    .nullable()
    .describe("What is mailed, and to whom; without a recipient the address is not known, and nothing is."),
  withdrawn_mails: z.int().min(0).describe("Earlier mails that were not sent, and will not be."),
  deleted_documents: z.int().min(0),
});
const refusal = z
  .object({ code: z.string(), message: z.string(), outcome: outcomeSchema, reason: reasonSchema })
  .nullable();

/** What a move would do to one letter. */
export const letterPreviewSchema = z.object({
  letter_id: z.guid(),
  outcome: z.enum(["moves", "refused"]),
  from: status.nullable().describe("Where it is now; null of one that is not there."),
  to: status.nullable().describe("Where it would be then; null of one that would be refused."),
  version: z.int().min(0).nullable(),
  effects: effects.nullable().describe("What else it does; null of one that would be refused."),
  error: refusal.describe("Why it would be refused."),
});

/** Fields of a letter that an operator's list shows in addition to what its tenant sees. */
const listed = {
  tenant_id: z.guid(),
  tenant: z.string().describe("The tenant's name."),
  client_name: z.string().nullable(),
  custodian: z.string().describe("The custodian's name, as the catalogue has it."),
  contact_info: z.record(z.string(), z.string()),
  status_since: z.string().describe("Since when it has been in its status; RFC 3339."),
  to_do: z
    .object({ by: z.enum(letterParties), code: z.enum(letterToDoCodes), what: z.string() })
    .describe("What has to happen next, and by whom; `service` is the installation, which needs nobody for it."),
  mails: z.array(mailSchema).describe("Oldest first."),
  remarks: z
    .array(z.object({ code: z.enum(remarkCodes), what: z.string(), detail: z.string().nullable() }))
    .describe(
      "What you have to know or do. `detail`: the mail server's own answer, or whom the letter authorizes instead of a legal name.",
    ),
};

/** A letter with what its tenant does not see: its tenant, contacts, and every move. */
export const operatorLetterSchema = letterSchema.extend({
  ...listed,
  details: z.object(letterDetailsSchema.shape).nullable().describe("Of a generated letter, until it ends."),
  version: z
    .int()
    .min(0)
    .describe("Goes up with every change. A change that names it is refused where somebody made another meanwhile."),
  moves: z
    .array(
      z.object({
        move: z.enum(operatorMoves),
        to: status,
        effects,
        waits_for: z
          .literal("mail_in_doubt")
          .nullable()
          .describe("What has to be decided before: until then the move is refused."),
      }),
    )
    .describe("What may move it now, each named as its endpoint is, where that leads, and what else it does."),
  undo: z
    .object({ mail_id: z.guid(), to: status, until: z.string().describe("When the mail leaves; RFC 3339.") })
    .nullable()
    .describe("While the mail of the last move waits: undoing takes back both."),
  documents: z.array(letterDocumentSchema).describe("The letter first, then what was generated, then the annex."),
  history: z
    .array(
      z.object({
        move_id: z.guid(),
        letter_id: z.guid(),
        at: z.string(),
        actor: z.string(),
        actor_name: z.string().nullable().describe("Of the application that acted, or of what stands for one."),
        event: z.string(),
        from: status.nullable(),
        to: status,
        note: z.string().nullable(),
        connection_id: z
          .guid()
          .nullable()
          .describe("The connection that the letter then had; of its end, the one that was removed."),
      }),
    )
    .describe("Oldest first, the last 500."),
});
export const operatorLetterAnswer = z.object({ letter: operatorLetterSchema });

/** `/operator/v1/letters`: moves letters along (contract §7, §8). */
export const letterOperationEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/letters/search",
    reads: true,
    operation: "searchTenantLetters",
    summary: "Search the letters of all tenants, or of one",
    order: "as `order` asks, by default newest first (created_at); letters of one moment by id",
    body: letterSearchSchema.extend({
      ...letterFilters,
      page_size: pageSizeSchema(500, 20),
      order: defaulted(z.enum(letterOrders), "newest").describe(
        "By creation, by time in the status, or by last change.",
      ),
      page_token: z
        .string()
        .max(1_000)
        .nullish()
        .describe(
          "Goes on behind the page that gave it, however far that is at the same cost; page does not count then.",
        ),
    }),
    output: pageSchema(letterSchema.extend({ ...listed, days_in_status: z.int().min(0) })).extend({
      next_page_token: z
        .string()
        .nullable()
        .describe("Goes on behind this page, whether it was asked for by number or by token; null on the last."),
    }),
    fails: ["NOT_FOUND"],
    handle: (application, _call, search) => searchLetters(application, search),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/counts",
    reads: true,
    operation: "countTenantLetters",
    summary: "Count letters by status, of all tenants or of one",
    order: "as the main line goes",
    description: "Statuses without letters are left out.",
    body: z.strictObject({ tenant_id: tenantId.nullish().describe("Of all tenants without it.") }),
    output: z.object({
      items: z.array(
        z.object({
          status,
          letters: z.int().min(1),
          oldest_since: z.string().describe("Since when the one that has stood there longest does; RFC 3339."),
          oldest_days: z.int().min(0).describe("Whole days since then."),
        }),
      ),
    }),
    fails: ["NOT_FOUND"],
    async handle({ letterAdmin, tenants }, _call, { tenant_id }) {
      if (tenant_id != null && !(await tenants.find(tenant_id))) throw new CoreError("NOT_FOUND", "TenantNotFound");
      return { items: await letterAdmin.counts(tenant_id ?? null) };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/show",
    reads: true,
    operation: "showLetter",
    summary: "Show a letter with its documents and its history",
    body: z.strictObject({ letter_id: letterId }),
    output: operatorLetterAnswer,
    fails: ["NOT_FOUND"],
    handle: async ({ letterOperations }, _call, { letter_id }) => ({ letter: await letterOperations.show(letter_id) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/advance",
    operation: "advanceLetter",
    summary: "Make the one next move of the main line",
    body: z.strictObject({
      letter_id: letterId,
      to: optional(status).describe(
        "The status that is expected; another next one is refused, and a letter that has it already is answered as it is.",
      ),
      note,
      version: letterVersion,
    }),
    output: operatorLetterAnswer,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, ...options }) => ({
      letter: await letterOperations.advance(who, letter_id, options),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/move-many",
    operation: "moveLetters",
    summary: "Move many letters, each for itself",
    order: "as letter_ids names them",
    description:
      "Every letter is moved in a transaction of its own, in the order given; an id that is given twice is moved once. The answer is 200 whatever became of them: look at each outcome.",
    body: z.strictObject({
      ...manyMoves,
      move: defaulted(z.enum(movesOfMany), "advance"),
      note,
      versions: optional(z.record(uuidField, z.int().min(0))).describe(
        "By letter, its version as preview-moves told it: one that was changed meanwhile is refused.",
      ),
    }),
    output: z.object({
      items: z.array(
        z.object({
          letter_id: z.guid(),
          outcome: z.enum(["moved", "refused"]),
          from: status.nullable(),
          to: status.nullable().describe("Where it is now; null when it was refused, and stays where it was."),
          version: z.int().min(0).nullable().describe("Its version now; send it with an undo."),
          undo_until: z.string().nullable().describe("When the move's mail leaves (RFC 3339): until then, undo it."),
          error: refusal,
        }),
      ),
      moved: z.int().min(0),
      refused: z.int().min(0),
    }),
    async handle({ letterOperations }, { who }, { letter_ids, move, to, note: said, versions }) {
      const request = { letter_ids, move, to: to ?? undefined, note: said, versions };
      const items = await letterOperations.moveMany(who, request);
      const moved = items.filter(({ outcome }) => outcome === "moved").length;
      return { items, moved, refused: items.length - moved };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/preview-moves",
    reads: true,
    operation: "previewLetterMoves",
    summary: "Show what moving many letters would do to each",
    order: "as letter_ids names them",
    description:
      "Nothing is changed. Given back with move-many, the versions see to it that what is done is what was shown: a letter that somebody changed meanwhile is refused.",
    body: z.strictObject({ ...manyMoves, move: defaulted(z.enum(bulkMoves), "advance") }),
    output: z.object({
      items: z.array(letterPreviewSchema),
    }),
    handle: async ({ letterOperations }, _call, { to, ...request }) => ({
      items: await letterOperations.previewMoves({ ...request, to: to ?? undefined }),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/contacts",
    operation: "correctLetterContacts",
    summary: "Correct whom a letter is mailed to at the custodian, and mail it again",
    description:
      "Entries that are not named stay, null takes one away. A mail that waits follows the new address. What was sent is sent again only with `mail`.",
    body: z.strictObject({
      letter_id: letterId,
      contact_info: z.record(z.string().min(1).max(100), z.string().max(2_000).nullable()).default({}),
      mail: defaulted(z.boolean(), false).describe("Mails the custodian what the letter's status calls for once more."),
      version: letterVersion,
    }),
    output: operatorLetterAnswer,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, ...change }) => ({
      letter: await letterOperations.correctContacts(who, letter_id, change),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/block",
    operation: "blockLetter",
    summary: "Mark the connection of a letter as interrupted",
    body: moveBody,
    output: operatorLetterAnswer,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, ...options }) => ({
      letter: await letterOperations.block(who, letter_id, options),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/resolve",
    operation: "resolveLetter",
    summary: "Resume a blocked letter where it was",
    body: moveBody,
    output: operatorLetterAnswer,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, ...options }) => ({
      letter: await letterOperations.resolve(who, letter_id, options),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/cancel",
    operation: "cancelLetter",
    summary: "End a letter that never was Connected",
    description: "Irreversible. Its documents are deleted.",
    body: moveBody,
    output: operatorLetterAnswer,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, ...options }) => ({
      letter: await letterOperations.cancel(who, letter_id, options),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/undo",
    operation: "undoLetterMove",
    summary: "Undo the last move of a letter while its mail waits",
    description:
      "The letter gets its status back, and the mail is not sent. Refused (409, `reason`) once the mail leaves, or when the letter was changed since. An undo that was made already is answered as it is.",
    body: moveBody,
    output: operatorLetterAnswer,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, ...options }) => ({
      letter: await letterOperations.undo(who, letter_id, options),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/document",
    reads: true,
    operation: "downloadLetterDocument",
    summary: "Download a document of a letter",
    description: "That it was downloaded, and by whom, is in the audit trail.",
    body: z.strictObject({
      letter_id: letterId,
      kind: defaulted(z.enum(documentKinds), "letter").describe(
        "The signed letter, its annex, or what was generated to be signed.",
      ),
    }),
    output: z.object({
      letter_id: z.guid(),
      kind: z.enum(documentKinds),
      sha256: z.string().describe("Of the PDF, in hex."),
      size: z.int().min(0).describe("Bytes of the PDF."),
      data: pdfField.describe("The PDF in Base64."),
    }),
    fails: ["NOT_FOUND"],
    async handle({ letterOperations }, { who, pace }, { letter_id, kind }) {
      const { bytes, ...facts } = await letterOperations.document(who, letter_id, kind);
      return runInSteps(documentAnswer(facts, bytes), pace());
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];
