import { createRouteTable, type RouteFacts, type RouteTable } from "@org/http";
import type { Config } from "@org/installation";
import { restRoutes } from "@org/rest-api";
import { widgetRoutes } from "@org/widget";
import { healthRoutes } from "./features/health.js";
import { metricsRoutes } from "./features/metrics.js";

/**
 * Every route of the server. The access log and the metrics name requests by it, and docs/routes.md is written from it; the OpenAPI
 * document comes from the same rows of the REST API.
 */
export function routesOf({ metrics, letterMaxBytes }: Pick<Config, "metrics" | "letterMaxBytes">): RouteTable {
  return createRouteTable<RouteFacts>([
    ...rows,
    ...restRoutes({ letterMaxBytes }),
    ...widgetRoutes,
    ...healthRoutes,
    ...(metrics ? metricsRoutes : []),
  ]);
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
];
