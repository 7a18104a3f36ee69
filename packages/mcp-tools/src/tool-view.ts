import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { OfferedResource } from "./offer.js";
import { toolNamed } from "./tool-list.js";

/** A page that hosts of the MCP Apps extension (SEP-1865) show for a tool's answers. */
export interface ToolView {
  /** Name of the tool. */
  readonly tool: string;
  /** A whole HTML document that loads nothing: scripts and styles are in it. */
  readonly html: string;
}

/** The type that hosts recognise such a page by. */
const VIEW_TYPE = "text/html;profile=mcp-app";
const KEEP_MS = 3_600_000;

/** Declares the extension, for a server that has views. */
export const viewCapabilities: ServerCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [VIEW_TYPE] } },
};

/** Address of the view of a tool. */
export function viewAddress(tool: string): string {
  return `ui://wealth-connect/${tool}`;
}

/**
 * What reading the address of a view answers, to anybody with a token: it holds no data. Its policy names no host to load from or
 * to talk to.
 */
export function viewResource({ tool, html }: ToolView): OfferedResource {
  const uri = viewAddress(tool);
  const title = toolNamed(tool)?.title;
  if (title === undefined) throw new Error(`a view is for ${tool}, which is no tool`);
  const _meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };
  return {
    listed: { uri, name: `${tool}-view`, title, mimeType: VIEW_TYPE, _meta },
    read: () => ({
      contents: [{ uri, mimeType: VIEW_TYPE, text: html, _meta }],
      ttlMs: KEEP_MS,
      cacheScope: "public",
    }),
  };
}
