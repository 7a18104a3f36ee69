import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Tracer } from "@opentelemetry/api";
import {
  type ByteBudget,
  type ByteHolder,
  createLoopScheduler,
  type LoopScheduler,
  type ReachedLimit,
  type Share,
} from "@org/admission";
import { type AccessLog, type AccessRecord, type UnknownRequest, unknownIn } from "./access-record.js";
import { clientAddress, networkOf, type TrustProxy } from "./client-address.js";
import { discardBody } from "./discard-body.js";
import type { MaybePromise } from "./maybe-promise.js";
import type { Principal } from "./principal.js";
import { beginRequestSpan, type RequestSpan } from "./request-span.js";
import type { RouteFacts, RouteTable } from "./routes.js";
import { newTraceId, traceIdIn } from "./trace-id.js";

/** One request with its answer, and the facts known about it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** 32 hex digits. Sent as `X-Trace-Id` with every answer, whoever writes it. */
  readonly traceId: string;
  /** The client's address; null when there is none. Computed on first use. */
  readonly address: string | null;
  /** The route that the edge found in its table; null when there is none. A standalone handler sets its own. */
  route: RouteFacts | null;
  /** Whom the request is charged to: its tenant once that is known. */
  readonly share: Share;
  /** The authenticated caller; null until it is known. */
  principal: Pick<Principal, "application_id" | "tenant_id" | "client_refs"> | null;
  /**
   * Continues the trace of a `traceparent` that was not a header: MCP sends it inside the body. Has no effect when there was such
   * a header, when it is invalid, or when the answer has begun.
   */
  continueTrace(traceparent: unknown): void;
  /**
   * Passes a value on like `andThen`; after a wait, when the caller's share of the loop allows. Many requests wait for the same, such as a list of
   * ended grants that is read again, and would all go on together.
   */
  andThen<T, Result>(value: MaybePromise<T>, next: (value: T) => MaybePromise<Result>): MaybePromise<Result>;
  /** Notes that work for the request begins. A wait of a millisecond or more until then becomes `waited_ms` of its record. */
  begins(): void;
  /** Runs `work` when the answer is closed, by its end or because the client left: now if it is. For what the request holds until then. */
  atClose(work: () => void): void;
  /** Waits until work for the request may go on, taking turns with other callers' work; null when that is now. */
  waitForTurn(): Promise<void> | null;
  /** Runs the request's handler, so that spans made meanwhile are children of the request's span. Without a tracer it just runs it. */
  within<T>(work: () => T): T;
  /**
   * Adds facts to the access log record, such as the `limit` that refused the request. Never add a query, a body, or anything that names a
   * person.
   */
  note(facts: Readonly<Record<string, unknown>>): void;
}

/** Options of an edge; all of them are optional. */
export interface EdgeOptions {
  readonly log?: AccessLog;
  /** Called with every record, for metrics. */
  readonly onAnswered?: (record: AccessRecord) => void;
  /**
   * Memory budget for answers until they have been read, and the body (JSON) of the refusal when there is no room. By default all answers
   * are written.
   */
  readonly answers?: {
    readonly budget: ByteBudget;
    readonly wordsOf: (exchange: Exchange, limit: ReachedLimit) => string;
  };
  /** Whose `X-Forwarded-For` is trusted; nobody's by default. */
  readonly trustProxy?: TrustProxy;
  /** Memory budget for bodies; by default each body is only limited individually. */
  readonly bodies?: ByteBudget;
  /** Disk budget for bodies that are spooled while they arrive; by default each body is only limited individually. */
  readonly spooled?: ByteBudget;
  /** Whether a request from an unknown caller gets its own log record; by default all do. */
  readonly shouldLogIndividually?: (request: UnknownRequest) => boolean;
  /** Shares the event loop between callers while it is late; by default a scheduler of this edge's own. */
  readonly scheduler?: LoopScheduler;
  /** Whom a request is charged to before its caller is known; its network by default. */
  readonly shareOf?: (exchange: Exchange) => Share;
  /** Table in which the route of each request is looked up, once. */
  readonly routes?: RouteTable;
  /** Makes a span for each request that has its own log record; no spans by default. */
  readonly tracer?: Tracer | undefined;
  /** 32 hex digits; random by default. */
  readonly newTraceId?: () => string;
  /** Monotonic clock, in milliseconds; `performance.now` by default. */
  readonly stopwatch?: () => number;
}

/** The entry point of every request. */
export interface Edge {
  /** Begins the exchange of a request. Call it before anything else, so that every answer has its trace id and its log record. */
  begin(request: IncomingMessage, response: ServerResponse): Exchange;
  /** Makes every answer from now on close its connection, including those in flight, because the server is about to stop. */
  drain(): void;
}

const key = Symbol("exchange");
type Begun = IncomingMessage & { [key]?: BegunExchange };

const TRACE_HEADER = "X-Trace-Id";
const TRACE_ID = /^[0-9a-f]{32}$/;
const CLIENT_GONE = 499;

/** Makes the edge of a server. A server has exactly one. */
export function createEdge(options: EdgeOptions = {}): Edge {
  const settings: Settings = {
    stopwatch: options.stopwatch ?? (() => performance.now()),
    newTraceId: options.newTraceId ?? newTraceId,
    addressOf: clientAddress(options.trustProxy),
    bodies: options.bodies ?? null,
    spooled: options.spooled ?? null,
    answers: options.answers ?? null,
    scheduler: options.scheduler ?? createLoopScheduler(),
    shareOf: options.shareOf ?? networkShare,
    tracer: options.tracer ?? null,
    routes: options.routes ?? null,
    isDraining: false,
  };
  const { log, onAnswered, shouldLogIndividually = () => true } = options;

  return {
    begin(request, response) {
      const exchange = new BegunExchange(request, response, settings);
      (request as Begun)[key] = exchange;
      response.once("close", () => {
        exchange.close();
        if (!log && !onAnswered && !exchange.span) return;
        const record = exchange.recordOf();
        if (record.application_id !== null || shouldLogIndividually(unknownIn(record, exchange.address))) {
          log?.info(record, "request");
          exchange.span?.end(record);
        }
        onAnswered?.(record);
      });
      return exchange;
    },
    drain() {
      settings.isDraining = true;
    },
  };
}

const bareEdge = createEdge();

/**
 * Returns the exchange of a request: the one that the server's edge began. A standalone handler also passes the response, and
 * gets a new exchange, without a log, when there is none.
 * @throws Error when there is no exchange and no response to begin one with
 */
export function exchangeOf(request: IncomingMessage, response?: ServerResponse): Exchange {
  const begun = (request as Begun)[key];
  if (begun) return begun;
  if (!response) throw new Error("no exchange was begun for this request");
  return bareEdge.begin(request, response);
}

/** Returns the route of a request in `table`: the one that the edge found, or else the result of a look-up now. */
export function routeOf<R extends RouteFacts>(request: IncomingMessage, table: RouteTable<R>): R | null {
  const found = begunExchangeOf(request)?.route;
  return found ? table.at(found.path) : table.match(requestPath(request));
}

/** Returns the exchange of a request, if one was begun, with the methods that are internal to this package. */
export function begunExchangeOf(request: IncomingMessage): BegunExchange | undefined {
  return (request as Begun)[key];
}

interface Settings {
  readonly bodies: ByteBudget | null;
  readonly spooled: ByteBudget | null;
  readonly answers: EdgeOptions["answers"] | null;
  readonly scheduler: LoopScheduler;
  readonly shareOf: (exchange: Exchange) => Share;
  readonly tracer: Tracer | null;
  readonly routes: RouteTable | null;
  isDraining: boolean;
  readonly stopwatch: () => number;
  readonly newTraceId: () => string;
  readonly addressOf: (request: IncomingMessage) => string | null;
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type WriteHead = (this: ServerResponse, status: number, reason?: string | Headers, headers?: Headers) => ServerResponse;

class BegunExchange implements Exchange {
  route: RouteFacts | null;
  principal: Exchange["principal"] = null;
  traceId: string;
  readonly span: RequestSpan | null;
  readonly #settings: Settings;
  readonly #started: number;
  #address: string | null | undefined;
  #bodyHolder: ByteHolder | null = null;
  #heldBytes = 0;
  #answerBytes = 0;
  #isClosed = false;
  #atClose: (() => void)[] | null = null;
  #facts: Record<string, unknown> | null = null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    settings: Settings,
  ) {
    this.#settings = settings;
    this.#started = settings.stopwatch();
    this.route = settings.routes?.match(requestPath(request)) ?? null;
    this.span = settings.tracer && beginRequestSpan(settings.tracer, request);
    const present = response.getHeader(TRACE_HEADER);
    // A host that does not use this package may have set the trace id already.
    if (typeof present === "string" && TRACE_ID.test(present)) this.traceId = present;
    else if (this.span) this.traceId = this.span.traceId;
    else {
      const { traceparent } = request.headers;
      this.traceId = (traceparent === undefined ? null : traceIdIn(traceparent)) ?? settings.newTraceId();
    }
    const writeHead = response.writeHead as WriteHead;
    response.writeHead = ((status, reason, headers) =>
      this.#writeHead(writeHead, status, reason, headers)) as WriteHead as ServerResponse["writeHead"];
  }

  /**
   * Wraps the response's `writeHead`, which every way of answering goes through, including express's and the SDK's. Headers are not
   * set when the request arrives, because Node writes a head much more slowly once a single header was set before it.
   */
  #writeHead(writeHead: WriteHead, status: number, reason?: string | Headers, headers?: Headers): ServerResponse {
    const { response, traceId } = this;
    discardBody(this.request);
    if (this.#settings.isDraining) response.shouldKeepAlive = false;
    const given = typeof reason === "string" ? headers : (headers ?? reason);
    if (Array.isArray(given) || response.getHeaderNames().length > 0) {
      if (!response.headersSent) response.setHeader(TRACE_HEADER, traceId);
      return writeHead.call(response, status, reason, headers);
    }
    const traced = { [TRACE_HEADER]: traceId, ...given };
    return typeof reason === "string"
      ? writeHead.call(response, status, reason, traced)
      : writeHead.call(response, status, traced);
  }

  /** Counts the body against its caller; `bytes` is everything kept so far. Returns the limit that was exceeded, after noting it. */
  holdBody(bytes: number): ReachedLimit | null {
    const { bodies } = this.#settings;
    if (bodies === null || bytes <= this.#heldBytes || this.#isOver()) return null;
    return this.#held(bytes, bodies.take(this.#holder(), bytes - this.#heldBytes));
  }

  /** Counts `more` bytes of the body that are kept on disk, also after the answer. Returns the limit that was exceeded, after noting it. */
  spoolBody(more: number): ReachedLimit | null {
    const reached = this.#settings.spooled?.take(this.#holder(), more) ?? null;
    if (reached) this.note({ limit: reached.name });
    return reached;
  }

  /** Gives back bytes of {@link spoolBody}. */
  releaseSpooled(bytes: number): void {
    this.#settings.spooled?.release(this.#holder(), bytes);
  }

  /** Like `holdBody`, but waits for room. */
  async waitForBody(bytes: number, waitMs: number, signal: AbortSignal): Promise<ReachedLimit | null> {
    const { bodies } = this.#settings;
    if (bodies === null || bytes <= this.#heldBytes) return null;
    const holder = this.#holder();
    const reached = await bodies.wait(holder, bytes - this.#heldBytes, waitMs, signal);
    // The client disconnected in this very moment, and everything it held was released.
    if (this.#isClosed && reached === null) bodies.release(holder, bytes - this.#heldBytes);
    else this.#held(bytes, reached);
    return reached;
  }

  /** Whom the request is charged to: its tenant once that is known. */
  get share(): Share {
    const tenant = this.principal?.tenant_id ?? null;
    return tenant === null ? this.#settings.shareOf(this) : { name: tenant, isKnown: true };
  }

  waitForTurn(): Promise<void> | null {
    return this.#settings.scheduler.wait(() => this.share);
  }

  /** Counts the answer until it has been read. Returns the refusal to send instead, or null when the answer may be written. */
  holdAnswer(bytes: number): { readonly limit: ReachedLimit; readonly words: string } | null {
    if (this.#isOver()) return null;
    const { answers } = this.#settings;
    const limit = answers?.budget.take(this.#holder(), bytes) ?? null;
    if (!answers || limit === null) {
      this.#answerBytes += bytes;
      return null;
    }
    this.note({ limit: limit.name });
    return { limit, words: answers.wordsOf(this, limit) };
  }

  #held(bytes: number, reached: ReachedLimit | null): ReachedLimit | null {
    if (reached) this.note({ limit: reached.name });
    else this.#heldBytes = bytes;
    return reached;
  }

  /** Whether the answer is closed. Bytes counted after that would never be released. */
  #isOver(): boolean {
    return this.#isClosed || this.response.destroyed;
  }

  /** Fixed at the first counted byte, until the answer is closed. */
  #holder(): ByteHolder {
    if (this.#bodyHolder) return this.#bodyHolder;
    this.#bodyHolder = { network: networkOf(this.address), tenant: this.principal?.tenant_id ?? null };
    return this.#bodyHolder;
  }

  begins(): void {
    const waited_ms = this.#milliseconds();
    if (waited_ms >= 1) this.note({ waited_ms });
  }

  atClose(work: () => void): void {
    if (this.#isOver()) work();
    else if (this.#atClose === null) this.#atClose = [work];
    else this.#atClose.push(work);
  }

  /** Gives back everything that the request held. */
  close(): void {
    this.#isClosed = true;
    const { bodies, answers } = this.#settings;
    const holder = this.#bodyHolder;
    if (holder !== null) {
      bodies?.release(holder, this.#heldBytes);
      answers?.budget.release(holder, this.#answerBytes);
    }
    for (const work of this.#atClose ?? []) work();
  }

  get address(): string | null {
    this.#address ??= this.#settings.addressOf(this.request);
    return this.#address;
  }

  continueTrace(traceparent: unknown): void {
    if (this.request.headers.traceparent !== undefined || this.response.headersSent) return;
    this.traceId = traceIdIn(traceparent) ?? this.traceId;
  }

  andThen<T, Result>(value: MaybePromise<T>, next: (value: T) => MaybePromise<Result>): MaybePromise<Result> {
    if (!(value instanceof Promise)) return next(value);
    return value.then((known) => {
      const turn = this.waitForTurn();
      return turn === null ? next(known) : turn.then(() => next(known));
    });
  }

  within<T>(work: () => T): T {
    return this.span === null ? work() : this.span.within(work);
  }

  note(facts: Readonly<Record<string, unknown>>): void {
    this.#facts = Object.assign(this.#facts ?? {}, facts);
  }

  recordOf(): AccessRecord {
    const { request, response, principal } = this;
    const record = {
      method: request.method ?? "",
      route: this.route === null ? null : this.route.path,
      status: response.headersSent ? response.statusCode : CLIENT_GONE,
      ms: this.#milliseconds(),
      trace_id: this.traceId,
      application_id: principal === null ? null : principal.application_id,
      tenant_id: principal === null ? null : principal.tenant_id,
    };
    return this.#facts === null ? record : Object.assign(record, this.#facts);
  }

  /** Since the request arrived, to a tenth. */
  #milliseconds(): number {
    return Math.round((this.#settings.stopwatch() - this.#started) * 10) / 10;
  }
}

function networkShare({ address }: Exchange): Share {
  return { name: networkOf(address), isKnown: false };
}

/** Returns the path of a request as received, without its query: `/a/b` of `/a/b?c=d`. */
export function requestPath({ url = "" }: Pick<IncomingMessage, "url">): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
