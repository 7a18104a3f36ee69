import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { listedTool } from "./listed-tools.js";
import type { Tool } from "./tool.js";

/** The tools of one MCP server. */
export interface ToolSet {
  readonly tools: readonly Tool[];
  /** Returns the tool with this name, if there is one. */
  named(name: string): Tool | undefined;
  /** Returns the tools in the format of `tools/list`. They are made on first use: no server needs them to start. */
  listed(): readonly ListedTool[];
}

/** @param tools in the order of `tools/list` */
export function createToolSet(tools: readonly Tool[]): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let made: readonly ListedTool[] | undefined;
  return {
    tools,
    named: (name) => byName.get(name),
    listed() {
      made ??= tools.map(listedTool);
      return made;
    },
  };
}
