import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Extension, OfferedPrompt, OfferedResource, OfferedTemplate, OfferedTool } from "../offer.js";
import { prompts } from "../prompt-list.js";
import { resources, templates } from "../resource-list.js";
import { toolNamed } from "../tool-list.js";
import { type ToolView, viewCapabilities, viewResource, withViews } from "../tool-view.js";

/** Everything that a handler offers beside the ten tools: its own, and that of its extensions. */
export interface Offered {
  /** The ten tools, as they are listed. */
  readonly ownTools: readonly ListedTool[];
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly prompts: ReadonlyMap<string, OfferedPrompt>;
  readonly resources: ReadonlyMap<string, OfferedResource>;
  /** Pages that hosts show for tools, by address: not listed, because hosts find them through the tools. */
  readonly views: ReadonlyMap<string, OfferedResource>;
  readonly templates: readonly OfferedTemplate[];
  readonly extensions: readonly Extension[];
}

/** Puts together what is offered. Throws when a name or an address is there twice. */
export function offeredWith(own: readonly Extension[], toolViews: readonly ToolView[]): Offered {
  const extensions = toolViews.length > 0 ? [...own, { capabilities: viewCapabilities }] : own;
  const tools = byKey(
    extensions.flatMap((extension) => extension.tools ?? []),
    ({ listed }) => listed.name,
  );
  const taken = [...tools.keys()].filter((name) => toolNamed(name));
  if (taken.length > 0) throw new Error(`an extension offers ${taken.join(", ")}, which is there already`);
  return {
    ownTools: withViews(toolViews),
    tools,
    prompts: byKey(
      [...prompts, ...extensions.flatMap((extension) => extension.prompts ?? [])],
      ({ listed }) => listed.name,
    ),
    resources: byKey(
      [...resources, ...extensions.flatMap((extension) => extension.resources ?? [])],
      ({ listed }) => listed.uri,
    ),
    views: byKey(toolViews.map(viewResource), ({ listed }) => listed.uri),
    templates: [...templates, ...extensions.flatMap((extension) => extension.templates ?? [])],
    extensions,
  };
}

/** The resource, or the form of address, that an address belongs to. */
export function resourceAt(offered: Offered, uri: string): OfferedResource | OfferedTemplate | undefined {
  return (
    offered.resources.get(uri) ?? offered.views.get(uri) ?? offered.templates.find((template) => template.matches(uri))
  );
}

function byKey<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T> {
  const map = new Map(values.map((value) => [keyOf(value), value]));
  if (map.size < values.length) {
    const keys = values.map(keyOf);
    throw new Error(`offered twice: ${keys.filter((key, at) => keys.indexOf(key) < at).join(", ")}`);
  }
  return map;
}
