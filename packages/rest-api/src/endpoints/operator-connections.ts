import {
  type Actor,
  attentionSchema,
  connectionConditionsSchema,
  connectionSearchSchema,
  credentialStatusSchema,
  defaulted,
  foundConnectionSchema,
  labelsSchema,
  opaqueId,
  optional,
  pageNumber,
  pageSizeSchema,
  refreshAnswerSchema,
  refreshRequestSchema,
  refreshStateSchema,
} from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { pageSchema, tokenPageSchema } from "../paging.js";
import { deletionPreviewSchema } from "./clients.js";
import { actorIn, operatorEndpoint, tenantId } from "./operator-endpoint.js";

const connectionSchema = z.object({
  connection_id: z.string(),
  bank: z.string(),
  client_ref: z.string().nullable().optional(),
  labels: labelsSchema.optional(),
  created_at: z.string().optional(),
  attention: attentionSchema.nullable().describe("What it needs from somebody; null = nothing."),
  status: credentialStatusSchema.optional(),
});

/** `/operator/v1/connections`: the state of a tenant's connections, never their data. */
export const connectionEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/connections/list",
    reads: true,
    operation: "listConnections",
    summary: "List the bank connections of a tenant, oldest first",
    order: "oldest first (when it was connected), then by connection_id",
    body: z.strictObject({
      tenant_id: tenantId,
      bank: z
        .string()
        .max(200)
        .nullish()
        .describe("Only banks whose name holds this text, whatever its case and accents."),
      ready_only: defaulted(z.boolean(), false),
      attention_only: defaulted(z.boolean(), false).describe(
        "Only those whose `attention` is not null; a row is then `connection_id`, `bank` and `attention`.",
      ),
      include_status: defaulted(z.boolean(), false),
      page: pageNumber,
      page_size: pageSizeSchema(500, 50),
    }),
    output: pageSchema(connectionSchema),
    fails: ["NOT_FOUND"],
    async handle(services, { who }, { tenant_id, bank, ...query }) {
      const page = await services.credentials.list(await actorIn(services, who, tenant_id), {
        bank: bank ?? null,
        ...query,
      });
      return {
        ...page,
        items: page.items.map(({ credentials_token, ...rest }) => ({ connection_id: credentials_token, ...rest })),
      };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/connections/search",
    reads: true,
    operation: "searchConnections",
    summary: "Search the bank connections of all tenants, or of one, with their state and next refresh",
    order: "as asked, newest first by default; by connection_id, or by the end of the consent and connection_id",
    body: connectionSearchSchema.extend({
      query: defaulted(connectionConditionsSchema.extend({ tenant_id: optional(tenantId) }), {}),
    }),
    output: tokenPageSchema(
      foundConnectionSchema.extend({ tenant_id: z.guid(), tenant: z.string().describe("The tenant's name.") }),
    ),
    handle: ({ connectionAdmin }, _call, { query: { tenant_id, ...query }, ...search }) =>
      connectionAdmin.search(tenant_id ?? null, { query, ...search }),
  }),
  operatorEndpoint({
    path: "/operator/v1/connections/preview-deletion",
    reads: true,
    operation: "previewConnectionDeletion",
    summary: "Show what deleting a bank connection would remove, and whom it would notify",
    order: "the effects of letters: by letter_id",
    body: z.strictObject({ connection_id: opaqueId }),
    output: deletionPreviewSchema,
    fails: ["NOT_FOUND"],
    async handle(services, { who }, { connection_id }) {
      const actor = await actorIn(services, who, await services.refreshes.tenantOf(connection_id));
      return services.tenantClients.previewDeletion(actor, { connection_id });
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/connections/delete",
    operation: "deleteConnection",
    summary: "Delete a bank connection of any tenant and everything stored for it",
    description:
      "As its tenant would: it cannot be undone, and a letter that made the connection becomes Discontinued.",
    body: z.strictObject({ connection_id: opaqueId, confirm: defaulted(z.boolean(), false).describe("Must be true.") }),
    output: z.object({ connection_id: z.string(), bank: z.string() }),
    fails: ["NOT_FOUND", "CONFIRMATION_REQUIRED"],
    async handle(services, { who }, { connection_id, confirm }) {
      const actor = await actorIn(services, who, await services.refreshes.tenantOf(connection_id));
      return { connection_id, ...(await services.credentials.remove(actor, connection_id.toLowerCase(), confirm)) };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/connections/status",
    reads: true,
    operation: "showConnectionStatus",
    summary: "Show the status of a bank connection",
    body: z.strictObject({ tenant_id: tenantId.nullish(), connection_id: opaqueId }),
    output: z.object({ connection_id: z.string(), status: credentialStatusSchema, refresh: refreshStateSchema }),
    fails: ["NOT_FOUND"],
    async handle(services, { who }, { tenant_id, connection_id }) {
      const actor = await actorIn(services, who, tenant_id ?? (await services.refreshes.tenantOf(connection_id)));
      return {
        connection_id,
        status: await services.credentials.status(actor, connection_id),
        refresh: await services.refreshes.state(actor, connection_id),
      };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/connections/refresh",
    operation: "refreshConnectionForOperator",
    summary: "Refresh a bank connection of any tenant now",
    description:
      "As for its tenant: at most every 15 minutes; what became of it, or under_way after 20 seconds; 409 when its data come as files, or when its customer has to log in again, or to enter a new key.",
    body: refreshRequestSchema,
    output: refreshAnswerSchema,
    fails: ["NOT_FOUND", "CONFLICT"],
    async handle(services, { who }, { connection_id }) {
      const actor = await actorIn(services, who, await services.refreshes.tenantOf(connection_id));
      return services.refreshes.refresh(actor, connection_id);
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];
