import { createRouteTable, type RouteFacts, type RouteTable } from "@org/http";
import type { Config } from "@org/installation";
import { widgetRoutes } from "@org/widget";
import { healthRoutes } from "./features/health.js";
import { metricsRoutes } from "./features/metrics.js";

/**
 * Every route of the server. The access log and the metrics name requests by it, and docs/routes.md is written from it; the OpenAPI
 * document comes from the same rows of the REST API.
 */
export function routesOf({ metrics }: Pick<Config, "metrics">): RouteTable {
  return createRouteTable([...healthRoutes, ...(metrics ? metricsRoutes : []), ...rows, ...widgetRoutes]);
}

const row = (path: string, family: string): RouteFacts => ({
  methods: [],
  path,
  family,
  scopes: [],
  maxBodyBytes: null,
  origins: "guarded",
  summary: "",
});
const rows: readonly RouteFacts[] = [
  ...["/token", "/revoke", "/register", "/authorize", "/authorize/*", "/grants", "/grants/*", "/.well-known/*"].map(
    (path) => row(path, "oauth"),
  ),
  row("/mcp", "mcp"),
  row("/openapi.json", "openapi"),
  ...["/letters/v1/*", "/connect/v2/*", "/v2/connect/*", "/operator/v1/*"].map((path) => row(path, "rest")),
];
