import { type EventLoopYielder, runInSteps, type Steps, yieldToEventLoop } from "@org/core";
import type { RestLimits } from "../body/inputs.js";
import { type EndpointFacts, pathsOf } from "../endpoint.js";
import { type FamilyFacts, families } from "../families.js";
import { scopeMeanings } from "../scopes.js";
import { operationOf } from "./operation.js";
import { errorResponsesOf } from "./responses.js";
import { type JsonSchema, namedSchemas, type SchemaReferences } from "./schemas.js";
import { deliveryParameters, webhooksOf } from "./webhooks.js";

/** Settings that differ between installations. */
export interface DocumentSettings extends RestLimits {
  readonly publicUrl: string;
}

/** An OpenAPI 3.1 document. The parts that programs read have types, the rest is plain JSON. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: object;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Deliveries by the server, by event type. */
  readonly webhooks: Readonly<Record<string, { readonly post: object }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & Readonly<Record<string, object>>;
}

/** Builds the API document from the same endpoints and schemas as the routes. This takes 0.2 s, which is done in steps. */
export function createOpenApiDocument(settings: DocumentSettings): Promise<OpenApiDocument> {
  return runInSteps(buildDocument(settings), afterEachStep);
}

/** Lets other work run after every step: at first some of them take ten milliseconds. */
export const afterEachStep: EventLoopYielder = { isDue: () => true, turn: yieldToEventLoop };

/** A generator of steps. Each schema takes one, and so does each endpoint. */
export function* buildDocument(settings: DocumentSettings): Steps<OpenApiDocument> {
  const { schemas, references } = yield* namedSchemas(families);
  const paths: Record<string, Readonly<Record<string, object>>> = {};
  for (const family of families)
    for (const endpoint of family.endpoints) {
      yield;
      Object.assign(paths, pathItems(family, endpoint, references, settings));
    }
  yield;
  return {
    openapi: "3.1.0",
    info: {
      title: "Wealth Connect REST API",
      version: "1.0.0",
      description:
        "Authorization letters, the connector catalogue with its filter (BETA), Connect sessions, connections with their data, and the operator's side. Every answer carries its trace id in X-Trace-Id.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: settings.publicUrl }],
    tags: families.map(({ name }) => ({ name })),
    paths,
    webhooks: webhooksOf(references),
    components: {
      schemas,
      responses: Object.assign({}, ...families.map(({ envelope }) => errorResponsesOf(envelope, references))),
      headers: { TraceId: traceIdHeader, Challenge: challengeHeader, RetryAfter: retryAfterHeader },
      parameters: { Traceparent: traceparent, ...deliveryParameters },
      securitySchemes: { oauth2: oauth2(settings.publicUrl) },
    },
  };
}

function pathItems(family: FamilyFacts, endpoint: EndpointFacts, references: SchemaReferences, limits: RestLimits) {
  const operation = operationOf(family, endpoint, references, limits);
  return Object.fromEntries(
    pathsOf(endpoint).map((path) => {
      const alias =
        path === endpoint.path
          ? {}
          : { operationId: `${endpoint.operation}Alias`, description: `The same as ${endpoint.path}.` };
      return [path, { post: { ...operation, ...alias } }] as const;
    }),
  );
}

const traceIdHeader = {
  description: "Trace id of the request: that of `traceparent` when sent, else a new one.",
  required: true,
  schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
};
const challengeHeader = { description: "How to get a token (RFC 6750, RFC 9728).", schema: { type: "string" } };
const retryAfterHeader = { description: "Seconds to wait.", schema: { type: "integer" } };
const traceparent = {
  name: "traceparent",
  in: "header",
  required: false,
  description: "W3C Trace Context of the caller.",
  schema: { type: "string" },
};

function oauth2(publicUrl: string) {
  const endpoints = { tokenUrl: `${publicUrl}/token`, refreshUrl: `${publicUrl}/token`, scopes: scopeMeanings };
  return {
    type: "oauth2",
    description: "Bearer access tokens, obtained with an application's client_id and client_secret.",
    flows: {
      clientCredentials: endpoints,
      authorizationCode: { authorizationUrl: `${publicUrl}/authorize`, ...endpoints },
    },
  };
}
