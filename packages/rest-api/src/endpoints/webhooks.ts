import {
  type Actor,
  idField,
  labelsSchema,
  moment,
  optional,
  orderField,
  pageSizeSchema,
  type TenantActor,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { eventTypesSchema } from "../events.js";
import { tokenPageSchema } from "../paging.js";
import { expectedVersion } from "../versions.js";
import {
  deliverySchema,
  endpointSchema,
  endpointStates,
  operatorDeliverySchema,
  operatorEndpointSchema,
  shownDeliveryStates,
} from "../webhooks.js";
import { operatorEndpoint, tenantId } from "./operator-endpoint.js";

const id = idField.describe("Of the endpoint.");
const types = z
  .array(z.string().max(100))
  .max(100)
  .describe("Types of events, and families of them such as letter.*; * is all, also those that come later.");
const secret = z
  .string()
  .describe("whsec_ and 32 bytes in Base64, as Standard Webhooks has it. It is shown this once.");
const settings = {
  url: z
    .string()
    .max(2_000, "must have at most 2000 characters")
    .describe("https; http to this machine in development."),
  types: types.optional(),
  labels: labelsSchema
    .optional()
    .describe("Only events of objects that have all of these labels; every event when left out."),
  description: z.string().max(500, "must have at most 500 characters").nullish(),
  enabled: optional(z.boolean()),
};
const deliverySearchSchema = z.strictObject({
  query: z.strictObject({
    endpoint_id: id,
    event_id: optional(idField),
    state_in: z.array(z.enum(shownDeliveryStates)).max(10).optional(),
    type_in: eventTypesSchema,
  }),
  order: orderField("newest"),
  page_token: optional(z.string()),
  page_size: pageSizeSchema(500, 100),
});
const ENDPOINT = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";
const exampleSettings = { url: "https://crm.example/hooks", types: ["letter.*", "connection.needs_relogin"] };
const exampleEndpoint = {
  id: ENDPOINT,
  ...exampleSettings,
  labels: { desk: "zurich" },
  description: null,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  delivered_at: null,
  last_failure: null,
  previous_secret_until: null,
  created_at: "2026-11-22T10:15:30.000Z",
  updated_at: "2026-11-22T10:15:30.000Z",
  version: 196_372_554_816_043,
};

/** `/events/v1`: endpoints to which a tenant has its events delivered. */
export const webhookEndpoints = [
  defineEndpoint({
    path: "/events/v1/create-endpoint",
    operation: "createEndpoint",
    summary: "Create an endpoint that events are sent to",
    description:
      "At most 20 endpoints a tenant, unless its operator has set another limit. What happens from now on is sent; what happened before can be replayed.",
    scopes: ["events:write"],
    input: jsonInput(z.strictObject(settings)),
    output: z.object({ endpoint: endpointSchema, secret }),
    example: {
      body: { ...exampleSettings, labels: { desk: "zurich" } },
      answer: { endpoint: exampleEndpoint, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDo9aQ1J8aGqA=" },
    },
    fails: ["RATE_LIMITED"],
    handle: ({ webhooks }, { who }, body) => webhooks.create(who, body),
  }),
  defineEndpoint({
    path: "/events/v1/list-endpoints",
    reads: true,
    operation: "listEndpoints",
    summary: "List endpoints",
    order: "oldest first (created_at, then id)",
    scopes: ["events:read", "events:write"],
    input: jsonInput(z.strictObject({})),
    output: z.object({ items: z.array(endpointSchema) }),
    fails: [],
    handle: async ({ webhooks }, { who }) => ({ items: await webhooks.list(who) }),
  }),
  defineEndpoint({
    path: "/events/v1/update-endpoint",
    operation: "updateEndpoint",
    summary: "Change an endpoint, or disable or enable it",
    description:
      "What is left out stays as it is. Disabling withdraws what waits to be sent; enabling begins with what happens then, and a replay brings back what was missed.",
    scopes: ["events:write"],
    input: jsonInput(z.strictObject({ id, ...settings, url: optional(settings.url), version: expectedVersion })),
    output: z.object({ endpoint: endpointSchema }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ webhooks }, { who }, { id: endpointId, version, ...change }) => ({
      endpoint: await webhooks.update(who, endpointId, change, version),
    }),
  }),
  defineEndpoint({
    path: "/events/v1/delete-endpoint",
    operation: "deleteEndpoint",
    summary: "Delete an endpoint and the record of its deliveries",
    scopes: ["events:write"],
    input: jsonInput(z.strictObject({ id })),
    output: z.object({ success: z.literal(true) }),
    fails: ["NOT_FOUND"],
    async handle({ webhooks }, { who }, body) {
      await webhooks.remove(who, body.id);
      return { success: true };
    },
  }),
  defineEndpoint({
    path: "/events/v1/test-endpoint",
    operation: "testEndpoint",
    summary: "Send a webhook.test to one endpoint only",
    description: "Answers at once; list-deliveries with this event_id tells what became of it.",
    scopes: ["events:write"],
    input: jsonInput(z.strictObject({ id })),
    output: z.object({ event_id: z.guid() }),
    fails: ["NOT_FOUND", "CONFLICT", "RATE_LIMITED"],
    handle: ({ webhooks }, { who }, body) => webhooks.test(who, body.id),
  }),
  defineEndpoint({
    path: "/events/v1/rotate-secret",
    operation: "rotateEndpointSecret",
    summary: "Give an endpoint a new secret",
    description:
      "The secret before signs too for 24 hours, also when it is replaced again. While two replaced secrets sign, the call is refused.",
    scopes: ["events:write"],
    input: jsonInput(z.strictObject({ id })),
    output: z.object({
      secret,
      previous_until: z.string().describe("Until when the secret before signs too (RFC 3339)."),
    }),
    fails: ["NOT_FOUND", "RATE_LIMITED"],
    handle: ({ webhooks }, { who }, body) => webhooks.rotateSecret(who, body.id),
  }),
  defineEndpoint({
    path: "/events/v1/list-deliveries",
    reads: true,
    operation: "listDeliveries",
    summary: "List an endpoint's deliveries, sent or due, with the last attempt of each",
    order: "as asked, newest event first by default, by sequence",
    description: "Kept as long as the events, for 30 days.",
    scopes: ["events:read", "events:write"],
    input: jsonInput(deliverySearchSchema),
    output: tokenPageSchema(deliverySchema),
    fails: ["NOT_FOUND"],
    handle: ({ webhooks }, { who }, body) => webhooks.deliveries(who, body),
  }),
  defineEndpoint({
    path: "/events/v1/replay",
    operation: "replayEvents",
    summary: "Send stored events to an endpoint again",
    description:
      "Events that the endpoint asks for now, oldest first, whether they were delivered or not; what waits already is left alone. All conditions hold together. At most 10,000 in one call: next_after goes on behind the last of them.",
    scopes: ["events:write"],
    input: jsonInput(
      z.strictObject({
        endpoint_id: id,
        since: optional(moment),
        until: optional(moment),
        event_ids: z.array(idField).min(1).max(1_000).optional(),
        types: types.optional(),
        after: optional(idField).describe("An event's id: goes on behind it."),
      }),
    ),
    output: z.object({
      queued: z.int().min(0).describe("How many are sent once more."),
      next_after: z
        .guid()
        .nullable()
        .describe("The last event of this call, behind which there are more; null when these were all."),
    }),
    fails: ["NOT_FOUND", "CONFLICT", "RATE_LIMITED"],
    handle: ({ webhooks }, { who }, body) => webhooks.replay(who, body),
  }),
] as const satisfies readonly Endpoint<TenantActor>[];

const oneForOperators = z.object({ endpoint: operatorEndpointSchema });

/** `/operator/v1/webhooks`: endpoints of all tenants, shown by host. */
export const operatorWebhookEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/webhooks/list",
    reads: true,
    operation: "listWebhookEndpoints",
    summary: "List endpoints of a tenant, or of all, with how they stand",
    order: "by tenant_id, then id",
    body: z.strictObject({
      tenant_id: optional(tenantId),
      state_in: z.array(z.enum(endpointStates)).max(10).optional(),
      page_token: optional(z.string()),
      page_size: pageSizeSchema(500, 100),
    }),
    output: tokenPageSchema(operatorEndpointSchema),
    handle: ({ webhookAdmin }, _call, search) => webhookAdmin.list(search),
  }),
  operatorEndpoint({
    path: "/operator/v1/webhooks/list-deliveries",
    reads: true,
    operation: "listWebhookDeliveries",
    summary: "List an endpoint's deliveries, sent or due, without its receiver's answers",
    order: "as asked, newest event first by default, by sequence",
    body: deliverySearchSchema,
    output: tokenPageSchema(operatorDeliverySchema),
    fails: ["NOT_FOUND"],
    handle: ({ webhookAdmin }, { who }, search) => webhookAdmin.deliveries(who, search),
  }),
  ...([true, false] as const).map((enabled) =>
    operatorEndpoint({
      path: `/operator/v1/webhooks/${enabled ? "enable" : "disable"}` as const,
      operation: enabled ? "enableWebhookEndpoint" : "disableWebhookEndpoint",
      summary: enabled ? "Send to an endpoint again" : "Send nothing more to an endpoint",
      description: enabled
        ? "It gets what happens from now on; its tenant may replay what it has missed."
        : "What waits is withdrawn. Its tenant may enable it again: switch the tenant or its application off where that must not be.",
      body: z.strictObject({ id }),
      output: oneForOperators,
      fails: ["NOT_FOUND"],
      handle: async ({ webhookAdmin }, { who }, body) => ({
        endpoint: await webhookAdmin.setEnabled(who, body.id, enabled),
      }),
    }),
  ),
] as const satisfies readonly Endpoint<Actor>[];
