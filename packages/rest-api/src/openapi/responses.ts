import { type Envelope, failureMeanings } from "../envelopes/envelope.js";
import type { FailureCode } from "../failure.js";
import type { SchemaReferences } from "./schemas.js";

const traceId = { "X-Trace-Id": { $ref: "#/components/headers/TraceId" } };
const extraHeaders: Partial<Record<number, object>> = {
  401: { "WWW-Authenticate": { $ref: "#/components/headers/Challenge" } },
  403: { "WWW-Authenticate": { $ref: "#/components/headers/Challenge" } },
  429: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
  503: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
};

/** Returns a 200 response with a JSON body. */
export function successResponse(schema: { readonly $ref: string }, example?: object) {
  const content = { "application/json": { schema, ...(example && { example }) } };
  return { description: "Done.", headers: traceId, content };
}

/** Returns one response object for every status in an envelope's table, by component name. */
export function errorResponsesOf(envelope: Envelope, references: SchemaReferences): Record<string, object> {
  return Object.fromEntries(
    [...groupByStatus(envelope)].map(([status, [first, ...others]]) => [
      responseName(envelope, status),
      {
        description: [first, ...others].map((code) => describe(envelope, code)).join(" "),
        headers: { ...traceId, ...extraHeaders[status] },
        content: { "application/json": { schema: references(envelope.schemaOf(first)) } },
      },
    ]),
  );
}

/** Returns the component name of an envelope's response with a status. */
export function responseName(envelope: Envelope, status: number): string {
  return `${envelope.name}${status}`;
}

function groupByStatus({ rows }: Envelope): Map<number, [FailureCode, ...FailureCode[]]> {
  const groups = new Map<number, [FailureCode, ...FailureCode[]]>();
  for (const code of Object.keys(rows) as FailureCode[]) {
    const group = groups.get(rows[code].status);
    if (group) group.push(code);
    else groups.set(rows[code].status, [code]);
  }
  return groups;
}

function describe({ rows }: Envelope, code: FailureCode): string {
  const word = rows[code].code;
  return `${word === null ? "" : `\`${word}\`: `}${failureMeanings[code]}.`;
}
