import type { IncomingMessage } from "node:http";
import type { Request, Response, Router } from "express";
import { answerJson, discardBody } from "./answer.js";
import { type Authenticate, requirePrincipal, requireScope, unauthorized } from "./authentication.js";
import type { Limits } from "./body/inputs.js";
import { requireMediaType } from "./body/media-type.js";
import type { Call, Endpoint } from "./endpoint.js";
import { failureOf, RestError } from "./failure.js";
import type { Family } from "./families.js";
import type { RestServices } from "./services.js";
import { traceOf } from "./trace.js";

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
  /** 32 hex digits. */
  readonly newTraceId: () => string;
  readonly addressOf?: (request: IncomingMessage) => string;
}

/** Mounts the endpoints of a family under their full paths, and refuses every other path under its prefixes in its own words. */
export function mountFamily<Who>(router: Router, family: Family<Who>, host: Host): void {
  for (const endpoint of family.endpoints) {
    const serve = (request: Request, traceId: string) => serveEndpoint(endpoint, family, host, request, traceId);
    for (const path of pathsOf(endpoint))
      router.all(path, (request, response) => answer(family, host, request, response, serve));
  }
  router.use([...family.prefixes], (request, response) => answer(family, host, request, response, refuseUnknownPath));
}

/** Every path at which an endpoint answers. */
export function pathsOf({ path, alias }: Pick<Endpoint<unknown>, "path" | "alias">): readonly string[] {
  return alias === undefined ? [path] : [path, alias];
}

/** The one place where an outcome becomes an answer. */
async function answer<Who>(
  family: Family<Who>,
  host: Host,
  request: Request,
  response: Response,
  work: (request: Request, traceId: string) => Promise<unknown>,
): Promise<void> {
  const traceId = traceOf(request, response, host.newTraceId);
  try {
    answerJson(response, 200, await work(request, traceId));
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === "INTERNAL_ERROR" || failure.code === "UNAVAILABLE")
      host.log.error({ err: error, trace_id: traceId, path: request.path }, "request failed");
    for (const [name, value] of Object.entries(failure.headers)) response.setHeader(name, value);
    discardBody(request);
    answerJson(response, family.envelope.rows[failure.code].status, family.envelope.bodyOf(failure, traceId));
  }
}

/** The order matters: who asks is settled before a byte of the body is read. */
async function serveEndpoint<Who>(
  endpoint: Endpoint<Who>,
  family: Family<Who>,
  host: Host,
  request: Request,
  traceId: string,
): Promise<unknown> {
  if (request.method !== "POST") throw new RestError("METHOD_NOT_ALLOWED", "only POST is allowed", { Allow: "POST" });
  const challenge = { publicUrl: host.publicUrl, scope: endpoint.scopes[0] };
  const principal = await requirePrincipal(host.authenticate, request.headers.authorization, challenge);
  requireScope(principal, endpoint.scopes, challenge);
  const who = family.whoOf(principal, { trace_id: traceId, address: addressOf(host, request) });
  if (who === null) throw unauthorized("this endpoint is not for applications of this kind", challenge);
  requireMediaType(request, endpoint.input.mediaType);
  const call: Call<Who> = { who, headers: request.headers, query: queryOf(request) };
  return endpoint.run(host.services, call, request, host.limits);
}

function addressOf(host: Host, request: Request): string | null {
  return (host.addressOf ? host.addressOf(request) : request.ip) || null;
}

async function refuseUnknownPath(): Promise<never> {
  throw new RestError("UNKNOWN_PATH", "no such endpoint");
}

/** Not express's own parser, which the host can replace by one that builds objects. */
function queryOf({ url = "" }: IncomingMessage): Record<string, string | string[]> {
  const parameters = new URLSearchParams(url.split("?").slice(1).join("?"));
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const [first = "", ...others] = parameters.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}
