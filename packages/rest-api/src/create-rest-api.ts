import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Authenticate,
  answerEmpty,
  answerJson,
  createOriginPolicy,
  createRouteTable,
  exchangeOf,
  isPreflight,
  nothingHere,
  preflightHeaders,
  routeOf,
} from "@org/http";
import { createBearerAuthenticator } from "./bearer-authenticator.js";
import type { DocumentSpool } from "./body/document-spool.js";
import { createOpenApiDocument } from "./openapi/document.js";
import { type ApiHost, restRoutes } from "./routes.js";
import type { Log } from "./serve-endpoint.js";
import type { RestServices } from "./services.js";

/** What the host gives the REST API. */
export interface RestApiOptions {
  readonly services: RestServices;
  readonly authenticate: Authenticate;
  /** Issuer and base address of the installation, without trailing slash. */
  readonly publicUrl: string;
  /** Further origins from which browsers may call. */
  readonly allowedOrigins: readonly string[];
  /** Decoded size of a letter's `data` and of its `annex`, each. */
  readonly letterMaxBytes: number;
  /** Told each time that another MiB of a submission has been read: a host may collect garbage. */
  readonly onLetterArriving?: (bytes: number) => void;
  /** Where letters' documents are kept while they arrive, beyond 256 KiB each; in memory unless told otherwise. */
  readonly spool?: DocumentSpool;
  readonly clock: () => Date;
  /** Counts a request of a tenant, before its body is read. @throws CoreError RATE_LIMITED when the tenant has had its share */
  readonly admit?: (tenantId: string) => void;
  /** Where defects and outages are written, once each, with their trace id. */
  readonly log: Log;
}

/**
 * Answers requests to the paths of the API, for `node:http` or as express middleware. Others go to `next`; without one they
 * are a 404.
 */
export type RestApi = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void | Promise<void>;

const PREFLIGHT = {
  methods: ["POST"],
  requestHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "traceparent", "tracestate"],
  maxAgeSeconds: 600,
};

/**
 * Every endpoint of the letters, connect, data and operator APIs, and the document that describes them at `GET /openapi.json`. Mount
 * it at the root, without a body parser before it: it reads bodies itself, and only after it knows who asks. How long a body may
 * take is `server.requestTimeout` of the host.
 */
export function createRestApi(options: RestApiOptions): RestApi {
  const { services, authenticate, publicUrl, allowedOrigins, clock, log, letterMaxBytes, onLetterArriving, spool } =
    options;
  const limits = { letterMaxBytes, onLetterArriving, spool };
  // As bytes: what waits to be read of a string would be a copy of its own for each answer.
  let written: Uint8Array | undefined;
  const document = () => {
    written ??= Buffer.from(JSON.stringify(createOpenApiDocument({ publicUrl, ...limits })));
    return written;
  };
  const authenticator = createBearerAuthenticator({ authenticate, publicUrl });
  const host: ApiHost = { services, authenticator, clock, admit: options.admit, log, limits, document };
  const origins = createOriginPolicy(publicUrl, allowedOrigins);
  const table = createRouteTable(restRoutes(limits));

  return (request, response, next) => {
    const route = routeOf(request, table);
    // An endpoint refuses other methods in its family's words; the document has none.
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
