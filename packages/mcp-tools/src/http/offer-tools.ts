import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import { toolNamed } from "../tool-list.js";
import type { Offered } from "./offered.js";
import { contextInRounds, guarded, onlyPage, type ServedRequest } from "./served-request.js";
import { showUrl } from "./show-url.js";
import { toolResult } from "./tool-result.js";

/** Answers `tools/list` and `tools/call`. */
export function offerTools(server: Server, { ownTools, tools }: Offered, request: ServedRequest): void {
  server.setRequestHandler("tools/list", ({ params }) => {
    onlyPage("tools", params);
    return { tools: [...ownTools, ...[...tools.values()].map(({ listed }) => listed)] };
  });
  server.setRequestHandler("tools/call", async ({ params }, sdk): Promise<CallToolResult | InputRequiredResult> => {
    const context = contextInRounds(request, `tool ${params.name}`, sdk);
    const extra = tools.get(params.name);
    if (extra) return guarded(request, () => extra.call(params.arguments ?? {}, context))();
    const tool = toolNamed(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name.slice(0, 100)} not found`);
    const call = () => request.call(tool, params.arguments);
    return tool.urlForUser && request.showsUrls ? showUrl(tool.urlForUser, call, context) : toolResult(await call());
  });
}
