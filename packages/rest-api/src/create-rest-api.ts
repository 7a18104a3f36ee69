import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Authenticate,
  answerEmpty,
  answerJson,
  createOriginPolicy,
  createRouteTable,
  exchangeOf,
  isPreflight,
  makeOnce,
  nothingHere,
  preflightHeaders,
  routeOf,
} from "@org/http";
import { createBearerAuthenticator } from "./bearer-authenticator.js";
import type { DocumentSpool } from "./body/document-spool.js";
import { createAnswerOnce, type Idempotency } from "./keyed-requests.js";
import { createOpenApiDocument } from "./openapi/document.js";
import { type ApiHost, restRoutes } from "./routes.js";
import type { Log } from "./serve-endpoint.js";
import type { RestServices } from "./services.js";

/** What the host passes to the REST API. */
export interface RestApiOptions {
  readonly services: RestServices;
  readonly authenticate: Authenticate;
  /** Issuer and base address of the installation, without trailing slash. */
  readonly publicUrl: string;
  /** Additional origins from which browsers may call. */
  readonly allowedOrigins: readonly string[];
  /** Maximum decoded size of a letter's `data` and of its `annex`, each. */
  readonly letterMaxBytes: number;
  /** Called after each further MiB of a submission was read, so that the host may collect garbage. */
  readonly onLetterArriving?: (bytes: number) => void;
  /** Where letters' documents beyond 256 KiB are kept while they arrive; in memory by default. */
  readonly spool?: DocumentSpool;
  readonly clock: () => Date;
  /** Keeps the answers to requests with an `Idempotency-Key`; without it only endpoints that submit letters know the header. */
  readonly idempotency?: Idempotency;
  /** Counts a tenant's request before its body is read. @throws CoreError RATE_LIMITED when the tenant is over its limit */
  readonly admit?: (tenantId: string) => void;
  /** Receives defects and outages, once each, with their trace id. */
  readonly log: Log;
}

/**
 * Answers requests to the paths of the API, for `node:http` or as express middleware. Other requests go to `next`, or get a 404
 * without it.
 */
export type RestApi = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

const PREFLIGHT = {
  methods: ["POST"],
  requestHeaders: ["Authorization", "Content-Type", "DPoP", "Idempotency-Key", "traceparent", "tracestate"],
  maxAgeSeconds: 600,
};

/**
 * Serves every endpoint of the letters, connect, data, events and operator APIs, and the OpenAPI document at `GET /openapi.json`. Mount it
 * at the root, without a body parser before it: it reads bodies itself, after authentication. The host's `server.requestTimeout` limits
 * how long a body may take.
 */
export function createRestApi(options: RestApiOptions): RestApi {
  const { services, authenticate, publicUrl, allowedOrigins, clock, log, letterMaxBytes, onLetterArriving, spool } =
    options;
  const limits = { letterMaxBytes, onLetterArriving, spool };
  // Kept as bytes: each unread answer would hold its own copy of a string.
  const document = makeOnce(async () =>
    Buffer.from(JSON.stringify(await createOpenApiDocument({ publicUrl, ...limits }))),
  );
  const authenticator = createBearerAuthenticator({ authenticate, publicUrl });
  const host: ApiHost = {
    services,
    authenticator,
    clock,
    admit: options.admit,
    answerOnce: options.idempotency && createAnswerOnce(options.idempotency),
    log,
    limits,
    document,
  };
  const origins = createOriginPolicy(publicUrl, allowedOrigins);
  const table = createRouteTable(restRoutes(limits));

  return (request, response, next) => {
    const route = routeOf(request, table);
    // Endpoints refuse other methods in their family's format; the document has no such format.
    if (!route || (route.origins === "any" && !route.methods.includes(request.method ?? "")))
      return next ? next() : answerJson(response, 404, nothingHere);
    exchangeOf(request, response).route = route;
    const cors = origins.headersFor(route.origins, request.headers);
    for (const [name, value] of Object.entries(cors ?? {})) response.setHeader(name, value as string);
    if (route.origins === "guarded" && isPreflight(request))
      return answerEmpty(response, 204, cors ? preflightHeaders(PREFLIGHT, request.headers) : {});
    return route.serve(host, request, response);
  };
}
