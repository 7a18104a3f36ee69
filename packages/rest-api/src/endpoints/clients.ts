import {
  type Actor,
  clientNameSchema,
  clientOrders,
  clientRefSchema,
  clientSchema,
  defaulted,
  idField,
  opaqueId,
  optional,
  type TenantActor,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { RestError } from "../failure.js";
import { pageSchema, pagingArguments } from "../paging.js";
import { actorIn, operatorEndpoint, tenantId } from "./operator-endpoint.js";
import { effects } from "./operator-letters.js";

/** What a deletion would take away, and whom it would tell. */
export const deletionPreviewSchema = z.object({
  connections: z.int(),
  portfolios: z.int(),
  holdings: z.int(),
  transactions: z.int(),
  sessions: z.int().describe("Open sessions that would end."),
  letters: z.int().describe("Letters that would end."),
  effects: z.array(effects).describe("Of each of these letters."),
  is_whole: z.boolean().describe("False: there is more than is read for this, and the numbers are the least."),
});

const which = { client_ref: clientRefSchema };
const exampleClient = {
  client_ref: "M-17",
  name: "Meier",
  connections: 3,
  letters: 1,
  created_at: "2026-03-01T09:00:00.000Z",
};
const examplePreview = {
  connections: 3,
  portfolios: 4,
  holdings: 61,
  transactions: 840,
  sessions: 1,
  letters: 1,
  effects: [
    {
      mail: { kind: "revocation_notice" as const, recipient: "desk@custody.example" },
      withdrawn_mails: 0,
      deleted_documents: 2,
    },
  ],
  is_whole: true,
};
const CONNECTION = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";

const clientSearchSchema = z.strictObject({
  name: optional(clientNameSchema).describe("A part of the name or the reference, whatever its case and accents."),
  order: defaulted(z.enum(clientOrders, `must be one of ${clientOrders.join(", ")}`), "client_ref").describe(
    "By the reference or by the name, and with - the other way round; without a name, a client stands where the reference would.",
  ),
  ...pagingArguments,
});

const MAX_IDS = 500;
const oneOrMany = z
  .union([idField, z.array(idField).min(1).max(MAX_IDS)], `must be an id, or a list of 1 to ${MAX_IDS} of them`)
  .transform((given) => [given].flat())
  .optional();

/** `/clients/v1`: a tenant's clients, by its own references. */
export const clientEndpoints = [
  defineEndpoint({
    path: "/clients/v1/list",
    holdsLimit: true,
    reads: true,
    operation: "listClients",
    summary: "List the clients",
    order: "as asked, by client_ref by default",
    scopes: ["connections:read"],
    input: jsonInput(clientSearchSchema),
    example: { body: { name: "mei" }, answer: { items: [exampleClient], page: 1, page_size: 50, pages: 1, total: 1 } },
    output: pageSchema(clientSchema),
    fails: [],
    handle: ({ tenantClients }, { who }, query) => tenantClients.list(who, query),
  }),
  defineEndpoint({
    path: "/clients/v1/show",
    holdsLimit: true,
    reads: true,
    operation: "showClient",
    summary: "Show a client",
    scopes: ["connections:read"],
    input: jsonInput(z.strictObject(which)),
    example: { body: { client_ref: "M-17" }, answer: exampleClient },
    output: clientSchema,
    fails: ["NOT_FOUND"],
    handle: ({ tenantClients }, { who }, { client_ref }) => tenantClients.show(who, client_ref),
  }),
  defineEndpoint({
    path: "/clients/v1/create",
    operation: "createClient",
    summary: "Create a client",
    description: "One that has nothing yet. Without it, a client is made when its reference is first used.",
    scopes: ["connections:write"],
    input: jsonInput(
      z.strictObject({
        client_ref: clientRefSchema.describe("No other client has it."),
        name: clientNameSchema.nullable().optional(),
      }),
    ),
    example: { body: { client_ref: "M-17", name: "Meier" }, answer: { ...exampleClient, connections: 0, letters: 0 } },
    output: clientSchema,
    fails: [],
    handle: ({ tenantClients }, { who }, client) => tenantClients.create(who, client),
  }),
  defineEndpoint({
    path: "/clients/v1/update",
    operation: "updateClient",
    summary: "Change a client's name or reference",
    description: "A new reference is everywhere at once: on connections, letters and sessions.",
    scopes: ["connections:write"],
    input: jsonInput(
      z.strictObject({
        ...which,
        name: clientNameSchema.nullable().optional().describe("Null removes it."),
        new_client_ref: optional(clientRefSchema).describe("No other client has it."),
      }),
    ),
    example: { body: { client_ref: "M-17", name: "Meier" }, answer: exampleClient },
    output: clientSchema,
    fails: ["NOT_FOUND"],
    handle: ({ tenantClients }, { who }, change) => tenantClients.update(who, change),
  }),
  defineEndpoint({
    path: "/clients/v1/assign",
    operation: "assignToClient",
    summary: "Assign connections or letters to a client",
    description:
      "All of them or, where an id is unknown, none. A letter and its connection go together; to name letters the scope letters:write is needed too. A client with a new reference is made.",
    scopes: ["connections:write"],
    input: jsonInput(
      z.strictObject({
        client_ref: clientRefSchema.nullable().describe("Null: nobody's."),
        connection_id: oneOrMany.describe("One or many; not with letter_id."),
        letter_id: oneOrMany.describe("One or many; not with connection_id."),
      }),
    ),
    example: { body: { client_ref: "M-17", connection_id: CONNECTION }, answer: { assigned: 1 } },
    output: z.object({ assigned: z.int() }),
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle({ tenantClients }, { who }, target) {
      if (target.letter_id !== undefined && !mayWriteLetters(who))
        throw new RestError("UNAUTHORIZED", "letters are named: the scope letters:write is required too");
      return tenantClients.assign(who, target);
    },
  }),
  defineEndpoint({
    path: "/clients/v1/preview-deletion",
    reads: true,
    operation: "previewDeletion",
    summary: "Show what deleting a connection or a client, or ending a letter, would remove, and whom it would notify",
    order: "the effects of letters: by letter_id",
    description: "Nothing is changed. Of more than 100 letters or connections the numbers are the least.",
    scopes: ["connections:read", "letters:read"],
    input: jsonInput(
      z
        .strictObject({
          connection_id: opaqueId.optional().describe("The connection to delete; or letter_id or client_ref."),
          letter_id: idField.optional().describe("The letter to end."),
          client_ref: clientRefSchema.optional().describe("The client to delete."),
        })
        .refine((target) => Object.values(target).filter((one) => one !== undefined).length === 1, {
          path: ["connection_id"],
          message: "exactly one of connection_id, letter_id and client_ref is required",
        }),
    ),
    example: { body: { client_ref: "M-17" }, answer: examplePreview },
    output: deletionPreviewSchema,
    fails: ["NOT_FOUND"],
    handle: ({ tenantClients }, { who }, target) => tenantClients.previewDeletion(who, target),
  }),
  defineEndpoint({
    path: "/clients/v1/delete",
    operation: "deleteClient",
    summary: "Delete a client with everything of theirs",
    description:
      "Cannot be undone. Nothing is deleted unless `confirm` is true. Open sessions are ended, letters discontinued and connections deleted one by one, then the reference is removed everywhere; a call that was interrupted can be repeated. Where there are letters, the scope letters:write is needed too. Answers the client as it was.",
    scopes: ["connections:delete"],
    input: jsonInput(
      z.strictObject({
        ...which,
        confirm: z.unknown().optional().meta({ type: "boolean", description: "Must be true." }),
      }),
    ),
    example: { body: { client_ref: "M-17", confirm: true }, answer: exampleClient },
    output: clientSchema,
    fails: ["NOT_FOUND", "CONFIRMATION_REQUIRED", "CONFLICT"],
    async handle({ tenantClients }, { who }, { client_ref, confirm }) {
      if (!mayWriteLetters(who) && (await tenantClients.show(who, client_ref)).letters > 0)
        throw new RestError("UNAUTHORIZED", "the client has letters: the scope letters:write is required too");
      return tenantClients.remove(who, client_ref, confirm === true);
    },
  }),
] as const satisfies readonly Endpoint<TenantActor>[];

/** `/operator/v1/clients`: a tenant's clients, for operators who choose one. */
export const operatorClientEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/clients/list",
    reads: true,
    operation: "listClientsOfTenant",
    summary: "List the clients of a tenant",
    order: "as asked, by client_ref by default",
    body: clientSearchSchema.extend({ tenant_id: tenantId }),
    output: pageSchema(clientSchema),
    fails: ["NOT_FOUND"],
    handle: async (services, { who }, { tenant_id, ...query }) =>
      services.tenantClients.list(await actorIn(services, who, tenant_id), query),
  }),
] as const satisfies readonly Endpoint<Actor>[];

/** People have roles, not scopes. */
function mayWriteLetters({ scopes }: TenantActor): boolean {
  return scopes?.has("letters:write") ?? true;
}
