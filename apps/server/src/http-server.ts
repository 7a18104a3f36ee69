import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Config } from "@org/installation";
import express, { type NextFunction, type Request, type Response, Router } from "express";
import helmet from "helmet";
import type { Feature, Routes } from "./feature.js";
import type { Logger } from "./log.js";

/** The HTTP side of the server, on which features are mounted. */
export interface HttpServer {
  readonly server: Server;
  /** Adds a feature's routes behind those that are there. */
  mount(feature: Feature): void;
  /** From now on 404 is the answer where nothing is mounted, until then 503. */
  complete(): void;
}

/**
 * Direct routes are answered before express, which would cost them much of their speed; everything else is express.
 * Time limits: headers 15 s, a whole request 5 min (a letter over a slow line), idle connections 65 s.
 */
export function createHttpServer({
  config,
  log,
  onAnswered,
}: {
  config: Config;
  log: Logger;
  onAnswered: (request: { route: string; status: number; milliseconds: number }) => void;
}): HttpServer {
  const mounted = Router();
  const direct = new Map<string, NonNullable<Routes["direct"]>[string]>();
  let isComplete = false;
  const app = createApp({ config, mounted, isComplete: () => isComplete, log });
  const server = createServer((request, response) => {
    const started = performance.now();
    response.once("close", () =>
      onAnswered({
        route: routeOf(request),
        status: response.statusCode,
        milliseconds: performance.now() - started,
      }),
    );
    const answer = direct.get(pathOf(request));
    if (answer) void answer(request, response);
    else app(request, response);
  });
  server.headersTimeout = 15_000;
  server.requestTimeout = 300_000;
  server.keepAliveTimeout = 65_000;
  return {
    server,
    mount({ routes }) {
      if (routes?.handle) mounted.use(routes.handle);
      for (const [path, answer] of Object.entries(routes?.direct ?? {})) direct.set(path, answer);
    },
    complete() {
      isComplete = true;
    },
  };
}

function createApp(deps: {
  config: Config;
  mounted: Router;
  isComplete: () => boolean;
  log: Logger;
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { config, log } = deps;
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
  app.use(deps.mounted);
  app.use((_request: Request, response: Response) => {
    if (deps.isComplete()) response.status(404).json({ error: "there is nothing at this address" });
    else
      response
        .status(503)
        .set("Retry-After", "5")
        .json({ error: "the service is starting, or its database is not migrated: see /readyz" });
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status = statusOf(error);
    if (status >= 500) log.error({ err: error }, "request failed");
    response.status(status).json({ error: status >= 500 ? "Internal Error" : "the request cannot be read" });
  });
  return app;
}

function pathOf({ url = "" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
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
