/*
 * The MCP interface of Wealth Connect: two endpoints over core's services, and the handler that answers either. /mcp has ten tools,
 * prompts and resources; /mcp/analytics has the tools for figures; both have skills (endpoint.ts, bank-skills.ts, analytics-skills.ts).
 *
 * How a request is handled, all in http/create-mcp-handler.ts:
 *   1. `@org/http` checks Host and Origin, then the token; then the body is read (read-message).
 *   2. The body's claims are checked: version, client, capabilities (client-envelope). A legacy session id must be live
 *      (session-ids), the params must fit their method (read-message), the token must have the scopes (offered).
 *   3. A plain tools/call, which is nearly all traffic, is answered directly: direct-call, then call-tool.ts.
 *   4. Everything else goes to the SDK, which the first such request loads: sdk-answers makes a server for this one request (sdk-server),
 *      differently for each protocol era. It lists, reads, prompts, completes and calls what offered has collected.
 *   5. If a tool asks its user first, or shows them a page, elicitation has the client do it.
 * Method, tool and outcome are added to the access log record of the exchange.
 *
 * How a call is handled: call-tool.ts checks the arguments (parameters.ts), runs tools/<tool>.ts, which calls a service of core and
 * writes its answer (page-answer.ts), and converts any failure to a tool error. Only an outage is thrown. It makes no decisions of its own.
 *
 * To add a tool: tools/ and tool-list.ts. A prompt or a resource: prompts/ or resources/, and prompts-and-resources.ts. From
 * outside the package: an Extension (offer.ts). A page that a host shows for a tool's answers: a ToolView (tool-view.ts).
 */
export { type CallContext, callTool, type ToolAnswer, type ToolErrorCode } from "./call-tool.js";
export { analyticsEndpoint, bankEndpoint, type McpEndpoint } from "./endpoint.js";
export { createMcpHandler, type McpHandler } from "./http/create-mcp-handler.js";
export type { CallRecord, McpHandlerDeps, McpLog } from "./http/mcp-handler-deps.js";
export { mcpRoutes } from "./http/mcp-routes.js";
export { SERVER_CARD_TYPE, serverCard } from "./http/server-card.js";
export type { EndedSessions, SessionKey } from "./http/session-ids.js";
export { analyticsInstructions, bankInstructions } from "./instructions.js";
export type {
  Completer,
  Completers,
  Extension,
  OfferContext,
  OfferedPrompt,
  OfferedResource,
  OfferedTemplate,
  OfferedTool,
  RequestContext,
  ResourceContent,
} from "./offer.js";
export type { Tool, ToolHints, ToolScope, ToolServices, UrlForUser } from "./tool.js";
export { analyticsTools, bankTools } from "./tool-list.js";
export type { ToolSet } from "./tool-set.js";
export type { ToolView } from "./tool-view.js";
