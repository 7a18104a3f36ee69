import type { IncomingHttpHeaders } from "node:http";
import type { CompleteRequest } from "@modelcontextprotocol/server";
import type { McpEndpoint } from "../endpoint.js";
import type { Completers, Extension, OfferedPrompt, OfferedResource, OfferedTemplate, OfferedTool } from "../offer.js";
import type { ToolScope } from "../tool.js";
import type { ToolSet } from "../tool-set.js";
import { type ToolView, viewCapabilities, viewResource } from "../tool-view.js";
import { isObject, takesStreams } from "./client-envelope.js";

/** Everything that a handler offers: its endpoint's own, and what its extensions add. */
export interface Offered {
  /** The endpoint's own tools. */
  readonly own: ToolSet;
  /** Views that hosts show for some of its own tools. */
  readonly toolViews: readonly ToolView[];
  /** Tools of the extensions. */
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly prompts: ReadonlyMap<string, OfferedPrompt>;
  readonly resources: ReadonlyMap<string, OfferedResource>;
  /** Views by address. They are not listed, because hosts find them through the tools. */
  readonly views: ReadonlyMap<string, OfferedResource>;
  readonly templates: readonly OfferedTemplate[];
  readonly extensions: readonly Extension[];
}

/** Combines everything on offer. Throws when a name or an address occurs twice. */
export function offeredWith(
  endpoint: Pick<McpEndpoint, "tools" | "own">,
  added: readonly Extension[],
  toolViews: readonly ToolView[],
): Offered {
  const { tools: own } = endpoint;
  const extensions: readonly Extension[] = [
    endpoint.own,
    ...added,
    ...(toolViews.length > 0 ? [{ capabilities: viewCapabilities }] : []),
  ];
  const tools = byKey(
    extensions.flatMap((extension) => extension.tools ?? []),
    ({ listed }) => listed.name,
  );
  const taken = [...tools.keys()].filter((name) => own.named(name));
  if (taken.length > 0) throw new Error(`an extension offers ${taken.join(", ")}, which is there already`);
  return {
    own,
    toolViews,
    tools,
    prompts: byKey(
      extensions.flatMap((extension) => extension.prompts ?? []),
      ({ listed }) => listed.name,
    ),
    resources: byKey(
      extensions.flatMap((extension) => extension.resources ?? []),
      ({ listed }) => listed.uri,
    ),
    views: byKey(
      toolViews.map((view) => viewResource(view, own.tools)),
      ({ listed }) => listed.uri,
    ),
    templates: extensions.flatMap((extension) => extension.templates ?? []),
    extensions,
  };
}

/** Returns the scopes that the calls and reads in a request need but the token lacks. One such message makes the whole batch refused. */
export function missingScopes(body: unknown, scopes: ReadonlySet<string>, offered: Offered): ReadonlySet<string> {
  const missing = new Set<string>();
  for (const message of Array.isArray(body) ? body : [body]) {
    const needed = scopeOf(message, offered);
    if (needed !== undefined && !scopes.has(needed)) missing.add(needed);
  }
  return missing;
}

function scopeOf(message: unknown, offered: Offered): ToolScope | undefined {
  if (!isObject(message) || !isObject(message.params)) return undefined;
  const { name, uri } = message.params;
  if (message.method === "tools/call") return typeof name === "string" ? offered.own.named(name)?.scope : undefined;
  if (message.method === "resources/read") return typeof uri === "string" ? resourceAt(offered, uri)?.scope : undefined;
  return undefined;
}

/** Whether the answer is a stream: when something may be sent before it, and the client accepts streams. */
export function isStreamed(
  body: unknown,
  headers: IncomingHttpHeaders,
  client: { readonly showsUrls: boolean; readonly showsForms: boolean },
  { own, tools }: Offered,
): boolean {
  if (!takesStreams(headers) || !isObject(body) || body.method !== "tools/call" || !isObject(body.params)) return false;
  const name = String(body.params.name);
  const tool = own.named(name);
  return (
    tools.has(name) ||
    (client.showsUrls && tool?.urlForUser !== undefined) ||
    (client.showsForms && tool?.questionFirst !== undefined)
  );
}

/** Returns the resource or template for an address. */
export function resourceAt(offered: Offered, uri: string): OfferedResource | OfferedTemplate | undefined {
  return (
    offered.resources.get(uri) ?? offered.views.get(uri) ?? offered.templates.find((template) => template.matches(uri))
  );
}

/** Returns the completers of the prompt or template that a completion refers to; undefined when it does not exist. */
export function completersOf(
  { prompts, templates }: Offered,
  ref: CompleteRequest["params"]["ref"],
): Completers | undefined {
  const owner =
    ref.type === "ref/prompt" ? prompts.get(ref.name) : templates.find(({ listed }) => listed.uriTemplate === ref.uri);
  return owner && (owner.completers ?? {});
}

function byKey<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T> {
  const map = new Map(values.map((value) => [keyOf(value), value]));
  if (map.size < values.length) {
    const keys = values.map(keyOf);
    throw new Error(`offered twice: ${keys.filter((key, at) => keys.indexOf(key) < at).join(", ")}`);
  }
  return map;
}
