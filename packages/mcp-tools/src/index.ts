/*
 * The MCP face of Wealth Connect: ten tools over core's services, prompts and resources, and the handler of /mcp that serves them.
 *
 *   tools/        one file per tool: description, schemas, and the call of a service
 *   prompts/      one file per prompt; resources/ what can be read without calling a tool
 *   offer.ts      the shape of what is offered beside the tools, by an extension too
 *   tool-view.ts  pages that a host shows for a tool's answers (MCP Apps)
 *   call-tool.ts  arguments in, answer or tool error out
 *   http/         the handler: guard, token, session, then a direct answer to tools/call and the SDK's to everything else
 *   testing/      memory version and rules of the deny list of ended sessions
 */
export { type CallContext, callTool, type ToolAnswer, type ToolErrorCode } from "./call-tool.js";
export type { Authenticate, Authentication, Principal, ScopeChallenge } from "./http/authentication.js";
export { createMcpHandler, type McpHandler } from "./http/create-mcp-handler.js";
export type { EndedSessions } from "./http/ended-sessions.js";
export type { CallRecord, McpHandlerDeps, McpLog } from "./http/mcp-handler-deps.js";
export type { SessionKey } from "./http/session-ids.js";
export { instructions } from "./instructions.js";
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
export { listedTools, toolNamed, tools } from "./tool-list.js";
export type { ToolView } from "./tool-view.js";
