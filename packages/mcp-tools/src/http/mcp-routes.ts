import type { RouteFacts } from "@org/http";
import type { McpEndpoint } from "../endpoint.js";
import { BODY_LIMIT } from "./read-message.js";

/** Scopes that the tools of an endpoint need. */
export function toolScopesOf({ tools: { tools } }: McpEndpoint): readonly string[] {
  return [...new Set(tools.map((tool) => tool.scope))];
}

/** Returns the routes of a handler, for a server's route table. People paste the address with a slash at its end. */
export function mcpRoutes(endpoint: McpEndpoint): readonly RouteFacts[] {
  const route: RouteFacts = {
    methods: ["POST", "DELETE"],
    path: endpoint.path,
    family: "mcp",
    scopes: toolScopesOf(endpoint),
    maxBodyBytes: BODY_LIMIT,
    origins: "guarded",
    summary: `MCP, ${endpoint.title}; DELETE ends a session`,
  };
  return [route, { ...route, path: `${endpoint.path}/`, summary: "The same" }];
}
