import {
  CoreError,
  connectorListSchema,
  connectorSchema,
  createSessionSchema,
  idField,
  invalid,
  invalidValue,
  listedSessionSchema,
  parseOrRefuse,
  previewSchema,
  refreshAnswerSchema,
  refreshRequestSchema,
  sessionConfigurationSchema,
  sessionListSchema,
  sessionSchema,
  type TenantActor,
} from "@org/core";
import { z } from "zod";
import { jsonInput, uncheckedJsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";

/**
 * The connector filter for the API document (S2 §2). `@org/connector-filter` does the checking, because its messages are better
 * than a schema's; a test keeps the two consistent.
 */
export const connectorFilterSchema = z
  .strictObject({
    rules: z.array(
      z.strictObject({
        action: z.enum(["include", "exclude"]),
        field: z.enum(["connector_id", "countries", "type"]),
        value: z
          .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
          .describe("`*` matches every connector and is allowed only with connector_id, alone."),
      }),
    ),
  })
  .describe("BETA. Rules apply in order: exclude removes matching connectors, include adds them back.");

const FILTER_IS_BETA = "The connector filter is BETA: its rules may still change.";

/** Names a session that is to end. */
/** What replacing a session does. */
export const RENEWAL =
  "For a link that was lost: the session ends as by ending it, and another one for the same bank, customer and settings is answered with its widget_url, all or nothing. 409 when it has ended.";

export const endSessionSchema = z.strictObject({ session_id: idField });

/** `/connect/v2` and `/v2/connect`: the catalogue, the connector filter, Connect sessions and refreshes (S2 §4, contract §5). */
export const connectEndpoints = [
  defineEndpoint({
    path: "/connect/v2/connectors/preview-connector-filter",
    holdsLimit: true,
    reads: true,
    operation: "previewConnectorFilter",
    summary: "Preview what a connector filter yields (BETA)",
    order: "by id",
    description: `${FILTER_IS_BETA} At most 100 connectors a page; a page token belongs to its filter.`,
    scopes: ["connections:read"],
    input: uncheckedJsonInput(previewSchema.extend({ connector_filter: connectorFilterSchema })),
    output: tokenPageSchema(connectorSchema).extend({
      warnings: z
        .array(z.object({ field: z.string(), message: z.string() }))
        .optional()
        .describe(
          "Ids, types and countries of the filter that no available connector has, at most 100; left out when there are none.",
        ),
    }),
    fails: [],
    handle: ({ connectors }, { who }, body) => connectors.preview(body, who.tenant_id),
  }),
  defineEndpoint({
    path: "/connect/v2/connectors/list-connectors",
    holdsLimit: true,
    reads: true,
    operation: "listConnectors",
    summary: "List connectors",
    order: "by id",
    scopes: ["connections:read"],
    input: uncheckedJsonInput(connectorListSchema),
    output: tokenPageSchema(connectorSchema),
    fails: [],
    handle: ({ connectors }, { who }, body) => connectors.list(body, who.tenant_id),
  }),
  defineEndpoint({
    path: "/connect/v2/sessions/create-session",
    holdsLimit: true,
    alias: "/v2/connect/sessions",
    operation: "createSession",
    summary: "Create a Connect session",
    description: `Answers the session and the widget_url to open for the bank customer. connector_id, connection_id and connector_filter exclude each other. A filter that leaves no connector is refused, on the rule that removed the last one. ${FILTER_IS_BETA}`,
    scopes: ["connections:write"],
    input: uncheckedJsonInput(
      createSessionSchema.extend({
        configuration: sessionConfigurationSchema
          .extend({ connector_filter: connectorFilterSchema.nullish() })
          .default({}),
      }),
    ),
    output: z.object({ session: sessionSchema, widget_url: z.string() }),
    fails: [],
    handle({ sessions }, { who }, body) {
      const { configuration } = parseOrRefuse(createSessionSchema, body);
      return sessions.create(who, configuration, "configuration");
    },
  }),
  defineEndpoint({
    path: "/connect/v2/sessions/list-sessions",
    holdsLimit: true,
    reads: true,
    operation: "listSessions",
    summary: "List Connect sessions",
    order: "as asked, newest first by default; by session_id",
    description: "At most 100 a page.",
    scopes: ["connections:read"],
    input: uncheckedJsonInput(sessionListSchema),
    output: tokenPageSchema(listedSessionSchema),
    fails: [],
    handle: ({ sessions }, { who }, body) => sessions.list(who, body),
  }),
  defineEndpoint({
    path: "/connect/v2/sessions/end-session",
    holdsLimit: true,
    operation: "stopSession",
    summary: "End a Connect session early",
    description:
      "Its widget_url stops working at once, and the session becomes Finished:Aborted without an error_code. 409 when it has ended.",
    scopes: ["connections:write"],
    input: jsonInput(endSessionSchema),
    output: z.object({ session: sessionSchema }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ sessions }, { who }, { session_id }) => ({ session: await sessions.end(who, session_id) }),
  }),
  defineEndpoint({
    path: "/connect/v2/sessions/renew-link",
    holdsLimit: true,
    operation: "renewSessionLink",
    summary: "Replace an open Connect session with a new one",
    description: RENEWAL,
    scopes: ["connections:write"],
    input: jsonInput(endSessionSchema),
    output: z.object({ session: sessionSchema, widget_url: z.string() }),
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: ({ sessions }, { who }, { session_id }) => sessions.renewLink(who, session_id),
  }),
  defineEndpoint({
    path: "/connect/v2/connections/refresh",
    holdsLimit: true,
    operation: "refreshConnection",
    summary: "Refresh a bank connection now",
    description:
      "At most every 15 minutes for each connection, refreshes by plan included: 429 with Retry-After before. Answers what became of it, or under_way after 20 seconds. 409 when its data come as files, or when its customer has to log in again, or to enter a new key.",
    scopes: ["connections:write"],
    input: jsonInput(refreshRequestSchema),
    output: refreshAnswerSchema,
    fails: ["CONFLICT"],
    async handle({ refreshes }, { who }, { connection_id }) {
      try {
        return await refreshes.refresh(who, connection_id);
      } catch (error) {
        // In this family an unknown id in a body is a fault of its field (contract §9).
        if (!(error instanceof CoreError) || error.code !== "NOT_FOUND") throw error;
        throw invalid(invalidValue("connection_id", "must be the id of a connection"));
      }
    },
  }),
] as const satisfies readonly Endpoint<TenantActor>[];
