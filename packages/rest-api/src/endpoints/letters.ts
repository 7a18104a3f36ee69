import {
  type CatalogueConnector,
  connectorSchema,
  connectorView,
  discontinueSchema,
  type EventLoopYielder,
  idempotencyKey,
  idField,
  letterParties,
  letterSchema,
  letterSearchSchema,
  letterStatusSchema,
  letterSubmissionSchema,
  mailKinds,
  mailStates,
  runInSteps,
  type Steps,
  type TenantActor,
  takesLetters,
} from "@org/core";
import { z } from "zod";
import { jsonInput, letterInput, uncheckedJsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint, JsonText } from "../endpoint.js";
import { letterDocumentSchema } from "../letter-documents.js";
import { pageSchema } from "../paging.js";

/** A connector of list-connectors. */
export const letterConnectorSchema = connectorSchema.extend({
  takes_letters: z
    .boolean()
    .describe(
      "Whether create-signed takes letters for it: not if it is unavailable, or if the catalogue says that it takes none.",
    ),
});

const letterConnectorView = (connector: CatalogueConnector): z.output<typeof letterConnectorSchema> => ({
  ...connectorView(connector),
  takes_letters: takesLetters(connector),
});

/** The answer for each catalogue. With 40,000 connectors it has a few megabytes, and is built in steps. */
const answers = new WeakMap<readonly CatalogueConnector[], Promise<JsonText>>();

function answerOf(connectors: readonly CatalogueConnector[], pace: EventLoopYielder): Promise<JsonText> {
  const known = answers.get(connectors);
  if (known !== undefined) return known;
  const made = runInSteps(buildAnswer(connectors), pace);
  answers.set(connectors, made);
  return made;
}

/** Connectors of one step. */
const STEP = 500;

function* buildAnswer(connectors: readonly CatalogueConnector[]): Steps<JsonText> {
  const parts: Buffer[] = [];
  for (let at = 0; at < connectors.length; at += STEP) {
    yield;
    const items = JSON.stringify(connectors.slice(at, at + STEP).map(letterConnectorView)).slice(1, -1);
    parts.push(Buffer.from(at === 0 ? items : `,${items}`));
  }
  return new JsonText(Buffer.concat([Buffer.from('{"items":['), ...parts, Buffer.from("]}")]));
}

/** A letter as its own tenant sees it in full. */
const ownLetterSchema = letterSchema.extend({
  custodian: z.string().describe("The custodian's name, as the catalogue has it."),
  contact_info: z.record(z.string(), z.string().optional()),
  status_since: z.string().describe("Since when it has been in its status; RFC 3339."),
  next_by: z.enum(letterParties).describe("Who has to act next."),
  documents: z.array(letterDocumentSchema).describe("The letter first, then what was generated, then the annex."),
  mails: z
    .array(z.object({ kind: z.enum(mailKinds), state: z.enum(mailStates), at: z.string() }))
    .describe("Oldest first, without those that were withdrawn."),
  history: z
    .array(z.object({ at: z.string(), event: z.string(), from: letterStatusSchema.nullable(), to: letterStatusSchema }))
    .describe("Oldest first, the last 500."),
});

/** Header of the endpoints that submit a letter. */
export const idempotencyHeaders = z.object({
  "Idempotency-Key": idempotencyKey
    .optional()
    .describe("A retry with the same key and body within 24 hours answers the first letter's id."),
});

/** `/letters/v1`: authorization letters for a tenant's applications (S2 §4). */
export const lettersEndpoints = [
  defineEndpoint({
    path: "/letters/v1/list-connectors",
    holdsLimit: true,
    reads: true,
    operation: "listLetterConnectors",
    summary: "List the connectors, and whether each accepts letters",
    description: "All of them in one answer. Either scope is enough.",
    order: "by id",
    scopes: ["connections:read", "letters:read"],
    input: jsonInput(z.strictObject({})),
    output: z.object({ items: z.array(letterConnectorSchema) }),
    fails: [],
    handle: async ({ connectors }, { who, pace }) => answerOf(await connectors.all(who.tenant_id), pace()),
  }),
  defineEndpoint({
    path: "/letters/v1/create-signed",
    holdsLimit: true,
    operation: "createSignedLetter",
    summary: "Submit a signed letter",
    description:
      "Each call creates a new letter in status Signed, unless an Idempotency-Key says that it is a retry. The operator moves it on from there; its labels go over to its connection.",
    scopes: ["letters:write"],
    input: letterInput(letterSubmissionSchema),
    headers: idempotencyHeaders,
    output: z.object({ letter_id: z.guid() }),
    fails: ["IDEMPOTENCY_MISMATCH", "UNAVAILABLE"],
    handle: ({ letters }, { who, headers }, { body, received }) =>
      letters.createSigned(who, body, headerText(headers["idempotency-key"]), received),
  }),
  defineEndpoint({
    path: "/letters/v1/search-letters",
    holdsLimit: true,
    reads: true,
    operation: "searchLetters",
    summary: "Search letters",
    order: "newest first (created_at), letters of one moment by id, the later first",
    description:
      "Query fields are combined with AND, the values of a list with OR. A page beyond the last has no items and the true total.",
    scopes: ["letters:read"],
    input: uncheckedJsonInput(letterSearchSchema),
    output: pageSchema(letterSchema.extend({ client_name: z.string().nullable() })),
    fails: [],
    handle: ({ letters }, { who }, body) => letters.search(who, body),
  }),
  defineEndpoint({
    path: "/letters/v1/show-letter",
    holdsLimit: true,
    reads: true,
    operation: "showOwnLetter",
    summary: "Show a letter with its documents, mails and history",
    description: "What has happened to it. Neither who moved it at the operator's nor their notes are shown.",
    scopes: ["letters:read"],
    input: jsonInput(z.strictObject({ letter_id: idField })),
    output: z.object({ letter: ownLetterSchema }),
    fails: ["NOT_FOUND"],
    handle: async ({ letters }, { who }, { letter_id }) => ({ letter: await letters.show(who, letter_id) }),
  }),
  defineEndpoint({
    path: "/letters/v1/discontinue-letter",
    holdsLimit: true,
    operation: "discontinueLetter",
    summary: "Cancel or discontinue a letter",
    description:
      "Irreversible. A letter that never was Connected becomes Cancelled, else Discontinued, and its connection and data are removed. An unknown letter_id, or one of another tenant, is 404 with the message `LetterNotFound`; a letter that is Cancelled, Discontinued or Revoked is 400.",
    scopes: ["letters:write"],
    input: uncheckedJsonInput(discontinueSchema),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle({ letters }, { who }, body) {
      await letters.discontinue(who, body);
      return { success: true };
    },
  }),
] as const satisfies readonly Endpoint<TenantActor>[];

/** Node joins a repeated header of this kind into one string; only a few others are lists. */
export function headerText(header: string | string[] | undefined): string | null {
  return header === undefined ? null : String(header);
}
