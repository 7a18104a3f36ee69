/*
 * The MCP face of Wealth Connect: ten tools over core's services, prompts and resources, and the handler of /mcp.
 *
 * The way of one request, all of it in http/create-mcp-handler.ts:
 *   1. Host and Origin, then the token, by `@org/http`; then the body (read-message).
 *   2. What the body says of itself: version, client, capabilities (client-envelope). A legacy session id must be alive
 *      (session-ids), the params must fit their method (read-message), the token must have the scopes (offered).
 *   3. A plain tools/call, which is nearly all there is, is answered at once: direct-call, then call-tool.ts.
 *   4. Everything else is the SDK's, which the first such request loads: sdk-answers makes a server for this one request (sdk-server),
 *      in one way for each protocol era. It lists, reads, prompts, completes and calls what offered has put together.
 *   5. Where a tool asks its user first, or shows them a page, elicitation has the client do it.
 * The access log of whoever began the exchange hears method, tool and outcome.
 *
 * The way of one call: call-tool.ts checks the arguments (parameters.ts), runs tools/<tool>.ts, which calls a service of core and
 * writes its answer (page-answer.ts), and turns whatever goes wrong into a tool error. It never throws and decides nothing.
 *
 * To add a tool: tools/ and tool-list.ts. A prompt or a resource: prompts/ or resources/, and prompts-and-resources.ts. From
 * outside the package: an Extension (offer.ts). A page that a host shows for a tool's answers: a ToolView (tool-view.ts).
 */
export { type CallContext, callTool, type ToolAnswer, type ToolErrorCode } from "./call-tool.js";
export { createMcpHandler, type McpHandler, mcpRoutes } from "./http/create-mcp-handler.js";
export type { CallRecord, McpHandlerDeps, McpLog } from "./http/mcp-handler-deps.js";
export type { EndedSessions, SessionKey } from "./http/session-ids.js";
export { instructions } from "./instructions.js";
export { listedTools } from "./listed-tools.js";
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
export { toolNamed, tools } from "./tool-list.js";
export type { ToolView } from "./tool-view.js";
