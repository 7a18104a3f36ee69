import { createHash } from "node:crypto";
import { answerEmpty, answerText, anyOriginHeaders, preflightHeaders, type RouteFacts } from "@org/http";
import { analyticsEndpoint, bankEndpoint, type McpEndpoint, SERVER_CARD_TYPE, serverCard } from "@org/mcp-tools";
import { type Request, type Response, Router } from "express";
import packageJson from "../../package.json" with { type: "json" };
import type { Feature, Platform } from "../feature.js";

const HOUR_SECONDS = 3_600;
const METHODS = ["GET", "HEAD"];
const ENDPOINTS = [bankEndpoint, analyticsEndpoint];

/** The address that the extension reserves for the card of an MCP server. */
const cardPath = ({ path }: Pick<McpEndpoint, "path">) => `${path}/server-card`;
const CATALOG_PATH = "/.well-known/ai-catalog.json";

const document = { methods: METHODS, family: "mcp", scopes: [], maxBodyBytes: null, origins: "any" } as const;

/** The routes of {@link serverCards}. */
export const serverCardRoutes: readonly RouteFacts[] = [
  ...ENDPOINTS.map(
    (endpoint): RouteFacts => ({
      ...document,
      path: cardPath(endpoint),
      summary: `The server card of ${endpoint.title} (SEP-2127)`,
    }),
  ),
  { ...document, path: CATALOG_PATH, summary: "Where the server cards are (AI Catalog 0.9)" },
];

/** Documents by which clients find the MCP servers of this installation, without signing in. They do not change while the server runs. */
export function serverCards({ publicUrl }: Pick<Platform, "publicUrl">): Feature {
  const facts = { publicUrl, version: packageJson.version };
  const { hostname } = new URL(publicUrl);
  const catalog = {
    specVersion: "0.9",
    entries: ENDPOINTS.map((endpoint) => ({
      identifier: `urn:air:${hostname}:${endpoint.name}:mcp`,
      type: SERVER_CARD_TYPE,
      url: `${publicUrl}${cardPath(endpoint)}`,
    })),
  };
  const router = Router({ caseSensitive: true, strict: true });
  for (const endpoint of ENDPOINTS) publish(router, cardPath(endpoint), SERVER_CARD_TYPE, serverCard(endpoint, facts));
  publish(router, CATALOG_PATH, "application/ai-catalog+json", catalog);
  return { routes: { handle: router } };
}

/** Publishes a document for any web page. A page that sends `If-None-Match` asks before, with a preflight. */
function publish(router: Router, path: string, type: string, content: object): void {
  const text = JSON.stringify(content);
  const headers = {
    ...anyOriginHeaders,
    "Access-Control-Expose-Headers": `${anyOriginHeaders["Access-Control-Expose-Headers"]}, ETag`,
    "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
    ETag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 16)}"`,
  };
  router.get(path, (request: Request, response: Response) => {
    response.set(headers);
    // `fresh`: the client's copy has the same entity tag.
    if (request.fresh) answerEmpty(response, 304, headers);
    else answerText(response, 200, type, text, headers);
  });
  const requestHeaders = ["Content-Type", "If-None-Match"];
  router.options(path, (request: Request, response: Response) => {
    const facts = { methods: METHODS, requestHeaders, maxAgeSeconds: HOUR_SECONDS };
    answerEmpty(response, 204, { ...anyOriginHeaders, ...preflightHeaders(facts, request.headers) });
  });
}
