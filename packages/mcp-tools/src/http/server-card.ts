import type { McpEndpoint } from "../endpoint.js";
import { serverIcon } from "../icons.js";
import { LEGACY_VERSIONS, MODERN_VERSION } from "./client-envelope.js";

/** Media type of a server card. */
export const SERVER_CARD_TYPE = "application/mcp-server-card+json";

/**
 * Describes an endpoint to clients that have not connected yet: who it is, where it is, and which protocol versions it serves (SEP-2127,
 * schema v1). It lists no tools, as the extension wants it: those are asked for.
 */
export function serverCard(
  { path, name, title, description }: McpEndpoint,
  { publicUrl, version }: { readonly publicUrl: string; readonly version: string },
): object {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${reversedHost(publicUrl)}/${name}`,
    version,
    title,
    description,
    icons: serverIcon,
    remotes: [
      {
        type: "streamable-http",
        url: `${publicUrl}${path}`,
        supportedProtocolVersions: [MODERN_VERSION, ...LEGACY_VERSIONS],
      },
    ],
  };
}

/** The namespace of an installation: its domain in reverse, such as `com.example.wealth`. */
function reversedHost(publicUrl: string): string {
  const labels = new URL(publicUrl).hostname.split(".").reverse();
  // The brackets and colons of an IPv6 address may not occur in a name.
  return labels.join(".").replace(/[^a-zA-Z0-9.-]+/g, "-");
}
