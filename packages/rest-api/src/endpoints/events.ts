import { type Actor, eventSchema, INSTALLATION_LOG, type TenantActor } from "@org/core";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint, untypedAnswer } from "../endpoint.js";
import { eventSearchSchema, operatorEventSearchSchema } from "../events.js";
import { tokenPageSchema } from "../paging.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const listing = {
  summary: "List events, or wait for them",
  order: "as asked, newest first by default; by sequence",
  output: tokenPageSchema(eventSchema),
} as const;

/** `/events/v1`: a tenant's events. */
export const eventEndpoints = [
  defineEndpoint({
    ...listing,
    path: "/events/v1/list-events",
    holdsLimit: true,
    reads: true,
    operation: "listEvents",
    description:
      "Events are kept for 30 days. Whoever has seen a sequence has missed nothing below it: go on with query.after. With wait_seconds the answer comes as soon as there is something; at most 10 calls of a tenant wait at once.",
    scopes: ["events:read"],
    input: jsonInput(eventSearchSchema),
    fails: [],
    handle: ({ events }, { who, gone }, search) => untypedAnswer(events.list(who.tenant_id, search, gone(), who)),
  }),
] as const satisfies readonly Endpoint<TenantActor>[];

/** `/operator/v1/list-events`: the installation's own events, or a tenant's. */
export const operatorEventEndpoints = [
  operatorEndpoint({
    ...listing,
    path: "/operator/v1/list-events",
    reads: true,
    operation: "listAllEvents",
    description: "Without query.tenant_id the installation's own: mail and providers.",
    body: operatorEventSearchSchema,
    handle: ({ events }, { gone }, { query: { tenant_id, ...query }, ...search }) =>
      untypedAnswer(events.list(tenant_id ?? INSTALLATION_LOG, { query, ...search }, gone())),
  }),
] as const satisfies readonly Endpoint<Actor>[];
