import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { CoreError } from "@org/core";
import type { RequestContext } from "../offer.js";
import { type Offered, resourceAt } from "./offered.js";
import { onlyPage } from "./served-request.js";

/** Answers `resources/list`, `resources/templates/list` and `resources/read`. */
export function offerResources(server: Server, offered: Offered, context: RequestContext): void {
  server.setRequestHandler("resources/list", ({ params }) => {
    onlyPage("resources", params);
    return { resources: [...offered.resources.values()].map(({ listed }) => listed) };
  });
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    onlyPage("resource templates", params);
    return { resourceTemplates: offered.templates.map(({ listed }) => listed) };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const found = await read(offered, uri, context);
    if (!found) throw new ResourceNotFoundError(uri);
    const { contents, ...freshness } = found;
    // Only 2026-07-28, whose requests carry an envelope, knows how long a client may keep what it has read.
    return { contents: [...contents], ...(mcpReq.envelope && freshness) };
  });
}

async function read(offered: Offered, uri: string, context: RequestContext) {
  const resource = resourceAt(offered, uri);
  try {
    if (!resource) return null;
    return await ("matches" in resource ? resource.read(uri, context) : resource.read(context));
  } catch (error) {
    if (error instanceof CoreError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw error;
  }
}
