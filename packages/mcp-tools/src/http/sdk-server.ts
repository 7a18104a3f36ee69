import { mergeCapabilities, Server, type ServerCapabilities } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { serverIcon } from "../icons.js";
import { instructions } from "../instructions.js";
import { offerCompletions } from "./offer-completions.js";
import { offerPrompts } from "./offer-prompts.js";
import { offerResources } from "./offer-resources.js";
import { offerTools } from "./offer-tools.js";
import type { Offered } from "./offered.js";
import type { ServedRequest } from "./served-request.js";

/** How the server names itself. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** Shared, because the SDK makes a validator of its own, which is slow, for each server that is given none. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** What clients may keep: the same for everybody, and for a few minutes only, so that a new release shows soon. */
const cacheHint = { ttlMs: 300_000, cacheScope: "public" } as const;
const cacheHints = {
  "server/discover": cacheHint,
  "tools/list": cacheHint,
  "prompts/list": cacheHint,
  "resources/list": cacheHint,
  "resources/templates/list": cacheHint,
};

const capabilities: ServerCapabilities = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false, subscribe: false },
  completions: {},
};

/**
 * A server of the SDK for one request. Never shared: a server or transport that serves two clients can answer one with what
 * belongs to the other (CVE-2026-25536). The low-level class, because the tools' schemas are made once and checked by ourselves.
 */
export function createSdkServer(serverInfo: ServerInfo, offered: Offered, request: ServedRequest): Server {
  const server = new Server(introduction(serverInfo, request.method), {
    capabilities: offered.extensions.reduce<ServerCapabilities>(
      (all, extension) => mergeCapabilities(all, extension.capabilities ?? {}),
      capabilities,
    ),
    instructions,
    cacheHints,
    jsonSchemaValidator,
  });
  offerTools(server, offered, request);
  offerPrompts(server, offered, request);
  offerResources(server, offered, request);
  offerCompletions(server, offered, request);
  for (const { register } of offered.extensions) register?.(server);
  return server;
}

/** The icon goes along where a client gets to know the server, not with every result. */
function introduction(serverInfo: ServerInfo, method: string | undefined) {
  return method === "initialize" || method === "server/discover" ? { ...serverInfo, icons: serverIcon } : serverInfo;
}
