import type { IncomingMessage, ServerResponse } from "node:http";
import { answerText, exchangeOf, type MaybePromise, type RouteFacts } from "@org/http";
import type { RestLimits } from "./body/inputs.js";
import { pathsOf } from "./endpoint.js";
import {
  clientsFamily,
  connectFamily,
  dataFamily,
  eventsFamily,
  type Family,
  lettersFamily,
  operatorFamily,
} from "./families.js";
import { type Host, serveEndpoint } from "./serve-endpoint.js";

/** A host that also serves the API document. */
export interface ApiHost extends Host {
  /** As JSON; built on first use. */
  readonly document: () => MaybePromise<Uint8Array>;
}

/** A route of this API: its facts and its handler. */
export interface RestRoute extends RouteFacts {
  readonly serve: (host: ApiHost, request: IncomingMessage, response: ServerResponse) => MaybePromise<void>;
}

/** Returns all routes of this API. Routes without methods catch the other paths of a family, which it refuses in its own format. */
export function restRoutes(limits: RestLimits): readonly RestRoute[] {
  return [
    documentRoute,
    ...routesOf(lettersFamily, limits),
    ...routesOf(connectFamily, limits),
    ...routesOf(clientsFamily, limits),
    ...routesOf(dataFamily, limits),
    ...routesOf(eventsFamily, limits),
    ...routesOf(operatorFamily, limits),
  ];
}

const documentRoute: RestRoute = {
  methods: ["GET", "HEAD"],
  path: "/openapi.json",
  family: "openapi",
  scopes: [],
  maxBodyBytes: null,
  origins: "any",
  summary: "This API as an OpenAPI document",
  serve: ({ document }, request, response) =>
    exchangeOf(request).andThen(document(), (bytes) =>
      answerText(response, 200, "application/json; charset=utf-8", bytes),
    ),
};

function routesOf<Who>(family: Family<Who>, limits: RestLimits): readonly RestRoute[] {
  const shared = { family: family.name.toLowerCase(), origins: "guarded" } as const;
  const routes = family.endpoints.flatMap((endpoint) =>
    pathsOf(endpoint).map(
      (path): RestRoute => ({
        ...shared,
        methods: ["POST"],
        path,
        scopes: endpoint.scopes,
        maxBodyBytes: endpoint.input.limit(limits).bytes,
        summary: endpoint.summary,
        serve: (host, request, response) => serveEndpoint(endpoint, family, host, request, response),
      }),
    ),
  );
  const others = family.prefixes.map(
    (prefix): RestRoute => ({
      ...shared,
      methods: [],
      path: `${prefix}/*`,
      scopes: [],
      maxBodyBytes: null,
      summary: "No such endpoint",
      serve: (host, request, response) => serveEndpoint(null, family, host, request, response),
    }),
  );
  return [...routes, ...others];
}
