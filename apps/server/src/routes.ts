import { consoleApiRoutes } from "@org/console-api";
import { createRouteTable, type RouteFacts, type RouteTable } from "@org/http";
import type { Config } from "@org/installation";
import { analyticsEndpoint, bankEndpoint, mcpRoutes } from "@org/mcp-tools";
import { oauthRoutes } from "@org/oauth-server";
import { restRoutes } from "@org/rest-api";
import { widgetRoutes } from "@org/widget";
import { consolePageRoutes } from "./features/console-pages.js";
import { feedSourceRoutes } from "./features/feed-sources.js";
import { frontPageRoutes } from "./features/front-page.js";
import { healthRoutes } from "./features/health.js";
import { logoRoutes } from "./features/logos.js";
import { metricsRoutes } from "./features/metrics.js";
import { notificationRoutes } from "./features/notifications.js";
import { sandboxRoutes } from "./features/sandbox-pages.js";
import { serverCardRoutes } from "./features/server-cards.js";
import { webhookRoutes } from "./features/webhooks.js";

/**
 * Every route of the server. Each request is looked up here once; the entry found decides how it is admitted, answered and named in log and
 * metrics. docs/reference/routes.md is written from it; the OpenAPI document comes from the same rows of the REST API.
 */
export function routesOf({
  metrics,
  letterMaxBytes,
  sandbox,
}: Pick<Config, "metrics" | "letterMaxBytes" | "sandbox">): RouteTable {
  return createRouteTable<RouteFacts>([
    ...mcpRoutes(bankEndpoint),
    ...mcpRoutes(analyticsEndpoint),
    ...serverCardRoutes,
    ...oauthRoutes,
    ...restRoutes({ letterMaxBytes }),
    ...consoleApiRoutes({ letterMaxBytes }),
    ...widgetRoutes,
    ...(sandbox ? sandboxRoutes : []),
    ...logoRoutes,
    ...notificationRoutes,
    ...feedSourceRoutes,
    ...webhookRoutes,
    ...consolePageRoutes,
    ...frontPageRoutes,
    ...healthRoutes,
    ...(metrics ? metricsRoutes : []),
  ]);
}
