import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tool } from "./tool.js";
import { tools } from "./tool-list.js";
import { type ToolView, viewAddress } from "./tool-view.js";

/** The tools as `tools/list` shows them, made once: with the SDK, and not when a server starts. */
export const listedTools: readonly ListedTool[] = tools.map(listed);

/**
 * The tools as `tools/list` shows them, those with a view naming it: in `ui.resourceUri`, and in `ui/resourceUri`, which hosts
 * of before 2026 look for. Every client is told, because hosts show views without declaring that they do, and a list that is the
 * same for all may be kept for all; whoever knows nothing of it passes over `_meta`.
 */
export function withViews(views: readonly ToolView[]): readonly ListedTool[] {
  const shown = new Set(views.map(({ tool }) => tool));
  return listedTools.map((tool) => {
    if (!shown.has(tool.name)) return tool;
    const resourceUri = viewAddress(tool.name);
    return { ...tool, _meta: { ui: { resourceUri }, "ui/resourceUri": resourceUri } };
  });
}

function listed({ name, title, description, icons, annotations, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    icons,
    inputSchema: jsonSchema(input),
    outputSchema: jsonSchema(output),
    annotations: { title, ...annotations },
  };
}

/**
 * JSON Schema of what is sent over the wire. An output schema stays open to further fields: clients validate against the copy
 * that they have kept. `$schema` is left out, because older clients compile with a draft-07 validator and refuse other names.
 */
function jsonSchema(schema: z.ZodObject): ListedTool["inputSchema"] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as ListedTool["inputSchema"];
}
