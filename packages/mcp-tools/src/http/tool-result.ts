import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolAnswer } from "../call-tool.js";

/** The result of a call as the protocol has it: the structured answer, and the same as text. */
export function toolResult({ json, error }: ToolAnswer): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: json }];
  return error === null ? { content, structuredContent: JSON.parse(json) } : { content, isError: true };
}
