import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import type { ToolAnswer } from "../call-tool.js";
import { instructions } from "../instructions.js";
import type { Tool } from "../tool.js";
import { listedTools, toolNamed } from "../tool-list.js";

/** How the server names itself. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** Calls a tool for the client whose request is being answered. */
export type ToolCaller = (tool: Tool, args: unknown) => Promise<ToolAnswer>;

/** Shared, because the SDK makes a validator of its own, which is slow, for each server that is given none. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** What clients may keep: the same for everybody, and for a few minutes only, so that a new release shows soon. */
const cacheHint = { ttlMs: 300_000, cacheScope: "public" } as const;

/**
 * A server of the SDK for one request. Never shared: a server or transport that serves two clients can answer one with what
 * belongs to the other (CVE-2026-25536). The low-level class, because the tools' schemas are made once and checked by ourselves.
 */
export function createSdkServer(serverInfo: ServerInfo, call: ToolCaller): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: { listChanged: false } },
    instructions,
    cacheHints: { "tools/list": cacheHint, "server/discover": cacheHint },
    jsonSchemaValidator,
  });
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor: the list of tools is one page");
    return { tools: [...listedTools] };
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = toolNamed(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name.slice(0, 100)} not found`);
    return resultOf(await call(tool, params.arguments));
  });
  return server;
}

function resultOf({ json, error }: ToolAnswer): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: json }];
  return error === null ? { content, structuredContent: JSON.parse(json) } : { content, isError: true };
}
