import {
  type Actor,
  createSessionSchema,
  listedSessionSchema,
  parseOrRefuse,
  sessionConfigurationSchema,
  sessionListSchema,
  sessionSchema,
} from "@org/core";
import { z } from "zod";
import { uncheckedJsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";
import { connectorFilterSchema, endSessionSchema, RENEWAL } from "./connect.js";
import { actorIn, operatorEndpoint, tenantId } from "./operator-endpoint.js";

/** The service reports every fault of a configuration itself. */
const creation = z.strictObject({ tenant_id: tenantId, configuration: z.looseObject({}).default({}) });

/** `/operator/v1/sessions`: links for a tenant's customers, to connect a bank or to log in again. */
export const operatorSessionEndpoints = [
  defineEndpoint({
    path: "/operator/v1/sessions/create",
    operation: "createSessionForTenant",
    summary: "Create a Connect session for a customer of a tenant",
    description:
      "As the tenant would, but without redirect_url, which belongs to its applications. Whoever has the widget_url can connect a bank for the tenant.",
    scopes: ["operator"],
    input: uncheckedJsonInput(
      createSessionSchema.extend({
        tenant_id: tenantId,
        configuration: sessionConfigurationSchema
          .omit({ redirect_url: true })
          .extend({ connector_filter: connectorFilterSchema.nullish() })
          .default({}),
      }),
    ),
    output: z.object({ session: sessionSchema, widget_url: z.string() }),
    fails: ["NOT_FOUND"],
    async handle(services, { who }, body) {
      const { tenant_id, configuration } = parseOrRefuse(creation, body);
      return services.sessions.create(await actorIn(services, who, tenant_id), configuration, "configuration");
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/sessions/list",
    reads: true,
    operation: "listSessionsOfTenant",
    summary: "List the Connect sessions of a tenant",
    order: "as asked, newest first by default; by session_id",
    description: "At most 100 a page; without widget_url, which is for the customer.",
    body: sessionListSchema.extend({ tenant_id: tenantId }),
    output: tokenPageSchema(listedSessionSchema.omit({ widget_url: true })),
    fails: ["NOT_FOUND"],
    async handle(services, { who }, { tenant_id, ...search }) {
      const { items, next_page_token } = await services.sessions.list(await actorIn(services, who, tenant_id), search);
      return { items: items.map(({ widget_url: _, ...session }) => session), next_page_token };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/sessions/end",
    operation: "stopSessionOfTenant",
    summary: "End a Connect session of a tenant before its time",
    description: "Its widget_url stops working at once. 409 when it has ended.",
    body: endSessionSchema.extend({ tenant_id: tenantId }),
    output: z.object({ session: sessionSchema }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async (services, { who }, { tenant_id, session_id }) => ({
      session: await services.sessions.end(await actorIn(services, who, tenant_id), session_id),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/sessions/renew-link",
    operation: "renewSessionLinkOfTenant",
    summary: "Replace an open Connect session of a tenant by a new one",
    description: RENEWAL,
    body: endSessionSchema.extend({ tenant_id: tenantId }),
    output: z.object({ session: sessionSchema, widget_url: z.string() }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async (services, { who }, { tenant_id, session_id }) =>
      services.sessions.renewLink(await actorIn(services, who, tenant_id), session_id),
  }),
] as const satisfies readonly Endpoint<Actor>[];
