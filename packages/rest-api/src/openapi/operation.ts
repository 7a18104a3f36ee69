import type { z } from "zod";
import type { RestLimits } from "../body/inputs.js";
import type { EndpointFacts } from "../endpoint.js";
import type { FailureCode } from "../failure.js";
import type { FamilyFacts } from "../families.js";
import { keepsAnswers, keyHeaders } from "../keyed-requests.js";
import { responseName, successResponse } from "./responses.js";
import { parameterSchema, type SchemaReferences } from "./schemas.js";

/** Errors that any endpoint may return. */
const COMMON_FAILURES = [
  "VALIDATION_ERROR",
  "UNAUTHENTICATED",
  "UNAUTHORIZED",
  "TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "TOO_SLOW",
  "RATE_LIMITED",
  "UNAVAILABLE",
  "INTERNAL_ERROR",
] as const satisfies readonly FailureCode[];

/** Errors that a request with an `Idempotency-Key` may get. */
const KEYED_FAILURES = ["IDEMPOTENCY_MISMATCH", "CONFLICT"] as const satisfies readonly FailureCode[];

/** Returns the operation object of an endpoint. */
export function operationOf(
  family: FamilyFacts,
  endpoint: EndpointFacts,
  references: SchemaReferences,
  limits: RestLimits,
) {
  const { envelope } = family;
  const isKeyed = keepsAnswers(endpoint);
  const statuses = [...COMMON_FAILURES, ...endpoint.fails, ...(isKeyed ? KEYED_FAILURES : [])].map(
    (code) => envelope.rows[code].status,
  );
  const errors = [...new Set(statuses)].sort((a, b) => a - b);
  return {
    operationId: endpoint.operation,
    tags: [family.name],
    summary: endpoint.summary,
    ...describedBy(endpoint),
    security: endpoint.scopes.map((scope) => ({ oauth2: [scope] })),
    parameters: [
      { $ref: "#/components/parameters/Traceparent" },
      ...parametersOf("header", isKeyed ? keyHeaders : endpoint.headers),
      ...parametersOf("query", endpoint.query),
    ],
    requestBody: {
      required: true,
      description: sentence(endpoint.input.limit(limits).rule),
      content: {
        [endpoint.input.mediaType]: {
          schema: endpoint.input.schema ? references(endpoint.input.schema) : {},
          ...(endpoint.example && { example: endpoint.example.body }),
        },
      },
    },
    responses: {
      200: successResponse(references(endpoint.output), endpoint.example?.answer),
      ...Object.fromEntries(
        errors.map((status) => [status, { $ref: `#/components/responses/${responseName(envelope, status)}` }]),
      ),
    },
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function describedBy({ description, order }: EndpointFacts): { description?: string } {
  const said = [description, order && `Order: ${order}.`].filter((text) => text !== undefined);
  return said.length === 0 ? {} : { description: said.join(" ") };
}

function parametersOf(place: "header" | "query", fields: z.ZodObject | undefined) {
  return Object.entries<z.ZodType>(fields?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = parameterSchema(field);
    return {
      name,
      in: place,
      required: !field.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}
