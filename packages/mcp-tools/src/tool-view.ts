import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { OfferedResource } from "./offer.js";
import type { Tool } from "./tool.js";

/** A page that hosts of the MCP Apps extension (SEP-1865) show for a tool's answers. */
export interface ToolView {
  /** Name of the tool. */
  readonly tool: string;
  /** A complete HTML document that loads nothing: scripts and styles are inline. */
  readonly html: string;
}

/** Media type by which hosts recognize such a page. */
const VIEW_TYPE = "text/html;profile=mcp-app";
const KEEP_MS = 3_600_000;

/** Declares the extension, for a server with views. */
export const viewCapabilities: ServerCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [VIEW_TYPE] } },
};

/** Returns the address of a tool's view. */
export function viewAddress(tool: string): string {
  return `ui://wealth-connect/${tool}`;
}

/**
 * Makes the resource of a view of one of `tools`. Any token may read it, because it contains no data. Its policy allows no host for loading or
 * connecting.
 */
export function viewResource({ tool, html }: ToolView, tools: readonly Tool[]): OfferedResource {
  const uri = viewAddress(tool);
  const title = tools.find(({ name }) => name === tool)?.title;
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
