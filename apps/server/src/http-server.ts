import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import {
  type AccessRecord,
  answerJson,
  createEdge,
  exchangeOf,
  newTraceId,
  nothingHere,
  pathOf,
  type RouteTable,
} from "@org/http";
import type { Config } from "@org/installation";
import express, { type NextFunction, type Request, type Response, Router } from "express";
import helmet from "helmet";
import type { Feature, Routes } from "./feature.js";
import type { Logger } from "./log.js";

const UNREADABLE = { error: "the request cannot be read" };

/** What is known of a request that Node could not read. */
const UNKNOWN_REQUEST = { method: "", route: null, ms: 0, application_id: null, tenant_id: null };

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
  routes,
  onAnswered,
}: {
  config: Config;
  log: Logger;
  routes: RouteTable;
  /** Told of every request, as the access log is. */
  onAnswered: (record: AccessRecord) => void;
}): HttpServer {
  const edge = createEdge({ log, routes, onAnswered, trustProxy: config.trustProxy });
  const mounted = Router();
  const direct = new Map<string, NonNullable<Routes["direct"]>[string]>();
  let isComplete = false;
  const app = createApp({ config, mounted, isComplete: () => isComplete, log });
  /** The answer that each connection is busy with, or was last. */
  const open = new WeakMap<Socket, ServerResponse>();
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    edge.begin(request, response);
    open.set(request.socket, response);
    // RFC 9112 §3.2; Node's own answer has no trace id, and leaves no record.
    if (request.headers.host === undefined && request.httpVersion === "1.1")
      return answerJson(response, 400, UNREADABLE, { Connection: "close" });
    const answer = direct.get(pathOf(request));
    if (answer) void answer(request, response);
    else app(request, response);
  });
  server.on("checkExpectation", (request, response) => {
    edge.begin(request, response);
    answerJson(response, 417, { error: "there is no such expectation" });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const answering = open.get(socket);
    if (error.code === "ECONNRESET" || !socket.writable || (answering?.headersSent && !answering.writableEnded))
      socket.destroy();
    else if (answering && !answering.headersSent)
      answerJson(answering, statusOfUnreadable(error), UNREADABLE, { Connection: "close" });
    else {
      const record = { ...UNKNOWN_REQUEST, status: statusOfUnreadable(error), trace_id: newTraceId() };
      socket.end(rawAnswer(record));
      log.info(record, "request");
      onAnswered(record);
    }
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
    if (deps.isComplete()) response.status(404).json(nothingHere);
    else
      response
        .status(503)
        .set("Retry-After", "5")
        .json({ error: "the service is starting, or its database is not migrated: see /readyz" });
  });
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status = statusOf(error);
    if (status >= 500) log.error({ err: error, trace_id: exchangeOf(request).traceId }, "request failed");
    response.status(status).json(status >= 500 ? { error: "Internal Error" } : UNREADABLE);
  });
  return app;
}

function statusOf(error: unknown): number {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : 500;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}

/** As Node answers when nobody else does. */
function statusOfUnreadable({ code }: NodeJS.ErrnoException): 400 | 408 | 413 | 431 {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

/** An answer for a connection on which no request was understood, so that there is no response to write it with. */
function rawAnswer({ status, trace_id }: Pick<AccessRecord, "status" | "trace_id">): string {
  const body = JSON.stringify(UNREADABLE);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `X-Trace-Id: ${trace_id}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
