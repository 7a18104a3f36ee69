import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { type Offered, resourceAt } from "./offered.js";
import { guarded, onlyPage, type ServedRequest } from "./served-request.js";

/** Answers `resources/list`, `resources/templates/list` and `resources/read`. */
export function offerResources(server: Server, offered: Offered, request: ServedRequest): void {
  server.setRequestHandler("resources/list", ({ params }) => {
    onlyPage("resources", params);
    return { resources: [...offered.resources.values()].map(({ listed }) => listed) };
  });
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    onlyPage("resource templates", params);
    return { resourceTemplates: offered.templates.map(({ listed }) => listed) };
  });
  const read = guarded(request, async (uri: string) => {
    const resource = resourceAt(offered, uri);
    if (!resource) return null;
    return "matches" in resource ? resource.read(uri, request.context) : resource.read(request.context);
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const found = await read(uri);
    if (!found) throw new ResourceNotFoundError(uri);
    const { contents, ...freshness } = found;
    // Only 2026-07-28, whose requests carry an envelope, knows how long a client may keep what it has read.
    return { contents: [...contents], ...(mcpReq.envelope && freshness) };
  });
}
