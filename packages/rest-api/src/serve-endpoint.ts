import type { IncomingMessage, ServerResponse } from "node:http";
import { CoreError, createEventLoopYielder } from "@org/core";
import {
  andThen,
  answerJson,
  answerText,
  BodyError,
  type Exchange,
  exchangeOf,
  logDefect,
  type MaybePromise,
  requireFormat,
} from "@org/http";
import { hashBody, unsupported } from "./body/body-limit.js";
import type { RestLimits } from "./body/inputs.js";
import { type Call, type Endpoint, JsonText } from "./endpoint.js";
import type { Envelope } from "./envelopes/envelope.js";
import { RestError, toFailure } from "./failure.js";
import type { Family } from "./families.js";
import { type AnswerOnce, keepsAnswers, requestHash, requestKey } from "./keyed-requests.js";
import type { RestServices } from "./services.js";

/** Receives defects and outages, once each; a pino logger fits. */
export interface Log {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Authenticates callers of one kind. It decides who is calling before the body is read, and sets `principal` on the exchange.
 * @throws RestError UNAUTHENTICATED, UNAUTHORIZED
 */
export type Authenticator = <Who>(
  endpoint: Endpoint<Who>,
  family: Family<Who>,
  exchange: Exchange,
) => MaybePromise<Who>;

/** What every answer needs, regardless of the caller. */
export interface Answering {
  readonly log: Log;
  readonly clock: () => Date;
}

/** Where in a request an error is caught: before and outside of a change an outage leaves nothing in doubt. */
interface Progress {
  mayHaveChanged: boolean;
}

/** What every endpoint needs from its host. */
export interface Host extends Answering {
  readonly services: RestServices;
  readonly authenticator: Authenticator;
  /** Error format; by default each family's own. */
  readonly envelope?: Envelope;
  readonly limits: RestLimits;
  /** Without it the header `Idempotency-Key` means something only where an endpoint keeps keys itself. */
  readonly answerOnce?: AnswerOnce | undefined;
  /** Counts a tenant's request before its body is read. @throws CoreError RATE_LIMITED when the tenant is over its limit */
  readonly admit: ((tenantId: string) => void) | undefined;
}

/** Answers a request to an endpoint, or to a path of the family without an endpoint. */
export function serveEndpoint<Who>(
  endpoint: Endpoint<Who> | null,
  family: Family<Who>,
  host: Host,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const exchange = exchangeOf(request, response);
  const { envelope = family.envelope, log, clock } = host;
  answerOutcome(exchange, { envelope, log, clock }, (progress) =>
    outcomeOf(endpoint, family, host, exchange, progress),
  ).catch((error: unknown) => {
    log.error({ err: error, trace_id: exchange.traceId }, "request failed");
    response.destroy();
  });
}

/** Answers with the result of `work`, or with its error in the envelope's format. This is the only place where an outcome becomes an answer. */
export async function answerOutcome(
  exchange: Exchange,
  { envelope, log, clock }: Answering & { readonly envelope: Envelope },
  work: (progress: Progress) => MaybePromise<unknown>,
): Promise<void> {
  const { response } = exchange;
  const progress = { mayHaveChanged: false };
  try {
    const outcome = await work(progress);
    if (outcome instanceof JsonText) answerText(response, 200, "application/json; charset=utf-8", outcome.text);
    else answerJson(response, 200, outcome);
  } catch (error) {
    const failure = toFailure(error, clock(), progress.mayHaveChanged);
    if (failure.limit) exchange.note({ limit: failure.limit.limit });
    const trace_id = exchange.traceId;
    // A database outage is logged once by its monitor, not by every affected request; a limit is in the access log.
    const isOutage = failure.code === "UNAVAILABLE" && error instanceof CoreError && !failure.limit;
    const path = exchange.route?.path ?? null;
    if (failure.code === "INTERNAL_ERROR") logDefect(log, exchange, error, "request failed", { path });
    else if (isOutage) log.error({ err: error, trace_id, path }, "request failed");
    const { status } = envelope.rows[failure.code];
    answerJson(response, status, envelope.bodyOf(failure, trace_id), failure.headers);
  }
}

/** The order matters: authentication comes before the first byte of the body is read. */
function outcomeOf<Who>(
  endpoint: Endpoint<Who> | null,
  family: Family<Who>,
  host: Host,
  exchange: Exchange,
  progress: Progress,
): MaybePromise<unknown> {
  if (endpoint === null) throw new RestError("UNKNOWN_PATH", "no such endpoint");
  const { request } = exchange;
  requirePost(request);
  return andThen(host.authenticator(endpoint, family, exchange), (who) => {
    if (exchange.principal?.tenant_id != null) host.admit?.(exchange.principal.tenant_id);
    requireInput(request, endpoint.input.mediaType);
    const gone = () => goneSignal(exchange);
    const pace = () => createEventLoopYielder(() => exchange.waitForTurn());
    const once = onceBy(endpoint, host, exchange);
    const call: Call<Who> = { who, headers: request.headers, query: queryOf(request), gone, pace, once };
    progress.mayHaveChanged = !endpoint.reads;
    return endpoint.run(host.services, call, request, host.limits);
  });
}

/** How a request with an `Idempotency-Key` is carried out. @throws CoreError VALIDATION_ERROR */
function onceBy<Who>(
  endpoint: Endpoint<Who>,
  { answerOnce }: Host,
  { request, principal }: Exchange,
): Call<Who>["once"] {
  const key = answerOnce && principal && keepsAnswers(endpoint) ? requestKey(request) : null;
  if (!answerOnce || !principal || key === null) return undefined;
  hashBody(request);
  return (work) => {
    const request_hash = requestHash(endpoint.path, request, principal.client_refs);
    return answerOnce({ owner: principal.application_id, key, request_hash }, work);
  };
}

/** @throws RestError METHOD_NOT_ALLOWED */
export function requirePost({ method }: IncomingMessage): void {
  if (method !== "POST") throw new RestError("METHOD_NOT_ALLOWED", "only POST is allowed", { Allow: "POST" });
}

function goneSignal(exchange: Exchange): AbortSignal {
  const gone = new AbortController();
  exchange.atClose(() => gone.abort());
  return gone.signal;
}

/** @throws RestError UNSUPPORTED_MEDIA_TYPE */
export function requireInput(request: IncomingMessage, mediaType: string): void {
  try {
    requireFormat(request, { mediaType });
  } catch (error) {
    throw error instanceof BodyError ? unsupported(error, mediaType) : error;
  }
}

function queryOf({ url = "" }: IncomingMessage): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.split("?").slice(1).join("?"))) {
    const others = values.get(name);
    if (others) others.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] as string) : all]));
}
