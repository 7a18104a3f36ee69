import {
  type Actor,
  connectorListSchema,
  connectorSchema,
  createSessionSchema,
  parseOrRefuse,
  previewSchema,
  sessionConfigurationSchema,
  sessionListSchema,
  sessionSchema,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { connectorFilterSchema } from "../connector-filter-schema.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";

const FILTER_IS_BETA = "The connector filter is BETA: its rules may still change.";

/** `/connect/v2` and `/v2/connect`: the catalogue, the connector filter and Connect sessions (S2 §4, contract §5). */
export const connectEndpoints: readonly Endpoint<Actor>[] = [
  defineEndpoint({
    path: "/connect/v2/connectors/preview-connector-filter",
    operation: "previewConnectorFilter",
    summary: "Preview what a connector filter yields (BETA)",
    description: `${FILTER_IS_BETA} At most 100 connectors a page; a page token belongs to its filter.`,
    scopes: ["connections:read"],
    input: jsonInput(previewSchema.extend({ connector_filter: connectorFilterSchema })),
    output: tokenPageSchema(connectorSchema),
    fails: [],
    handle: ({ connectors }, _call, body) => connectors.preview(body),
  }),
  defineEndpoint({
    path: "/connect/v2/connectors/list-connectors",
    operation: "listConnectors",
    summary: "List connectors",
    scopes: ["connections:read"],
    input: jsonInput(connectorListSchema),
    output: tokenPageSchema(connectorSchema),
    fails: [],
    handle: ({ connectors }, _call, body) => connectors.list(body),
  }),
  defineEndpoint({
    path: "/connect/v2/sessions/create-session",
    alias: "/v2/connect/sessions",
    operation: "createSession",
    summary: "Create a Connect session",
    description: `Answers the session and the widget_url to open for the bank customer. connector_id, connection_id and connector_filter exclude each other. ${FILTER_IS_BETA}`,
    scopes: ["connections:write"],
    input: jsonInput(
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
    operation: "listSessions",
    summary: "List Connect sessions",
    description: "Newest first, at most 100 a page.",
    scopes: ["connections:read"],
    input: jsonInput(sessionListSchema),
    output: tokenPageSchema(sessionSchema),
    fails: [],
    handle: ({ sessions }, { who }, body) => sessions.list(who, body),
  }),
];
