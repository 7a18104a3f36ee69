import type { IncomingMessage } from "node:http";
import { Router } from "express";
import type { Authenticate } from "./authentication.js";
import { cors } from "./cors.js";
import { connectFamily, type Family, lettersFamily, operatorFamily } from "./families.js";
import { type Host, type Log, mountFamily } from "./mount-family.js";
import { createOpenApiDocument } from "./openapi/document.js";
import type { RestServices } from "./services.js";
import { traceOf } from "./trace.js";

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
  /** Where defects and outages are written, once each, with their trace id. */
  readonly log: Log;
  /** A new random trace id: 32 hex digits. */
  readonly newTraceId: () => string;
  /** The caller's IP address for the audit trail, empty when it has none; express's `req.ip` unless told otherwise. */
  readonly addressOf?: (request: IncomingMessage) => string;
}

/**
 * Every endpoint of the letters, connect and operator APIs as one express router, and the document that describes them at
 * `GET /openapi.json`. Mount it at the root, without a body parser before it: it reads bodies itself, and only after it knows
 * who asks. How long a body may take is `server.requestTimeout` of the host.
 */
export function createRestApi(options: RestApiOptions): Router {
  const { publicUrl, letterMaxBytes, onLetterArriving, ...rest } = options;
  const host: Host = { ...rest, publicUrl, limits: { letterMaxBytes, onLetterArriving } };
  const router = Router({ caseSensitive: true, strict: true });
  const allowBrowsers = cors(publicUrl, options.allowedOrigins);

  const document = JSON.stringify(createOpenApiDocument({ publicUrl, letterMaxBytes }));
  router.get("/openapi.json", (request, response) => {
    traceOf(request, response, host.newTraceId);
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.type("application/json").send(document);
  });

  const mount = <Who>(family: Family<Who>) => {
    router.use([...family.prefixes], (request, response, next) => {
      traceOf(request, response, host.newTraceId);
      allowBrowsers(request, response, next);
    });
    mountFamily(router, family, host);
  };
  mount(lettersFamily);
  mount(connectFamily);
  mount(operatorFamily);
  return router;
}
