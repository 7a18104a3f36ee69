import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { MAX_LIST } from "@org/core";
import { z } from "zod";
import type { Tool } from "./tool.js";
import { type ToolView, viewAddress } from "./tool-view.js";

/**
 * Returns listed tools with their views. Those with a view name it in `ui.resourceUri`, and in `ui/resourceUri`, which hosts
 * before 2026 look for. Every client gets this, because hosts show views without declaring support, and a list that is the same for
 * all can be cached for all. Clients that do not know it ignore `_meta`.
 */
export function withViews(tools: readonly ListedTool[], views: readonly ToolView[]): readonly ListedTool[] {
  const shown = new Set(views.map(({ tool }) => tool));
  return tools.map((tool) => {
    if (!shown.has(tool.name)) return tool;
    const resourceUri = viewAddress(tool.name);
    return { ...tool, _meta: { ui: { resourceUri }, "ui/resourceUri": resourceUri } };
  });
}

/** Returns a tool in the format of `tools/list`. */
export function listedTool({ name, title, description, icons, annotations, input, output }: Tool): ListedTool {
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
 * Returns the JSON Schema of what is sent over the wire. An output schema allows further fields, because clients validate against the
 * copy that they have cached. `$schema` is omitted, because older clients use a draft-07 validator and refuse other names. What a model
 * does not need is omitted too: bounds that nobody meets, the pattern of a date, which its format says, the codes or the pattern of a list, where
 * those of a single value stand before it, and what JSON Schema allows anyway. Calls are checked by the schema itself.
 */
function jsonSchema(schema: z.ZodObject): ListedTool["inputSchema"] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema: json }) => {
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
      if (json.maxItems === MAX_LIST) delete json.maxItems;
      if (json.minItems === 1) delete json.minItems;
      if (json.format === "date") delete json.pattern;
      if (json.type === "object") delete json.propertyNames;
      if (isAnything(json.additionalProperties)) delete json.additionalProperties;
      const [one, list] = json.anyOf ?? [];
      if ((one?.enum || one?.pattern) && list?.type === "array") list.items = { type: "string" };
    },
  });
  return rest as ListedTool["inputSchema"];
}

/** Whether a schema is `{}`. */
function isAnything(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;
}
