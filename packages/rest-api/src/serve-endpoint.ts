import type { IncomingMessage, ServerResponse } from "node:http";
import { CoreError } from "@org/core";
import {
  type Authenticate,
  answerJson,
  answerText,
  BodyError,
  challengeHeader,
  discardBody,
  type Exchange,
  exchangeOf,
  type Principal,
  refusalWords,
  requireFormat,
} from "@org/http";
import { unsupported } from "./body/body-limit.js";
import type { Limits } from "./body/inputs.js";
import { type Call, type Endpoint, JsonText } from "./endpoint.js";
import { failureOf, RestError } from "./failure.js";
import type { Family } from "./families.js";
import type { RestServices } from "./services.js";

/** Where defects and outages go, once each; a pino logger is one. */
export interface Log {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** What every endpoint needs besides its own part. */
export interface Host {
  readonly services: RestServices;
  readonly authenticate: Authenticate;
  /** Issuer and base address, without trailing slash. */
  readonly publicUrl: string;
  readonly limits: Limits;
  readonly log: Log;
  readonly clock: () => Date;
  readonly admit: ((tenantId: string) => void) | undefined;
  /** The API document as JSON. */
  readonly document: string;
}

/** Answers a request at an endpoint, or at a path of the family where there is none. The one place where an outcome becomes an answer. */
export async function serveEndpoint<Who>(
  endpoint: Endpoint<Who> | null,
  family: Family<Who>,
  host: Host,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = exchangeOf(request, response);
  try {
    const outcome = await outcomeOf(endpoint, family, host, exchange);
    if (outcome instanceof JsonText) answerText(response, 200, "application/json; charset=utf-8", outcome.text);
    else answerJson(response, 200, outcome);
  } catch (error) {
    const failure = failureOf(error, host.clock());
    if (failure.limit) exchange.note({ limit: failure.limit.limit });
    const trace_id = exchange.traceId;
    // An absent database is said once by whoever watches over it, not by every request that meets it; a limit by the access log.
    const isOutage = failure.code === "UNAVAILABLE" && error instanceof CoreError && !failure.limit;
    if (failure.code === "INTERNAL_ERROR" || isOutage)
      host.log.error({ err: error, trace_id, path: endpoint?.path ?? null }, "request failed");
    discardBody(request);
    const { status } = family.envelope.rows[failure.code];
    answerJson(response, status, family.envelope.bodyOf(failure, trace_id), failure.headers);
  }
}

/** The order matters: who asks is settled before a byte of the body is read. */
async function outcomeOf<Who>(
  endpoint: Endpoint<Who> | null,
  family: Family<Who>,
  host: Host,
  exchange: Exchange,
): Promise<unknown> {
  if (endpoint === null) throw new RestError("UNKNOWN_PATH", "no such endpoint");
  const { request } = exchange;
  if (request.method !== "POST") throw new RestError("METHOD_NOT_ALLOWED", "only POST is allowed", { Allow: "POST" });
  const principal = await principalOf(endpoint, host, exchange);
  const who = family.whoOf(principal, { trace_id: exchange.traceId, address: exchange.address });
  if (who === null) throw unauthorized("this endpoint is not for applications of this kind", endpoint, host);
  if (principal.tenant_id !== null) host.admit?.(principal.tenant_id);
  requireInput(request, endpoint.input.mediaType);
  const gone = () => goneSignal(exchange.response);
  const call: Call<Who> = { who, headers: request.headers, query: queryOf(request), gone };
  return endpoint.run(host.services, call, request, host.limits);
}

/** @throws RestError UNAUTHENTICATED without a good token, UNAUTHORIZED with one that has none of the endpoint's scopes */
async function principalOf(endpoint: EndpointScopes, host: Host, exchange: Exchange): Promise<Principal> {
  const result = await host.authenticate(exchange.request.headers.authorization);
  if ("refusal" in result) {
    throw new RestError("UNAUTHENTICATED", refusalWords(result.refusal), challenge(result.refusal, endpoint, host));
  }
  const { principal } = result;
  exchange.principal = principal;
  if (!endpoint.scopes.some((scope) => principal.scopes.has(scope)))
    throw unauthorized(`the scope ${endpoint.scopes.join(" or ")} is required`, endpoint, host);
  return principal;
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once("close", () => gone.abort());
  return gone.signal;
}

type EndpointScopes = Pick<Endpoint<never>, "scopes">;

function unauthorized(message: string, endpoint: EndpointScopes, host: Host): RestError {
  return new RestError("UNAUTHORIZED", message, challenge("insufficient_scope", endpoint, host));
}

function challenge(
  error: Parameters<typeof challengeHeader>[0]["error"],
  { scopes: [scope] }: EndpointScopes,
  { publicUrl }: Host,
) {
  const resourceMetadata = `${publicUrl}/.well-known/oauth-protected-resource`;
  return { "WWW-Authenticate": challengeHeader({ error, scopes: [scope], resourceMetadata }) };
}

/** @throws RestError UNSUPPORTED_MEDIA_TYPE */
function requireInput(request: IncomingMessage, mediaType: string): void {
  try {
    requireFormat(request, { mediaType });
  } catch (error) {
    throw error instanceof BodyError ? unsupported(error, mediaType) : error;
  }
}

function queryOf({ url = "" }: IncomingMessage): Record<string, string | string[]> {
  const parameters = new URLSearchParams(url.split("?").slice(1).join("?"));
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const [first = "", ...others] = parameters.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}
