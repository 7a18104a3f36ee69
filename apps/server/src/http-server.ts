import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Tracer } from "@opentelemetry/api";
import type { LoopScheduler, ReachedLimit, SemaphoreLoad } from "@org/admission";
import { toCoreError } from "@org/core";
import {
  type AccessRecord,
  afterHeaders,
  answerJson,
  createEdge,
  type Exchange,
  exchangeOf,
  logDefect,
  newTraceId,
  nothingHere,
  type RouteTable,
  retryAfter,
  unknownIn,
} from "@org/http";
import type { Config } from "@org/installation";
import express, { type NextFunction, type Request, type Response, Router } from "express";
import helmet from "helmet";
import { type CountedRequests, createAdmissionControl } from "./admission-control.js";
import { limitConnections, limitPipelining, pipeliningReached } from "./connection-limits.js";
import type { Feature, RouteHandler } from "./feature.js";
import type { Logger } from "./log.js";
import { answerOverloaded, overloadedMessage } from "./overload-answer.js";
import { createOwnListeners, type OwnListeners } from "./own-listeners.js";

/** More than clients and proxies send together. Of others Node leaves out what follows, which then costs nothing. */
const HEADER_FIELDS = 200;

const UNREADABLE = { error: "the request cannot be read" };
const TOO_MANY_FIELDS = { error: `a request has at most ${HEADER_FIELDS} header fields` };

/** What is known of a request before its work begins. */
interface Pending {
  readonly target: string | null;
  readonly place: "taken" | "last";
  readonly isLimited: boolean;
  readonly isExpecting: boolean;
}

/** Answers sent because the rest of their request could not be read: a later error of their route is not a defect. */
const unreadable = new WeakSet<ServerResponse>();

/** The log fields of a request that Node could not parse. */
const UNKNOWN_REQUEST = { method: "", route: null, ms: 0, application_id: null, tenant_id: null };

/**
 * How long a refusal above the server's capacity is delayed. Otherwise clients that retry immediately over many connections would use up the
 * capacity for answerable requests with refusals; a waiting connection costs next to nothing.
 */
const HELD_MS = 250;

/** The HTTP side of the server, on which features are mounted. */
export interface HttpServer {
  readonly server: Server;
  /** The separate addresses of the operator API and the metrics. */
  readonly own: OwnListeners;
  /** Requests that were begun, and work that waits for the event loop. */
  readonly load: SemaphoreLoad;
  /** Adds a feature's routes after the existing ones. */
  mount(feature: Feature): void;
  /** From now on an unknown route is answered with 404; until then it is answered with 503. */
  complete(): void;
  /** Shares the event loop between callers. */
  readonly loop: LoopScheduler;
  /** From now on each answer closes its connection, because the address is about to be closed. */
  drain(): void;
  /** Requests without a log record of their own, in past minutes; with `all`, also in the current one. */
  takeCounted(all: boolean): readonly CountedRequests[];
}

/**
 * How long a client may take: 15 s for the headers of a request (RFC 9110 sets no limit; Node's own check runs every 30 s, too rarely for
 * clients that send one byte at a time), 5 min for all of it (a letter over a slow line; the rate of its body is checked separately), 65 s
 * between two requests, which is longer than the 60 s of proxies in front.
 */
const TIMES = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  // Checked here, so that the answer has a trace id.
  requireHostHeader: false,
} as const satisfies ServerOptions;

/** Creates the HTTP server. The edge looks up the route of each request; a feature answers it by that route, or otherwise express does. */
export function createHttpServer({
  config,
  log,
  routes,
  onAnswered,
  countMs = 60_000,
  clock = () => new Date(),
  standing,
  tracer,
}: {
  config: Config;
  log: Logger;
  routes: RouteTable;
  /** Called for every request, like the access log. */
  onAnswered: (record: AccessRecord) => void;
  /** How long refusals are counted before they are logged as one number; a minute by default. */
  countMs?: number;
  /** The clock for the time at which refusals end; the machine's by default. */
  clock?: () => Date;
  /** How long requests wait for the database, see {@link OverloadOptions.standing}. */
  standing?: () => number;
  /** Creates a span for each request; none by default. */
  tracer?: Tracer | undefined;
}): HttpServer {
  const admission = createAdmissionControl({ config, countMs, ...(standing && { standing }) });
  const { bodies, spooled, shouldLogIndividually } = admission;
  const answers = {
    budget: admission.answers,
    wordsOf: (exchange: Exchange, limit: ReachedLimit) => overloadedMessage(exchange, limit, clock()),
  };
  const edge = createEdge({
    log,
    routes,
    onAnswered,
    bodies,
    spooled,
    answers,
    shouldLogIndividually,
    scheduler: admission.scheduler,
    shareOf: admission.shareOf,
    tracer,
    trustProxy: config.trustProxy,
  });
  const mounted = Router();
  const answered = new Map<string, RouteHandler>();
  let isComplete = false;
  const setHeaders = securityHeaders(config);
  const app = createApp({ setHeaders, mounted, isComplete: () => isComplete, log });
  /** The answer that each connection is sending or sent last. */
  const open = new WeakMap<Socket, ServerResponse>();
  const placeOf = limitPipelining();
  const server = createServer(TIMES, (request, response) => take(request, response));
  server.maxHeadersCount = HEADER_FIELDS;
  /**
   * Begins the exchange of a request, and decides when the rest is done.
   * @param isExpecting whether it expects something else than `100-continue`
   */
  const take = (request: IncomingMessage, response: ServerResponse, isExpecting = false) => {
    const place = placeOf(request, response);
    if (place === "too_late") return;
    if (place === "last") response.shouldKeepAlive = false;
    const target = originForm(request.url ?? "");
    if (target !== null) request.url = target;
    const exchange = edge.begin(request, response);
    open.set(request.socket, response);
    const begin = (isLimited: boolean) => {
      // The client has left meanwhile, or the rest of its request could not be read.
      if (response.destroyed || response.headersSent) return;
      try {
        handle(exchange, { target, place, isLimited, isExpecting });
      } catch (error) {
        answerFault(error, request, response, log);
      }
    };
    // Clients cannot reach an address of `own` and so cannot flood it; operators need it most during a flood.
    if (own.has(request.socket) || admission.isHealthCheck(exchange)) begin(false);
    else afterHeaders(() => inTurn(exchange, () => begin(true)));
  };
  const inTurn = (exchange: Exchange, work: () => void) =>
    admission.scheduler.run(
      () => exchange.share,
      work,
      () => exchange.response.destroyed,
    );
  const handle = (exchange: Exchange, { target, place, isLimited, isExpecting }: Pending) => {
    const { request, response } = exchange;
    exchange.begins();
    // RFC 9112 §3.2; Node's own answer has no trace id, and writes no record.
    if (target === null || !hasOneHost(request)) return answerJson(response, 400, UNREADABLE, { Connection: "close" });
    if (request.rawHeaders.length > 2 * HEADER_FIELDS)
      return answerJson(response, 431, TOO_MANY_FIELDS, { Connection: "close" });
    if (own.hides(request.socket, request.url ?? "")) return answerJson(response, 404, nothingHere);
    const overConnections = place === "last" ? pipeliningReached : overLimit(request.socket);
    if (overConnections) response.shouldKeepAlive = false;
    const limit = isLimited ? admission.refusalOf(exchange, overConnections) : null;
    if (limit) {
      const refuse = () => response.destroyed || answerOverloaded(exchange, limit, clock());
      if (limit.isOwnShare || overConnections) refuse();
      else setTimeout(() => inTurn(exchange, refuse), HELD_MS).unref();
      return;
    }
    if (isExpecting) return answerJson(response, 417, { error: "there is no such expectation" });
    const answer = exchange.route === null ? undefined : answered.get(exchange.route.path);
    const next = () => app(request, response);
    exchange.within(() => {
      if (answer === undefined) next();
      else answer(request, response, next)?.catch((error: unknown) => answerFault(error, request, response, log));
    });
  };
  const own = createOwnListeners(server, config);
  const overLimit = limitConnections(
    server,
    { total: config.connections, perAddress: hasProxy(config) ? null : config.connectionsPerAddress },
    (limit) => onAnswered({ ...UNKNOWN_REQUEST, status: 503, trace_id: newTraceId(), limit }),
    own.has,
  );
  // Node accepts one connection in a turn of the event loop, and others wait behind it.
  server.on("connection", admission.scheduler.skipSlice);
  server.on("checkExpectation", (request, response) => take(request, response, true));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const answering = open.get(socket);
    if (error.code === "ECONNRESET" || !socket.writable || (answering?.headersSent && !answering.writableEnded))
      socket.destroy();
    else if (answering && !answering.headersSent) {
      // A complete request is answered, whatever follows it; after one that breaks off nothing else can follow.
      answering.shouldKeepAlive = false;
      if (answering.req.complete) return;
      unreadable.add(answering);
      answerJson(answering, statusOfUnreadable(error), UNREADABLE, { Connection: "close" });
    } else {
      const record = { ...UNKNOWN_REQUEST, status: statusOfUnreadable(error), trace_id: newTraceId() };
      socket.end(rawAnswer(record));
      if (shouldLogIndividually(unknownIn(record, socket.remoteAddress ?? null))) log.info(record, "request");
      onAnswered(record);
    }
  });
  return {
    server,
    own,
    load: admission.load,
    mount({ routes }) {
      for (const [path, answer] of Object.entries(routes?.direct ?? {})) answered.set(path, answer);
      for (const [path, answer] of Object.entries(routes?.byRoute ?? {}))
        answered.set(path, (request, response, next) => {
          setHeaders(request, response, () => {});
          return answer(request, response, next);
        });
      if (routes?.handle) mounted.use(routes.handle);
    },
    complete() {
      isComplete = true;
    },
    drain: edge.drain,
    loop: admission.scheduler,
    takeCounted: admission.takeCounted,
  };
}

/**
 * The target of a request as a path with its query, whichever form of RFC 9112 §3.2 it has, so that every part of the server sees the same path.
 * Null for any other target, such as one with a fragment, which some parsers drop and others treat as part of the path.
 */
function originForm(target: string): string | null {
  if (target.includes("#")) return null;
  if (target.startsWith("/") || target === "*") return target;
  const path = /^https?:\/\/[^/?]+(.*)$/is.exec(target)?.[1];
  return path === undefined || path.startsWith("/") ? (path ?? null) : `/${path}`;
}

/** Whether the request has exactly one `Host`; HTTP/1.0 may omit it. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}

/** Whether the server is behind a proxy, from which all connections then come. */
function hasProxy({ trustProxy }: Pick<Config, "trustProxy">): boolean {
  return trustProxy !== undefined && trustProxy !== false;
}

/** Pages set their own policy, which is stricter; APIs are not pages. */
function securityHeaders({ publicUrl }: Pick<Config, "publicUrl">): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: false,
    crossOriginOpenerPolicy: false,
    hsts: publicUrl?.startsWith("https://") ?? false,
  });
}

function createApp(deps: {
  setHeaders: ReturnType<typeof helmet>;
  mounted: Router;
  isComplete: () => boolean;
  log: Logger;
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { log } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.use(deps.setHeaders);
  app.use(deps.mounted);
  app.use((_request: Request, response: Response) => {
    if (deps.isComplete()) response.status(404).json(nothingHere);
    else
      response
        .status(503)
        .set("Retry-After", "5")
        .json({ error: "the service is starting, or its database is not migrated: see /readyz" });
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    answerFault(error, request, response, log),
  );
  return app;
}

/** Answers a request whose route failed. An answer that had begun can only be ended with its connection. */
function answerFault(error: unknown, request: IncomingMessage, response: ServerResponse, log: Logger): void {
  if (unreadable.has(response)) return;
  const refusal = toCoreError(error);
  const isUnavailable = refusal?.code === "UNAVAILABLE";
  const status = isUnavailable ? 503 : statusOf(error);
  if (!isUnavailable && status >= 500) logDefect(log, exchangeOf(request, response), error, "request failed");
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
  } else if (isUnavailable)
    answerJson(response, 503, { error: refusal.message }, retryAfter(refusal.retryAfterSeconds ?? 5));
  else answerJson(response, status, status >= 500 ? { error: "Internal Error" } : UNREADABLE);
}

function statusOf(error: unknown): number {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : 500;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}

/** The status that Node itself would answer with. */
function statusOfUnreadable({ code }: NodeJS.ErrnoException): 400 | 408 | 413 | 431 {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

/** Formats an answer for a connection on which no request was parsed, so that there is no response object. */
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
