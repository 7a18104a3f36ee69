import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Config } from "@org/installation";
import express, { type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import type { Composition } from "./compose.js";
import { healthRoutes, type Readiness } from "./health.js";
import { iconRoute } from "./icon.js";
import type { Logger } from "./log.js";
import type { Metrics } from "./metrics.js";

/**
 * The HTTP side: `/mcp` and `/token` are answered before express, which would cost them much of their speed; everything else
 * is express.
 * Time limits: headers 15 s, a whole request 5 min (a letter over a slow line), idle connections 65 s.
 */
export function createHttpServer(deps: {
  config: Config;
  product: () => Composition | null;
  ready: () => Promise<Readiness>;
  log: Logger;
  metrics: Metrics;
}): Server {
  const app = createApp(deps);
  const server = createServer((request, response) => {
    const started = performance.now();
    response.once("close", () =>
      deps.metrics.requestAnswered({
        route: routeOf(request),
        status: response.statusCode,
        milliseconds: performance.now() - started,
      }),
    );
    const product = deps.product();
    if (product && isAt(request, "/mcp")) void product.mcp.handle(request, response);
    else if (product && isAt(request, "/token")) void product.oauth.token(request, response);
    else app(request, response);
  });
  server.headersTimeout = 15_000;
  server.requestTimeout = 300_000;
  server.keepAliveTimeout = 65_000;
  return server;
}

function createApp({ config, product, ready, log, metrics }: Parameters<typeof createHttpServer>[0]) {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  if (config.trustProxy !== undefined) app.set("trust proxy", config.trustProxy);
  // The pages set their own policy, which is stricter; APIs are not pages.
  app.use(
    helmet({
      contentSecurityPolicy: false,
      crossOriginResourcePolicy: false,
      crossOriginOpenerPolicy: false,
      hsts: config.publicUrl?.startsWith("https://") ?? false,
    }),
  );
  app.use(healthRoutes({ ready }));
  app.use(iconRoute());
  if (config.metrics)
    app.get("/metrics", async (_request: Request, response: Response) => {
      const { text, contentType } = await metrics.render();
      response.type(contentType).send(text);
    });
  app.use((request: Request, response: Response, next: NextFunction) => {
    const composed = product();
    if (composed)
      composed.oauth.router(request, response, () =>
        composed.rest(request, response, () => composed.widget(request, response, next)),
      );
    else
      response
        .status(503)
        .set("Retry-After", "5")
        .json({ error: "the service is starting, or its database is not migrated: see /readyz" });
  });
  app.use((_request: Request, response: Response) => {
    response.status(404).json({ error: "there is nothing at this address" });
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status = statusOf(error);
    if (status >= 500) log.error({ err: error }, "request failed");
    response.status(status).json({ error: status >= 500 ? "Internal Error" : "the request cannot be read" });
  });
  return app;
}

function isAt({ url = "" }: IncomingMessage, path: string): boolean {
  return url === path || url.startsWith(`${path}?`);
}

const routes = [
  "/mcp",
  "/token",
  "/revoke",
  "/register",
  "/authorize",
  "/grants",
  "/letters/v1",
  "/connect/v2",
  "/v2/connect",
  "/operator/v1",
  "/connect",
  "/.well-known",
  "/healthz",
  "/readyz",
  "/openapi.json",
];

/** Few values, so that metrics stay small whatever clients ask for; a widget's address holds a secret and must not get in. */
function routeOf({ url = "" }: IncomingMessage): string {
  return routes.find((route) => url === route || url.startsWith(`${route}/`) || url.startsWith(`${route}?`)) ?? "other";
}

function statusOf(error: unknown): number {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : 500;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}
